import type {
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodePropertyOptions,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { call, list } from './calls';
import { DEEDS } from './deeds';
import { properties } from './properties';

const LISTED = 500;

export class Tablegram implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Tablegram',
		name: 'tablegram',
		icon: 'file:tablegram.svg',
		group: ['output'],
		version: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description: 'Send messages, and look up contacts, orders and payments',
		defaults: { name: 'Tablegram' },
		usableAsTool: true,
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'tablegramApi', required: true }],
		properties,
	};

	methods = {
		loadOptions: {
			async getLines(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				const lines = await list(this, '/instances', LISTED);
				const own = lines.map((line) => ({ name: `${String(line.name)} (${String(line.state)})`, value: String(line.id) }));
				return [{ name: 'The Default Line', value: '' }, ...own];
			},
			async getTemplates(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				const { data } = await call(this, { method: 'GET', path: '/templates' });
				return (data as IDataObject[])
					.filter((one) => one.status === 'APPROVED')
					.map((one) => ({ name: `${String(one.name)} (${String(one.language)})`, value: `${String(one.name)}|${String(one.language)}` }));
			},
			async getVenues(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				const venues = await list(this, '/restaurant/venues', LISTED);
				return venues.map((venue) => ({ name: String(venue.name), value: String(venue.id) }));
			},
			async getDishes(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				const venue = String(this.getCurrentNodeParameter('venueId') ?? '');
				if (!venue) return [];
				const menu = await call(this, { method: 'GET', path: `/restaurant/venues/${encodeURIComponent(venue)}/menu` });
				return (menu.items as IDataObject[]).map((dish) => ({ name: String(dish.name), value: String(dish.id) }));
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const done: INodeExecutionData[] = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			const what = `${this.getNodeParameter('resource', item) as string}.${this.getNodeParameter('operation', item) as string}`;
			// A run that is tried again sends nothing twice.
			const key = `n8n-${this.getExecutionId()}-${this.getNode().id}-${item}`;
			try {
				const answer = await DEEDS[what](this, item, key);
				done.push(...[answer].flat().map((json) => ({ json, pairedItem: { item } })));
			} catch (error) {
				if (!this.continueOnFail()) throw error;
				done.push({ json: { error: (error as Error).message }, pairedItem: { item } });
			}
		}
		return [done];
	}
}
