'use strict';

const { address, get, post } = require('./calls');

/** A trigger by REST hook: Zapier's address is an endpoint of the account for as long as the Zap is on. */
const trigger = (key, event, noun, label, description, sample) => ({
  key,
  noun,
  display: { label, description },
  operation: {
    type: 'hook',
    performSubscribe: async (z, bundle) =>
      await post(z, bundle, '/webhooks', { url: bundle.targetUrl, events: [event], description: `Zapier: ${label}` }),
    performUnsubscribe: async (z, bundle) => {
      const url = `${address(bundle)}/webhooks/${encodeURIComponent(bundle.subscribeData.id)}`;
      await z.request({ method: 'DELETE', url, skipThrowForStatus: true });
      return {};
    },
    // What a delivery is called is in its header; where Zapier leaves that out, its body says enough.
    perform: (z, bundle) => [{ id: named(z, bundle), ...bundle.cleanedRequest }],
    performList: async (z, bundle) => {
      const { data } = await get(z, bundle, '/events/samples', { type: event });
      return data.map(({ id, body }) => ({ id, ...body }));
    },
    sample,
  },
});

const named = (z, bundle) => {
  const headers = (bundle.rawRequest && bundle.rawRequest.headers) || {};
  const found = Object.entries(headers).find(([name]) => /^(http-)?webhook-id$/i.test(name));
  return found ? found[1] : z.hash('sha256', JSON.stringify(bundle.cleanedRequest));
};

const message = { id: 'msg_1', event: 'messages.upsert', instance_id: 1, data: { from: '905551112233', sender_name: 'Ayşe', type: 'text', text: 'Hello' } };
const order = { id: 'msg_2', event: 'restaurant.order_created', order_id: 'ORD-20261115-0042', order_type: 'dine_in', table_number: '12', total_amount: 737 };
const paid = { id: 'msg_3', event: 'payment.succeeded', data: { id: '01k', amount: 450, currency: 'TRY', state: 'paid' } };
const shop = { id: 'msg_5', event: 'store.order_received', order_id: 'sor_1', number: '#1041', status: 'processing', amount: 900, currency: 'TRY', customer: { name: 'Ayşe', phone: '905551112233' } };
const cart = { id: 'msg_6', event: 'store.cart_recovered', cart_id: '01k', order_reference: '1041', amount: 900, currency: 'TRY', reminders: 1, customer: { name: 'Ayşe', phone: '905551112233' } };
const form = { id: 'msg_7', event: 'store.form_sent', title: 'Contact', customer: { name: 'Ayşe', phone: '905551112233' }, fields: [{ name: 'Message', value: 'Hello' }] };

module.exports = [
  trigger('message_received', 'messages.upsert', 'Message', 'New Message', 'Triggers when a customer writes to one of your lines.', message),
  trigger('message_updated', 'messages.update', 'Message State', 'Message State Changed', 'Triggers when a message you sent is delivered, read or refused.', { ...message, event: 'messages.update' }),
  trigger('order_created', 'restaurant.order_created', 'Order', 'New Order', 'Triggers when an order is confirmed and goes to the kitchen.', order),
  trigger('order_updated', 'restaurant.order_updated', 'Order Change', 'Order Changed', 'Triggers when an order is received, changed or moved on.', { ...order, event: 'restaurant.order_updated' }),
  trigger('payment_succeeded', 'payment.succeeded', 'Payment', 'New Payment', 'Triggers when somebody pays by a payment link.', paid),
  trigger('store_order_received', 'store.order_received', 'Shop Order', 'New Shop Order', 'Triggers when a connected shop has a new order.', shop),
  trigger('store_order_updated', 'store.order_updated', 'Shop Order Change', 'Shop Order Changed', 'Triggers when a connected shop tells something new of an order.', { ...shop, event: 'store.order_updated' }),
  trigger('store_cart_recovered', 'store.cart_recovered', 'Recovered Cart', 'Cart Recovered', 'Triggers when a customer buys after a reminder of their cart.', cart),
  trigger('store_form_sent', 'store.form_sent', 'Form Entry', 'New Form Entry', 'Triggers when somebody sends a connected form.', form),
  trigger('contact_opted_out', 'contact.opted_out', 'Opt-Out', 'Contact Opted Out', 'Triggers when a customer asks not to be written to any more.', { id: 'msg_4', event: 'contact.opted_out', data: { phone: '905551112233' } }),
];
