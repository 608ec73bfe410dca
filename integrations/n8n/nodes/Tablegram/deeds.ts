import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { call, list } from './calls';

type Deed = (run: IExecuteFunctions, item: number, key: string) => Promise<IDataObject | IDataObject[]>;

const ALL = 10_000;

function text(run: IExecuteFunctions, name: string, item: number): string {
	return String(run.getNodeParameter(name, item, '') ?? '').trim();
}

function sender(path: string, body: (run: IExecuteFunctions, item: number) => IDataObject): Deed {
	return async (run, item, key) => {
		const line = text(run, 'instanceId', item);
		const own = { phone: text(run, 'phone', item).replace(/[^0-9]/g, ''), ...(line && { instance_id: Number(line) }) };
		return await call(run, { method: 'POST', path, body: { ...own, ...body(run, item) }, key });
	};
}

function getter(path: string): Deed {
	return async (run, item) => await call(run, { method: 'GET', path: `${path}/${encodeURIComponent(text(run, 'id', item))}` });
}

function finder(path: string): Deed {
	return async (run, item) => {
		const most = run.getNodeParameter('returnAll', item, false) ? ALL : (run.getNodeParameter('limit', item, 50) as number);
		const q = text(run, 'search', item);
		return await list(run, path, most, q ? { q } : {});
	};
}

/** What each operation of each resource calls. */
export const DEEDS: Record<string, Deed> = {
	'message.sendText': sender('/messages/send', (run, item) => ({ message: run.getNodeParameter('text', item) as string })),
	'message.sendMedia': sender('/messages/send-media', (run, item) => ({
		media_url: text(run, 'mediaUrl', item),
		caption: text(run, 'caption', item),
	})),
	'message.sendTemplate': sender('/messages/send-template', (run, item) => {
		const [template, language] = text(run, 'template', item).split('|');
		return { template, language, parameters: run.getNodeParameter('values', item, []) as string[] };
	}),
	'message.get': getter('/messages'),
	'contact.create': async (run, item, key) => {
		const name = text(run, 'name', item);
		const body = { phone: text(run, 'phone', item).replace(/[^0-9]/g, ''), ...(name && { name }) };
		return await call(run, { method: 'POST', path: '/contacts', body, key });
	},
	'contact.get': getter('/contacts'),
	'contact.getAll': finder('/contacts'),
	'order.get': getter('/orders'),
	'order.getAll': finder('/orders'),
	'dish.soldOut': async (run, item, key) => {
		const path = `/restaurant/venues/${encodeURIComponent(text(run, 'venueId', item))}/menu/sold-out`;
		const body = { ids: run.getNodeParameter('dishes', item) as string[], until: text(run, 'until', item) };
		return await call(run, { method: 'POST', path, body, key });
	},
	'paymentLink.create': async (run, item, key) => {
		const phone = text(run, 'payerPhone', item).replace(/[^0-9]/g, '');
		const body = {
			amount: run.getNodeParameter('amount', item) as number,
			currency: text(run, 'currency', item).toUpperCase(),
			description: text(run, 'description', item),
			...(phone && { phone }),
		};
		return await call(run, { method: 'POST', path: '/payment-links', body, key });
	},
	'paymentLink.get': getter('/payment-links'),
};
