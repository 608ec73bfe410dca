'use strict';

const { get } = require('./calls');

/** A list that fills a drop-down of another step; nobody sees it by itself. */
const hidden = (key, noun, perform, sample) => ({
  key,
  noun,
  display: { label: `List of ${noun}s`, description: `Fills the choice of a ${noun.toLowerCase()}.`, hidden: true },
  operation: { perform, sample },
});

module.exports = [
  hidden('lines', 'Line', async (z, bundle) => (await get(z, bundle, '/instances', { limit: 200 })).data, { id: 1, name: 'Front desk' }),
  hidden(
    'templates',
    'Template',
    async (z, bundle) => {
      const { data } = await get(z, bundle, '/templates');
      const good = data.filter(({ status }) => status === 'APPROVED');
      return good.map(({ name, language }) => ({ id: `${name}|${language}`, name: `${name} (${language})` }));
    },
    { id: 'hello_world|en_US', name: 'hello_world (en_US)' },
  ),
];
