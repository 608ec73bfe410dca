// The app as Zapier runs it, with calls to a server that runs: drive.js APP URL KEY PHONE
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');

const [, , folder, url, key, phone] = process.argv;
const zapier = require('zapier-platform-core');
const createLambdaHandler = require('zapier-platform-core/src/tools/create-lambda-handler');
const App = require(folder);

const run = zapier.createAppTester(App);
const authData = { base_url: `${url}/`, api_key: key };
const does = (perform, inputData = {}, more = {}) => run(perform, { authData, inputData, ...more });
const action = (name, inputData, more) => does(App.creates[name].operation.perform, inputData, more);

async function judge() {
  // As Zapier itself asks an app whether it is valid.
  const handler = createLambdaHandler(folder);
  const { results: errors } = await handler({ command: 'validate' });
  assert.deepEqual(errors, [], JSON.stringify(errors, null, 1));
}

async function connect() {
  assert.ok((await does(App.authentication.test)).account.name);
  await assert.rejects(run(App.authentication.test, { authData: { ...authData, api_key: 'tg_live_wrong' } }), /API key is wrong/);
}

async function act() {
  const lines = await does(App.triggers.lines.operation.perform);
  assert.ok(lines.every(({ id, name }) => id && name));
  const wish = { phone: `+${phone}`, message: 'From *Zapier*', instance_id: String(lines[0].id), once: 'ORD-1' };
  const [sent, again] = [await action('send_text', wish), await action('send_text', wish)];
  assert.equal(sent.id, again.id);
  await assert.rejects(action('send_text', { ...wish, phone: '12', once: '' }), /phone: /);
  const templates = await does(App.triggers.templates.operation.perform);
  const { id: template } = templates.find(({ id }) => id === 'order_confirmation|en');
  assert.ok((await action('send_template', { phone, template, parameters: ['Ada', 'ORD-1', '£5'] })).id);
  const link = await action('create_payment_link', { amount: 12.5, currency: 'try', description: 'Tea', phone });
  assert.equal(link.amount, 12.5);
}

async function find() {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  await fetch(`${url}/api/v1/contacts`, { method: 'POST', headers, body: JSON.stringify({ phone, name: 'Ada' }) });
  const [found] = await does(App.searches.find_contact.operation.perform, { q: `+${phone}` });
  assert.deepEqual(found.phones, [phone]);
  assert.deepEqual(await does(App.searches.find_order.operation.perform, { order_id: 'ORD-19990101-0001' }), []);
}

async function listen() {
  for (const { key: name, operation } of Object.values(App.triggers).filter(({ operation }) => operation.type === 'hook')) {
    const samples = await does(operation.performList);
    assert.ok(samples.length, name);
    assert.equal(new Set(samples.map(({ id }) => id)).size, samples.length);
    assert.ok(samples.every(({ id, event }) => id && event === operation.sample.event), name);
  }
  let arrived;
  const waiting = new Promise((resolve) => (arrived = resolve));
  const server = http.createServer((got, answer) => {
    let body = '';
    got.on('data', (part) => (body += part)).on('end', () => {
      answer.end();
      arrived({ headers: got.headers, body: JSON.parse(body) });
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { operation } = App.triggers.message_received;
  const targetUrl = `http://127.0.0.1:${server.address().port}/hook`;
  const subscribeData = await does(operation.performSubscribe, {}, { targetUrl });
  assert.ok(subscribeData.id);
  await fetch(`${url}/api/v1/webhooks/${subscribeData.id}/test`, { method: 'POST', headers: { Authorization: `Bearer ${key}` } });
  const { headers, body } = await waiting;
  server.close();
  server.closeAllConnections();
  const [heard] = await does(operation.perform, {}, { cleanedRequest: body, rawRequest: { headers } });
  assert.equal(heard.id, headers['webhook-id']);
  await does(operation.performUnsubscribe, {}, { subscribeData, targetUrl });
  const gone = await fetch(`${url}/api/v1/webhooks/${subscribeData.id}`, { headers: { Authorization: `Bearer ${key}` } });
  assert.equal(gone.status, 404);
}

(async () => {
  await judge();
  await connect();
  await act();
  await find();
  await listen();
  console.log('driven');
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
