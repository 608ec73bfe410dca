// How a call is made: one HTTP request, and again where that is safe.
import { ApiError, NoAnswer, type Problem } from "./errors.js";

const VERSION = "1.4.0";
// Nothing was done yet, whatever was asked for.
const NOT_DONE = [408, 429, 503];
// Something between here and there is in trouble: whether it was done is not known.
const NOT_KNOWN = [500, 502, 504];

export interface Options {
  /** Where the server is: `https://gateway.example.com`. */
  baseUrl: string;
  apiKey: string;
  timeoutMs?: number;
  /** How often a call is made again. */
  retries?: number;
  firstWaitMs?: number;
  /** Who is told to wait for longer than this is told so by the error. */
  longestWaitMs?: number;
  fetch?: typeof fetch;
}

/** Of calls that make something. */
export interface Keyed {
  /** The same key makes the same thing once, for 24 hours. Each call has one of its own where you give none. */
  idempotencyKey?: string;
}

/** Of calls that send. */
export interface Answered extends Keyed {
  /** False: answer as soon as the message is stored, without waiting for the network. */
  wait?: boolean;
}

interface Wish {
  method: string;
  path: string;
  query?: Record<string, unknown>;
  body?: unknown;
  content?: Uint8Array;
  options?: Answered;
  raw?: boolean;
}

/** A part of a path, whatever is in it. */
export function part(value: string | number): string {
  return encodeURIComponent(String(value));
}

export class Transport {
  readonly #root: string;
  readonly #options: Required<Omit<Options, "baseUrl">>;

  constructor({ baseUrl, apiKey, timeoutMs = 30_000, retries = 4, firstWaitMs = 500, longestWaitMs = 30_000, fetch: fetches = fetch }: Options) {
    if (!apiKey) throw new TypeError("apiKey is empty.");
    const root = baseUrl.replace(/\/+$/, "");
    this.#root = root.endsWith("/api/v1") ? root : `${root}/api/v1`;
    this.#options = { apiKey, timeoutMs, retries, firstWaitMs, longestWaitMs, fetch: fetches };
  }

  protected async request<Answer>(wish: Wish): Promise<Answer> {
    const address = new URL(this.#root + wish.path);
    for (const [name, value] of Object.entries(wish.query ?? {})) {
      if (value !== undefined && value !== null) address.searchParams.set(name, String(value));
    }
    const sent = this.#prepare(wish);
    for (let number = 0; ; number += 1) {
      let answer: Response;
      try {
        answer = await this.#options.fetch(address, { ...sent, signal: AbortSignal.timeout(this.#options.timeoutMs) });
      } catch (error) {
        if (number >= this.#options.retries || !repeatable(wish)) throw new NoAnswer(`${wish.method} ${wish.path}: ${String(error)}`, { cause: error });
        await this.#rest(number, 0);
        continue;
      }
      if (answer.ok) return (await this.#read(wish, answer)) as Answer;
      const problem = await problemOf(answer);
      const waitMs = Number(answer.headers.get("Retry-After") ?? 0) * 1000 || 0;
      const again = NOT_DONE.includes(answer.status) || problem.code === "idempotency_in_flight" || (NOT_KNOWN.includes(answer.status) && repeatable(wish));
      if (!again || number >= this.#options.retries || waitMs > this.#options.longestWaitMs) throw new ApiError(answer.status, problem);
      await this.#rest(number, waitMs);
    }
  }

  protected async *pages<Entry>(path: string, query: Record<string, unknown>): AsyncGenerator<Entry> {
    let cursor: string | null | undefined;
    do {
      const page: { data: Entry[]; next_cursor: string | null } = await this.request({ method: "GET", path, query: { ...query, cursor } });
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  #prepare(wish: Wish): RequestInit {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#options.apiKey}`, "User-Agent": `tablegram-typescript/${VERSION}` };
    if (wish.method === "POST") headers["Idempotency-Key"] = wish.options?.idempotencyKey ?? crypto.randomUUID();
    if (wish.options?.wait === false) headers["Prefer"] = "respond-async";
    let body: BodyInit | undefined;
    if (wish.content) {
      headers["Content-Type"] = "application/octet-stream";
      body = wish.content as BodyInit;
    } else if (wish.body !== undefined) {
      headers["Content-Type"] = "application/json";
      body = JSON.stringify(wish.body);
    }
    return { method: wish.method, headers, ...(body === undefined ? {} : { body }) };
  }

  async #read(wish: Wish, answer: Response): Promise<unknown> {
    if (wish.raw) return new Uint8Array(await answer.arrayBuffer());
    const text = await answer.text();
    return text ? JSON.parse(text) : undefined;
  }

  #rest(number: number, askedMs: number): Promise<void> {
    const waitMs = Math.max(askedMs, this.#options.firstWaitMs * 2 ** number * (0.5 + Math.random() / 2));
    return new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

// A change that is made twice may meet what the first one did; only what has a key, or asks, is surely safe.
function repeatable(wish: Wish): boolean {
  return wish.method === "GET" || wish.method === "POST";
}

async function problemOf(answer: Response): Promise<Problem> {
  const text = await answer.text();
  try {
    return JSON.parse(text) as Problem;
  } catch {
    // Something in between answered: a proxy, a wrong address.
    return { detail: text.slice(0, 200) || answer.statusText };
  }
}
