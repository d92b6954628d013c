import { ALNUM, BASE64, family, HEX, URL_SAFE } from './token-formats.js';

/** Password managers, secret stores, infrastructure tools and private networks. */
export const vaults = [
  family('vault-token', 'a HashiCorp Vault token', [
    { prefix: 'hvs.', body: `${URL_SAFE}{90,120}`, entropy: 3.5 },
    { prefix: 'hvb.', body: `${URL_SAFE}{138,300}`, entropy: 3.5 },
  ]),
  family('terraform-token', 'a Terraform Cloud token', [
    {
      prefix: '.atlasv1.',
      before: { source: `${ALNUM}{14}`, length: 14 },
      body: '[A-Za-z0-9_=-]{60,70}',
      entropy: 3.5,
    },
  ]),
  family('pulumi-token', 'a Pulumi token', [
    { prefix: 'pul-', body: `${HEX}{40}`, mustStandAlone: true },
  ]),
  family('doppler-token', 'a Doppler token', [
    { prefix: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'], body: `${ALNUM}{40,44}`, entropy: 3 },
  ]),
  family('infracost-key', 'an Infracost key', [
    { prefix: 'ico-', body: `${ALNUM}{32}`, mustStandAlone: true, entropy: 3 },
  ]),
  family('tailscale-key', 'a Tailscale key', [
    { prefix: 'tskey-', body: `[a-z]{3,10}-${ALNUM}{10,20}-${ALNUM}{20,40}`, entropy: 3 },
  ]),
  family('defined-networking-key', 'a Defined Networking key', [
    { prefix: 'dnkey-', body: '[A-Za-z0-9_=-]{26}-[A-Za-z0-9_=-]{52}', entropy: 3 },
  ]),
  family('onepassword-secret', 'a 1Password secret', [
    {
      prefix: 'A3-',
      body: '[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3}',
      entropy: 3.2,
    },
    { prefix: 'ops_eyJ', body: `${BASE64}{250}`, tail: BASE64, entropy: 3.8 },
  ]),
  // The alphabet of Bech32; the entropy is left alone because the checksum form is so strict.
  family('age-key', 'an age identity', [
    { prefix: 'AGE-SECRET-KEY-1', body: '[02-9AC-HJ-NP-Z]{58}', entropy: 0 },
  ]),
  family('authress-key', 'an Authress service key', [
    {
      prefix: ['sc_', 'ext_', 'scauth_', 'authress_'],
      body: `${ALNUM}{5,30}\\.${ALNUM}{4,6}\\.acc[_-][A-Za-z0-9-]{10,32}\\.[\\w+/=-]{30,120}`,
      entropy: 3,
    },
  ]),
  family('postman-key', 'a Postman API key', [
    { prefix: 'PMAK-', body: '[0-9A-Fa-f]{24}-[0-9A-Fa-f]{34}' },
  ]),
  family('octopus-key', 'an Octopus Deploy API key', [
    { prefix: 'API-', body: '[A-Z0-9]{26}', mustStandAlone: true, entropy: 3 },
  ]),
  family('harness-key', 'a Harness API key', [
    {
      prefix: ['pat.', 'sat.'],
      body: `${URL_SAFE}{22}\\.${ALNUM}{24}\\.${ALNUM}{20}`,
      entropy: 3,
    },
  ]),
  family('prefect-key', 'a Prefect API key', [{ prefix: ['pnu_', 'pnb_'], body: `${ALNUM}{36}` }]),
  family('sidekiq-credential', 'a Sidekiq licence credential', [
    {
      prefix: ['BUNDLE_ENTERPRISE__CONTRIBSYS__COM', 'BUNDLE_GEMS__CONTRIBSYS__COM'],
      lead: `\\w{0,10}["']{0,2}[ \\t]{0,4}[:=>,.?]{1,4}[ \\t]{0,4}["'\`]{0,2}`,
      body: `${HEX}{8}:${HEX}{8}`,
      isAnyCase: true,
      entropy: 2,
    },
    {
      prefix: ['@gems.contribsys.com', '@enterprise.contribsys.com'],
      before: { source: `${HEX}{8}:${HEX}{8}`, length: 17 },
      body: '',
      isAnyCase: true,
    },
  ]),
];
