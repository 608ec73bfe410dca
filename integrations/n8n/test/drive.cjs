// Loads the built nodes as n8n would and lets them call a server that runs: drive.cjs PACKAGE URL KEY PHONE
const assert = require('node:assert/strict');
const http = require('node:http');
const path = require('node:path');

const [, , folder, url, key, phone] = process.argv;
const manifest = require(path.join(folder, 'package.json'));
const load = (file) => Object.values(require(path.join(folder, file)))[0];
const Credential = load(manifest.n8n.credentials[0]);
const [Action, Trigger] = manifest.n8n.nodes.map(load);

// What n8n does for a node: parameters, credentials, and HTTP with them.
const said = (text, credentials) => text.replace(/^=/, '').replace(/\{\{(.*?)\}\}/g, (_, code) => new Function('$credentials', `return ${code}`)(credentials));

async function request(credentials, { method, url: to, qs = {}, headers = {}, body }) {
	const address = new URL(to);
	for (const [name, value] of Object.entries(qs)) if (value !== undefined) address.searchParams.set(name, value);
	const own = Object.fromEntries(Object.entries(new Credential().authenticate.properties.headers).map(([name, value]) => [name, said(value, credentials)]));
	const sent = body === undefined ? {} : { body: JSON.stringify(body) };
	const answer = await fetch(address, { method, headers: { 'Content-Type': 'application/json', ...headers, ...own }, ...sent });
	const text = await answer.text();
	const data = text ? JSON.parse(text) : '';
	if (!answer.ok) throw Object.assign(new Error(`Request failed with status code ${answer.status}`), { response: { status: answer.status, data } });
	return data;
}

function around(parameters, { credentials = { baseUrl: `${url}/`, apiKey: key }, run = '1', kept = {}, address = '', more = {} } = {}) {
	return {
		getNodeParameter: (name, _item, other) => parameters[name] ?? other ?? '',
		getCurrentNodeParameter: (name) => parameters[name],
		getCredentials: async () => credentials,
		getNode: () => ({ id: 'node-1', name: 'Tablegram', type: 'tablegram', typeVersion: 1, position: [0, 0], parameters: {} }),
		getExecutionId: () => run,
		getInputData: () => [{ json: {} }],
		getWorkflow: () => ({ id: '1', name: 'Driven', active: true }),
		getWorkflowStaticData: () => kept,
		getNodeWebhookUrl: () => address,
		continueOnFail: () => false,
		helpers: {
			async httpRequestWithAuthentication(_name, options) { return await request(await this.getCredentials(), options); },
			returnJsonArray: (items) => items.map((json) => ({ json })),
		},
		...more,
	};
}

const node = new Action();
const act = async (parameters, options) => (await node.execute.call(around(parameters, options)))[0].map(({ json }) => json);
const pick = async (from, name, parameters = {}) => await from.methods.loadOptions[name].call(around(parameters));

async function useCredential() {
	const { baseURL, url: to } = new Credential().test.request;
	const tried = (credentials) => request(credentials, { method: 'GET', url: said(baseURL, credentials) + to });
	assert.ok((await tried({ baseUrl: `${url}/`, apiKey: key })).account.name);
	await assert.rejects(tried({ baseUrl: url, apiKey: 'tg_live_wrong' }), /401/);
}

