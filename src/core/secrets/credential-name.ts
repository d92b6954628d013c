/**
 * What the name of a setting says about its value: that a person chose it as a password, that a
 * machine drew it, or (undefined) that it is no credential.
 */
export function credentialName(name: string): 'password' | 'drawn' | undefined {
  const words = wordsOf(name);
  while (words.length > 1 && NEUTRAL_ENDS.test(words.at(-1) ?? '')) words.pop();
  if (words.some(word => NOT_SECRET.has(word))) return undefined;
  const last = words.at(-1) ?? '';
  if (PASSWORD.test(last)) return 'password';
  if (DRAWN.test(last)) return 'drawn';
  if (last !== 'key') return undefined;
  const owner = words.at(-2) ?? '';
  return KEY_QUALIFIERS.has(owner) || SERVICES.has(owner) ? 'drawn' : undefined;
}

/** `AWS_SECRET_ACCESS_KEY`, `awsSecretAccessKey` and `aws-secret.access-key` are the same words. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '');

const NEUTRAL_ENDS =
  /^(?:[0-9]+|v[0-9]|value|string|str|default|prod|production|dev|live|staging|base64|b64|env|raw|plain|text|here)$/;

const PASSWORD = /(?:password|passwd|passphrase|passcode|pwd)$/;

const DRAWN =
  /(?:token|secret|credentials?|creds|apikey|accesskey|secretkey|privatekey|authkey|signingkey|encryptionkey)$|^auth$/;

/** Which key is a secret; a sort key, a foreign key or a public key is not. */
const KEY_QUALIFIERS: ReadonlySet<string> = new Set(
  `api access secret private auth encryption encrypt signing master account storage subscription
  service license licence admin client session webhook deploy shared consumer security cipher hmac
  jwt aes app application integration write user developer`.split(/\s+/),
);

/** Where one of these stands in the name, the value is public or invented. */
const NOT_SECRET: ReadonlySet<string> = new Set(
  `public pub publishable csrf xsrf antiforgery page next continuation cursor cancellation cancel
  hash sha sha1 sha256 digest checksum integrity commit revision rev version placeholder example
  sample dummy fake mock invalid wrong foreign primary sort partition cache`.split(/\s+/),
);

/** Services whose key is named after them alone, as in `HEROKU_KEY`. */
const SERVICES: ReadonlySet<string> = new Set(
  `adafruit adobe airtable algolia alibaba artifactory asana atlassian bintray bitbucket bittrex
  cloudflare codecov cohere coinbase confluence confluent contentful datadog discord droneci
  dropbox etsy facebook fastly finicity finnhub flickr freshbooks gitter gocardless heroku hubspot
  intercom jfrog jira kraken kucoin launchdarkly linear linkedin lob looker mailchimp mailgun mapbox
  mattermost meraki messagebird netlify newrelic nytimes okta plaid privateai rapidapi sendbird
  sentry snyk sonar sourcegraph squarespace sumologic telegram travis twitch twitter
  typeform yandex zendesk`.split(/\s+/),
);
