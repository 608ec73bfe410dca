import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	IWebhookFunctions,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

type Caller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

export interface Call {
	method: IHttpRequestMethods;
	path: string;
	body?: IDataObject;
	query?: IDataObject;
	/** The same key is done once, however often a run is tried again. */
	key?: string;
}

/** One call of the API. A refusal is shown in the words that the API has for people. */
export async function call(caller: Caller, { method, path, body, query, key }: Call): Promise<IDataObject> {
	const { baseUrl } = await caller.getCredentials('tablegramApi');
	const headers: IDataObject = { Accept: 'application/json' };
	if (key) headers['Idempotency-Key'] = key;
	try {
		return (await caller.helpers.httpRequestWithAuthentication.call(caller, 'tablegramApi', {
			method,
			url: `${String(baseUrl).replace(/\/+$/, '')}/api/v1${path}`,
			headers,
			qs: query,
			body,
			json: true,
		})) as IDataObject;
	} catch (error) {
		throw new NodeApiError(caller.getNode(), error as JsonObject, { message: told(error) });
	}
}

/** Every item of a list, page by page. */
export async function list(caller: Caller, path: string, most: number, query: IDataObject = {}): Promise<IDataObject[]> {
	const found: IDataObject[] = [];
	let cursor: string | undefined;
	do {
		const page = await call(caller, { method: 'GET', path, query: { ...query, limit: Math.min(most - found.length, 100), cursor } });
		found.push(...(page.data as IDataObject[]));
		cursor = (page.next_cursor as string | null) ?? undefined;
	} while (cursor && found.length < most);
	return found;
}

function told(error: unknown): string | undefined {
	const { response, context } = error as { response?: { data?: unknown; body?: unknown }; context?: { data?: unknown } };
	const problem = (response?.data ?? response?.body ?? context?.data) as IDataObject | undefined;
	if (!problem || typeof problem.detail !== 'string') return undefined;
	const [first] = (problem.errors as IDataObject[] | undefined) ?? [];
	return first ? `${String(first.field)}: ${String(first.detail)}` : problem.detail;
}
