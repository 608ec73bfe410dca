// Compiled, never run: what a program writes against the types that are made from the document.
import type { components, operations, paths } from "./api";

type Schemas = components["schemas"];

// Only what has to be given is asked for.
export const text: Schemas["SendText"] = { phone: "905551112233", message: "Your table is ready." };
export const later: Schemas["SendText"] = { ...text, send_at: "2030-01-01T18:00:00+03:00", priority: "urgent" };
// @ts-expect-error: a message without its text is none
export const empty: Schemas["SendText"] = { phone: "905551112233" };

// What comes back is known field by field.
export function words(page: Schemas["MessagePage"]): string[] {
  return page.data.map((message) => `${message.direction} ${message.phone}: ${message.text}`);
}
export function why(problem: Schemas["ProblemDocument"]): string {
  return `${problem.status} ${problem.code}: ${problem.detail}`;
}

// Files have a type, in both directions.
type Body = NonNullable<operations["uploadMedia"]["requestBody"]>["content"]["application/octet-stream"];
export const file: Body = "bytes";
export type Sent = paths["/messages/send"]["post"]["responses"]["200"]["content"]["application/json"];
export const id = (sent: Sent): string => sent.message_id;