async function useAction() {
	const [first, ...lines] = await pick(node, 'getLines');
	assert.equal(first.value, '');
	assert.ok(lines.length);
	const text = { resource: 'message', operation: 'sendText', phone: `+${phone}`, text: 'From *n8n*', instanceId: lines[0].value };
	const [sent] = await act(text);
	const [again] = await act(text);
	assert.equal(again.message_id, sent.message_id);
	const [seen] = await act({ resource: 'message', operation: 'get', id: sent.message_id });
	assert.equal(seen.message_id, sent.message_id);
	await assert.rejects(act({ ...text, phone: '12' }, { run: '2' }), /phone: /);
	await assert.rejects(act({ ...text, text: '' }, { run: '3' }), (error) => error.constructor.name === 'NodeApiError');
	const template = (await pick(node, 'getTemplates')).find(({ value }) => value === 'order_confirmation|en');
	await act({ resource: 'message', operation: 'sendTemplate', phone, template: template.value, values: ['Ada', 'ORD-1', '£5'] }, { run: '4' });
	const [person] = await act({ resource: 'contact', operation: 'create', phone: '905551110001', name: 'Ada of n8n' });
	assert.equal((await act({ resource: 'contact', operation: 'get', id: person.id }))[0].name, 'Ada of n8n');
	assert.equal((await act({ resource: 'contact', operation: 'getAll', search: 'Ada of n8n', returnAll: true })).length, 1);
	assert.ok(Array.isArray(await act({ resource: 'order', operation: 'getAll', limit: 5 })));
	const [venue] = await pick(node, 'getVenues');
	const [dish] = await pick(node, 'getDishes', { venueId: venue.value });
	await act({ resource: 'dish', operation: 'soldOut', venueId: venue.value, dishes: [dish.value], until: 'told' });
	await act({ resource: 'dish', operation: 'soldOut', venueId: venue.value, dishes: [dish.value], until: 'now' }, { run: '5' });
	const [link] = await act({ resource: 'paymentLink', operation: 'create', amount: 12.5, currency: 'try', description: 'Tea', payerPhone: phone });
	assert.equal((await act({ resource: 'paymentLink', operation: 'get', id: link.id }))[0].amount, 12.5);
}

async function useTrigger() {
	const trigger = new Trigger();
	const names = (await pick(trigger, 'getEvents')).map(({ value }) => value);
	assert.ok(names.includes('messages.upsert') && names.includes('restaurant.order_created'));
	const came = [];
	let arrived;
	const waiting = new Promise((resolve) => (arrived = resolve));
	const server = http.createServer((got, answer) => {
		const parts = [];
		got.on('data', (part) => parts.push(part)).on('end', () => {
			came.push({ headers: got.headers, rawBody: Buffer.concat(parts) });
			answer.end();
			arrived();
		});
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const kept = {};
	const here = around({ events: ['messages.upsert'] }, { kept, address: `http://127.0.0.1:${server.address().port}/hook` });
	const { checkExists, create, delete: remove } = trigger.webhookMethods.default;
	assert.equal(await checkExists.call(here), false);
	await create.call(here);
	assert.equal(await checkExists.call(here), true);
	const other = around({ events: ['messages.update'] }, { kept: { ...kept }, address: 'http://127.0.0.1:9/hook' });
	await request({ apiKey: key }, { method: 'POST', url: `${url}/api/v1/webhooks/${kept.id}/test`, body: {} });
	await waiting;
	server.close();
	server.closeAllConnections();
	const hear = async ({ headers, rawBody }) => {
		let status = 200;
		const response = { status: (code) => ((status = code), response), send: () => response };
		const more = { getRequestObject: () => ({ rawBody }), getHeaderData: () => headers, getResponseObject: () => response };
		return { status, ...(await trigger.webhook.call(around({}, { kept, more }))), get code() { return status; } };
	};
	const [delivery] = came;
	const heard = await hear(delivery);
	assert.equal(heard.workflowData[0][0].json.id, delivery.headers['webhook-id']);
	assert.ok(heard.workflowData[0][0].json.event);
	for (const forged of [
		{ ...delivery, rawBody: Buffer.concat([delivery.rawBody, Buffer.from(' ')]) },
		{ ...delivery, headers: { ...delivery.headers, 'webhook-signature': '' } },
		{ ...delivery, headers: { ...delivery.headers, 'webhook-timestamp': '1' } },
	]) {
		const refused = await hear(forged);
		assert.equal(refused.code, 401);
		assert.equal(refused.workflowData, undefined);
	}
	// What listens for something else now is made anew, and the old endpoint does not stay.
	assert.equal(await checkExists.call(other), false);
	assert.equal(await checkExists.call(here), false);
	await create.call(here);
	const id = kept.id;
	await remove.call(here);
	await assert.rejects(request({ apiKey: key }, { method: 'GET', url: `${url}/api/v1/webhooks/${id}` }), /404/);
}

(async () => {
	await useCredential();
	await useAction();
	await useTrigger();
	console.log('driven');
})().catch((error) => {
	console.error(error);
	process.exit(1);
});
