import { ALNUM, ANY_HEX, BASE64, family, HEX, URL_SAFE } from './token-formats.js';

/** Monitoring, maps and other services, and JSON web tokens of anyone. */
export const services = [
  family('sentry-token', 'a Sentry token', [
    { prefix: 'sntryu_', body: `${HEX}{64}` },
    // The text after the prefix is the base64 of `{"iat":`.
    {
      prefix: 'sntrys_',
      body: `eyJpYXQiO${BASE64}{40,400}={0,2}_${BASE64}{43}(?![+/])`,
      entropy: 3.5,
    },
  ]),
  family('grafana-token', 'a Grafana token', [
    { prefix: 'glsa_', body: `${ALNUM}{32}_${ANY_HEX}{8}`, isAnyCase: true },
    { prefix: 'glc_', body: `${BASE64}{32}`, tail: BASE64, entropy: 3.2 },
    // The prefix is the base64 of `{"k":"`.
    { prefix: 'eyJrIjoi', body: `${ALNUM}{60}`, tail: ALNUM, entropy: 3 },
  ]),
  family('new-relic-key', 'a New Relic key', [
    { prefix: 'NRAK-', body: '[A-Z0-9]{27}', isAnyCase: true, mustStandAlone: true },
    { prefix: 'NRII-', body: '[A-Z0-9_-]{32}', isAnyCase: true, mustStandAlone: true },
    { prefix: 'NRJS-', body: `${HEX}{19}`, isAnyCase: true, mustStandAlone: true },
  ]),
  family('dynatrace-token', 'a Dynatrace token', [
    { prefix: ['dt0c01.', 'dt0s01.', 'dt0s02.'], body: `${ALNUM}{24}\\.${ALNUM}{64}`, entropy: 3 },
  ]),
  family('posthog-key', 'a PostHog personal key', [
    { prefix: 'phx_', body: `${ALNUM}{40,60}`, entropy: 3.5 },
  ]),
  family('mapbox-token', 'a Mapbox token', [
    { prefix: ['pk.', 'sk.'], body: `${ALNUM}{60,130}\\.${URL_SAFE}{22}`, entropy: 3.5 },
  ]),
  family('maxmind-key', 'a MaxMind licence key', [
    {
      prefix: '_mmk',
      before: { source: `${ALNUM}{6}_${ALNUM}{29}`, length: 36 },
      body: '',
      entropy: 3.5,
    },
  ]),
  family('settlemint-token', 'a SettleMint token', [
    { prefix: ['sm_aat_', 'sm_pat_', 'sm_sat_'], body: `${ALNUM}{16}` },
  ]),
  family('intra42-secret', 'a 42 intra client secret', [
    { prefix: ['s-s4t2ud-', 's-s4t2af-'], body: `${HEX}{64}` },
  ]),
  family('json-web-token', 'a JSON web token', [
    {
      prefix: 'eyJ',
      body: `${ALNUM}{14,4000}={0,2}\\.eyJ${URL_SAFE}{8}`,
      tail: '[\\w.-]',
      entropy: 3.2,
    },
    // The prefix is the base64 of `eyJ`: a token that was encoded once more.
    { prefix: 'ZXlK', body: `${BASE64}{80}`, tail: BASE64, entropy: 3.2 },
  ]),
];
