import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_S = 300;

/** Whether a delivery was signed with the secret of its endpoint, and not long ago. */
export function isGenuine(secret: string, headers: Record<string, unknown>, body: Buffer, nowS = Date.now() / 1000): boolean {
	const id = headers['webhook-id'];
	const at = Number(headers['webhook-timestamp'] ?? 'none');
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	if (!id || !key.length || !Number.isInteger(at) || Math.abs(nowS - at) > TOLERANCE_S) return false;
	const wanted = createHmac('sha256', key).update(`${String(id)}.${at}.`).update(body).digest();
	return String(headers['webhook-signature'] ?? '')
		.split(' ')
		.some((one) => {
			const [version, text] = one.split(',');
			const claimed = Buffer.from(text ?? '', 'base64');
			return version === 'v1' && claimed.length === wanted.length && timingSafeEqual(claimed, wanted);
		});
}
