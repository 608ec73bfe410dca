// Signatures of webhooks, as Standard Webhooks defines them.
import { WrongSignature } from "./errors.js";

export interface WebhookEvent {
  event: string;
  [name: string]: unknown;
}

interface Delivery {
  secret: string;
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The bytes as they came, before anything has parsed them. */
  body: Uint8Array | string;
  toleranceS?: number;
  nowS?: number;
}

/** The event in a delivery, its signature proven. Throws `WrongSignature`. */
export async function readWebhook({ secret, headers, body, toleranceS = 300, nowS = Date.now() / 1000 }: Delivery): Promise<WebhookEvent> {
  const given = headers instanceof Headers ? headers : new Headers(flat(headers));
  const id = given.get("webhook-id");
  const timestamp = Number(given.get("webhook-timestamp") || "none");
  const signatures = given.get("webhook-signature")?.split(" ") ?? [];
  if (!id || !Number.isInteger(timestamp) || !signatures.length) throw new WrongSignature("The request has no signature of a webhook.");
  if (Math.abs(nowS - timestamp) > toleranceS) throw new WrongSignature("The delivery is too old, or a clock is wrong.");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const key = await keyOf(secret);
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  for (const one of signatures) {
    const [version, text] = one.split(",");
    const claimed = version === "v1" && text ? decoded(text) : null;
    // The comparison is the platform's own, which takes as long for a near miss.
    if (claimed && (await crypto.subtle.verify("HMAC", key, claimed, signed))) return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
  }
  throw new WrongSignature("The signature does not fit the body.");
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = decoded(secret.replace(/^whsec_/, ""));
  if (!bytes?.length) throw new WrongSignature("The secret is empty, or none of a webhook.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function decoded(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function flat(headers: Record<string, string | string[] | undefined>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(", ")] as [string, string]]));
}
