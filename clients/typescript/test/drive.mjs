// The package as people install it, against the running server: `node drive.mjs URL FLAKY_URL KEY SECRET`.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { ApiError, NoAnswer, readWebhook, Tablegram, WrongSignature } from "tablegram-client";

const [url, flaky, apiKey] = process.argv.slice(2);
const phone = "905551112299";

const shaky = new Tablegram({ baseUrl: flaky, apiKey, firstWaitMs: 10 });
assert.equal((await shaky.sendText({ phone, message: "Once" })).status, "success");

const tablegram = new Tablegram({ baseUrl: url, apiKey, firstWaitMs: 10 });
const twice = [];
for (let n = 0; n < 2; n += 1) twice.push(await tablegram.sendText({ phone, message: "Keyed" }, { idempotencyKey: "order-1042", wait: false }));
assert.equal(twice[0].message_id, twice[1].message_id);
const file = new TextEncoder().encode("%PDF-1.4\n%%EOF\n");
const upload = await tablegram.uploadMedia(file, { filename: "menu.pdf" });
assert.deepEqual(await tablegram.getMedia(upload.id), file);
const texts = [];
for await (const one of tablegram.iterateMessages({ direction: "out" })) texts.push(one.text);
assert.deepEqual(texts.sort(), ["Keyed", "Once"]);
const contact = await tablegram.createContact({ phone: "905551112300", name: "Elif" });
assert.deepEqual((await tablegram.updateContact(contact.id, { tags: ["regular"] })).tags, ["regular"]);
assert.equal(await tablegram.deleteWebhook((await tablegram.createWebhook({ url: "https://example.com/hook", events: ["messages.upsert"] })).id), undefined);
await assert.rejects(tablegram.sendText({ phone: "+90 555", message: "Hello" }), (error) => error instanceof ApiError && error.status === 422 && error.errors[0].field === "phone");
await assert.rejects(tablegram.getContact("../me"), (error) => error instanceof ApiError && error.status === 404);
await assert.rejects(new Tablegram({ baseUrl: "http://127.0.0.1:1", apiKey, retries: 1, firstWaitMs: 1 }).getMe(), NoAnswer);

const key = Buffer.from("0123456789abcdef0123456789abcdef");
const body = '{"event":"messages.upsert","id":"evt_1"}';
const nowS = 1_800_000_000;
const signature = "v1," + createHmac("sha256", key).update(`evt_1.${nowS}.${body}`).digest("base64");
const headers = { "Webhook-Id": "evt_1", "Webhook-Timestamp": String(nowS), "Webhook-Signature": `v1,AAAA ${signature}` };
const good = { secret: `whsec_${key.toString("base64")}`, headers, body, nowS };
assert.equal((await readWebhook(good)).event, "messages.upsert");
for (const wrong of [{ secret: "whsec_" }, { secret: "whsec_AAAA" }, { secret: "" }, { body: body + " " }, { headers: {} }, { nowS: nowS + 301 }, { headers: { ...headers, "Webhook-Id": "evt_2" } }, { headers: { ...headers, "Webhook-Signature": "" } }]) {
  await assert.rejects(readWebhook({ ...good, ...wrong }), WrongSignature);
}
console.log("driven");
