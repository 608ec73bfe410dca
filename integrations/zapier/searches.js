'use strict';

const { digits, get } = require('./calls');

const search = (key, noun, label, description, fields, perform, sample) => ({
  key,
  noun,
  display: { label, description },
  operation: { inputFields: fields, perform, sample },
});

module.exports = [
  search('find_contact', 'Contact', 'Find Contact', 'Finds somebody by phone or name.',
    [{ key: 'q', label: 'Phone or name', type: 'string', required: true }],
    async (z, bundle) => {
      const { q } = bundle.inputData;
      const { data } = await get(z, bundle, '/contacts', { q: /^[+0-9 ()-]+$/.test(q) ? digits(q) : q, limit: 10 });
      return data;
    },
    { id: '01k', name: 'Ayşe Yılmaz', phones: ['905551112233'] }),
  search('find_order', 'Order', 'Find Order', 'Finds an order by its number.',
    [{ key: 'order_id', label: 'Order number', type: 'string', required: true }],
    async (z, bundle) => {
      const { data } = await get(z, bundle, '/orders', { q: bundle.inputData.order_id, limit: 10 });
      return data.map((order) => ({ id: order.order_id, ...order }));
    },
    { id: 'ORD-20261115-0042', order_id: 'ORD-20261115-0042', status: 'preparing' }),
];
