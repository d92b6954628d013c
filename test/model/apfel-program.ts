import { openTiming } from '../../src/model/client.js';
import { findModel } from '../../src/model/find.js';

/** A run that starts apfel and then ends in the way the test says, without closing anything. */
const [path = '', port = '', ending = ''] = process.argv.slice(2);

const found = await findModel({
  baseUrl: undefined,
  modelName: undefined,
  apiKey: undefined,
  allowRemote: false,
  start: true,
  contextWindow: undefined,
  requestTimeoutMs: 5000,
  environment: { PATH: path, APFEL_PORT: port },
  pace: openTiming(Date.now() + 10_000),
  signal: new AbortController().signal,
});

console.log(found.available ? found.model.facts.baseUrl : found.reason);
if (ending === 'throw') throw new Error('a bug');
if (ending === 'wait') setInterval(() => undefined, 1000);
