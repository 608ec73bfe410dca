'use strict';

const platform = require('zapier-platform-core');

const authentication = require('./authentication');
const { orExplain, withKey } = require('./calls');
const creates = require('./creates');
const lists = require('./lists');
const searches = require('./searches');
const triggers = require('./triggers');

const byKey = (all) => Object.fromEntries(all.map((one) => [one.key, one]));

module.exports = {
  version: require('./package.json').version,
  platformVersion: platform.version,
  authentication,
  beforeRequest: [withKey],
  afterResponse: [orExplain],
  triggers: byKey([...triggers, ...lists]),
  creates: byKey(creates),
  searches: byKey(searches),
};
