import type { DoctorFacts, ModelFact, ServerFact } from '../../src/doctor/facts.js';

type FoundModelFact = Extract<ModelFact, { kind: 'found' }>;
type AnsweringFact = Exclude<ServerFact, { kind: 'refused' }>;

export const SERVER: AnsweringFact = {
  kind: 'apfel',
  baseUrl: 'http://127.0.0.1:11434/v1',
  isNamed: false,
  isLocal: true,
  version: '1.8.4',
  mayStart: true,
  isKept: false,
};

export const MODEL: FoundModelFact = {
  kind: 'found',
  name: 'apple-foundationmodel',
  isApfel: true,
  contextWindow: 4096,
  isWindowAssumed: false,
  mayRunTools: false,
  languages: ['de', 'en', 'pt'],
  schema: 'honoured',
  reply: { kind: 'answered', ms: 1234 },
  calibrated: 'guided',
};

/** A Mac on which everything is as it should be. */
export const FACTS: DoctorFacts = {
  platform: 'darwin',
  nodeVersion: '22.12.0',
  git: { kind: 'found', version: '2.39.5 (Apple Git-154)' },
  repository: { kind: 'found', place: '/home/ada/project', isShallow: false },
  config: { kind: 'valid', origin: '.apfel-bot.json', unused: undefined, cannotNotify: false },
  hooks: { message: 'pre-commit runs apfel-bot (.git/hooks)' },
  program: { path: '/opt/homebrew/bin/apfel', version: '1.8.4' },
  server: SERVER,
  model: MODEL,
  tokenShare: 90,
  power: 'mains',
  language: 'de_AT.UTF-8',
  github: { tokenKind: undefined, apiHost: 'api.github.com', token: { kind: 'unasked' } },
  remotes: [
    { name: 'origin', host: 'github.com' },
    { name: 'origin', host: 'github.com' },
    { name: 'backup', host: undefined },
  ],
};
