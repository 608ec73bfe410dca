'use strict';

const { digits, onceFor, post } = require('./calls');

const PHONE = { key: 'phone', label: 'Phone', type: 'string', required: true, helpText: 'With its country code: 905551112233.' };
const LINE = { key: 'instance_id', label: 'Line', type: 'string', dynamic: 'lines.id.name', helpText: 'Leave it empty to send from the default line.' };
const ONCE = { key: 'once', label: 'Only once for', type: 'string', helpText: 'An order number or the like: the same one is sent once, however often the Zap runs.' };
const SENT = { id: '01k', status: 'success', status_code: 'sent', message_id: '01k' };

const send = (key, label, description, path, fields, body) => ({
  key,
  noun: 'Message',
  display: { label, description },
  operation: {
    inputFields: [PHONE, ...fields, LINE, ONCE],
    perform: async (z, bundle) => {
      const line = bundle.inputData.instance_id;
      const own = { phone: digits(bundle.inputData.phone), ...(line && { instance_id: Number(line) }) };
      const sent = await post(z, bundle, path, { ...own, ...body(bundle.inputData) }, onceFor(z, bundle, path));
      return { id: sent.message_id, ...sent };
    },
    sample: SENT,
  },
});

module.exports = [
  send('send_text', 'Send Text', 'Sends a text message to a phone number.', '/messages/send',
    [{ key: 'message', label: 'Text', type: 'text', required: true }],
    ({ message }) => ({ message })),
  send('send_file', 'Send File', 'Sends a picture, a video or a document from a public address.', '/messages/send-media',
    [
      { key: 'media_url', label: 'Address of the file', type: 'string', required: true },
      { key: 'caption', label: 'Caption', type: 'text' },
    ],
    ({ media_url, caption }) => ({ media_url, ...(caption && { caption }) })),
  send('send_template', 'Send Template', 'Sends a template that the network has approved.', '/messages/send-template',
    [
      { key: 'template', label: 'Template', type: 'string', required: true, dynamic: 'templates.id.name' },
      { key: 'parameters', label: 'Values', type: 'string', list: true, helpText: 'What stands for the first, the second and every further gap.' },
    ],
    ({ template, parameters }) => {
      const [name, language] = template.split('|');
      return { template: name, language, parameters: parameters || [] };
    }),
  {
    key: 'create_payment_link',
    noun: 'Payment Link',
    display: { label: 'Create Payment Link', description: 'Makes a link that somebody pays by card with.' },
    operation: {
      inputFields: [
        { key: 'amount', label: 'Amount', type: 'number', required: true },
        { key: 'currency', label: 'Currency', type: 'string', required: true, placeholder: 'TRY' },
        { key: 'description', label: 'What for', type: 'string', required: true },
        { ...PHONE, required: false },
        ONCE,
      ],
      perform: async (z, bundle) => {
        const { amount, currency, description, phone } = bundle.inputData;
        const body = { amount, currency: currency.toUpperCase(), description, ...(phone && { phone: digits(phone) }) };
        return await post(z, bundle, '/payment-links', body, onceFor(z, bundle, '/payment-links'));
      },
      sample: { id: '01k', url: 'https://messages.example.com/pay/01k', state: 'open', amount: 450, currency: 'TRY' },
    },
  },
];
