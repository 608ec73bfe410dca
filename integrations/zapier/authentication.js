'use strict';

const { get } = require('./calls');

module.exports = {
  type: 'custom',
  fields: [
    {
      key: 'base_url',
      label: 'Address',
      type: 'string',
      required: true,
      placeholder: 'https://messages.example.com',
      helpText: 'Where your Tablegram runs, without anything behind the host.',
    },
    {
      key: 'api_key',
      label: 'API key',
      type: 'password',
      required: true,
      helpText: 'A key of your account. Triggers need the scope `webhooks:manage`.',
    },
  ],
  test: async (z, bundle) => await get(z, bundle, '/me'),
  connectionLabel: '{{account__name}} ({{key__name}})',
};
