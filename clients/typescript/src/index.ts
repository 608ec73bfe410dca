// Client for the Tablegram API.
export { Calls as Tablegram } from "./calls.js";
export { ApiError, NoAnswer, TablegramError, WrongSignature } from "./errors.js";
export type { FieldError, Problem } from "./errors.js";
export type { Answered, Keyed, Options } from "./transport.js";
export { readWebhook } from "./webhooks.js";
export type { WebhookEvent } from "./webhooks.js";
export type * from "./types.js";
