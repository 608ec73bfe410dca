'use strict';

const address = (bundle) => `${bundle.authData.base_url.replace(/\/+$/, '')}/api/v1`;

/** Every call carries the key. */
const withKey = (request, z, bundle) => {
  if (bundle.authData.api_key) request.headers.Authorization = `Bearer ${bundle.authData.api_key}`;
  return request;
};

/** A refusal reaches people in the API's own words, with the field that is wrong. */
const orExplain = (response, z) => {
  if (response.status < 400) return response;
  if (response.status === 401) throw new z.errors.Error('The API key is wrong, expired or revoked.', 'AuthenticationError', 401);
  if (response.status === 429) throw new z.errors.ThrottledError('Too many calls at once.', Number(response.getHeader('retry-after') || 5));
  let problem = {};
  try {
    problem = JSON.parse(response.content);
  } catch {
    // Not of the API: somebody stands between.
  }
  const [first] = problem.errors || [];
  const told = first ? `${first.field}: ${first.detail}` : problem.detail || `The server answered ${response.status}.`;
  throw new z.errors.Error(told, problem.code || 'Error', response.status);
};

const get = async (z, bundle, path, params) =>
  (await z.request({ url: address(bundle) + path, params, skipThrowForStatus: true })).data;

/** What a Zap does is done once, however often Zapier tries. */
const post = async (z, bundle, path, body, key) => {
  const headers = key ? { 'Idempotency-Key': key } : {};
  return (await z.request({ method: 'POST', url: address(bundle) + path, headers, body, skipThrowForStatus: true })).data;
};

const digits = (phone) => String(phone || '').replace(/[^0-9]/g, '');

/** The same order, step and phone are one deed; another text under it is refused by the API in words. */
const onceFor = (z, bundle, path) => {
  const { once, phone } = bundle.inputData;
  return once ? `zapier-${z.hash('sha256', JSON.stringify([path, digits(phone), once]))}` : undefined;
};

module.exports = { address, withKey, orExplain, get, post, digits, onceFor };
