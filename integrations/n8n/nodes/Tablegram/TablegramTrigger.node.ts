import type {
	IDataObject,
	IHookFunctions,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { call, list } from './calls';
import { isGenuine } from './signature';

export class TablegramTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Tablegram Trigger',
		name: 'tablegramTrigger',
		icon: 'file:tablegram.svg',
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["events"].join(", ")}}',
		description: 'Starts when a customer writes, an order comes in, or something else happens in Tablegram',
		defaults: { name: 'Tablegram Trigger' },
		inputs: [],
		outputs: ['main'],
		credentials: [{ name: 'tablegramApi', required: true }],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'tablegram', rawBody: true }],
		properties: [
			{
				displayName: 'Event Names or IDs',
				name: 'events',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'getEvents' },
				default: [],
				required: true,
				description: 'What starts the workflow. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			},
		],
	};

	methods = {
		loadOptions: {
			async getEvents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				const { data } = await call(this, { method: 'GET', path: '/events/samples' });
				return (data as IDataObject[]).map((one) => ({
					name: String(one.event),
					value: String(one.event),
					description: String(one.when),
				}));
			},
		},
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				const kept = this.getWorkflowStaticData('node');
				if (!kept.id || !kept.secret) return false;
				const [wanted, events] = [this.getNodeWebhookUrl('default'), this.getNodeParameter('events') as string[]];
				for (const one of await list(this, '/webhooks', 1_000)) {
					if (one.id !== kept.id) continue;
					const same = one.url === wanted && [...(one.events as string[])].sort().join() === [...events].sort().join();
					if (same && one.state === 'active') return true;
					// It would go on calling an address that nobody listens at.
					await call(this, { method: 'DELETE', path: `/webhooks/${encodeURIComponent(String(one.id))}` });
				}
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				const body = {
					url: this.getNodeWebhookUrl('default'),
					events: this.getNodeParameter('events') as string[],
					description: `n8n: ${this.getWorkflow().name ?? ''}`.slice(0, 100),
				};
				const made = await call(this, { method: 'POST', path: '/webhooks', body });
				Object.assign(this.getWorkflowStaticData('node'), { id: made.id, secret: made.secret });
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				const kept = this.getWorkflowStaticData('node');
				if (kept.id) await call(this, { method: 'DELETE', path: `/webhooks/${encodeURIComponent(String(kept.id))}` });
				delete kept.id;
				delete kept.secret;
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { secret } = this.getWorkflowStaticData('node');
		const request = this.getRequestObject() as unknown as { rawBody?: Buffer };
		const headers = this.getHeaderData() as Record<string, unknown>;
		if (!request.rawBody || !isGenuine(String(secret ?? ''), headers, request.rawBody)) {
			const response = this.getResponseObject();
			response.status(401).send('The signature is missing or wrong.');
			return { noWebhookResponse: true };
		}
		const event = JSON.parse(request.rawBody.toString('utf8')) as IDataObject;
		return { workflowData: [this.helpers.returnJsonArray([{ id: headers['webhook-id'] as string, ...event }])] };
	}
}
