import { ALNUM, family, HEX, URL_SAFE } from './token-formats.js';

/** Chat, mail, social networks and documents. */
export const chat = [
  family('slack-token', 'a Slack token', [
    { prefix: 'xoxb-', body: '[0-9]{8,14}-[A-Za-z0-9-]{10,80}', entropy: 2.5 },
    { prefix: ['xoxp-', 'xoxe-'], body: '[0-9]{8,14}(?:-[0-9]{8,14}){2}-[A-Za-z0-9-]{20,40}' },
    { prefix: ['xoxs-', 'xoxo-'], body: '[0-9]{4,14}(?:-[0-9]{4,14}){2}-[0-9A-Fa-f]{8,80}' },
    {
      prefix: ['xoxa-', 'xoxr-'],
      body: '(?:[0-9]-)?[0-9A-Za-z]{8,48}[A-Za-z0-9-]{0,60}',
      entropy: 2,
    },
    { prefix: ['xoxe.xoxp-', 'xoxe.xoxb-'], body: '[0-9]-[0-9A-Za-z]{150,180}', isAnyCase: true },
    { prefix: 'xoxe-', body: '[0-9]-[0-9A-Za-z]{140,160}', isAnyCase: true },
    { prefix: 'xapp-', body: '[0-9]-[A-Z0-9]{6,20}-[0-9]{6,20}-[a-z0-9]{20,100}', isAnyCase: true },
  ]),
  family('slack-webhook', 'a Slack webhook address', [
    {
      prefix: 'hooks.slack.com/',
      lead: '(?:services|workflows|triggers)/',
      body: '[A-Za-z0-9+/]{40,80}',
      entropy: 3,
    },
  ]),
  family('teams-webhook', 'a Microsoft Teams webhook address', [
    {
      prefix: 'webhook.office.com/',
      lead: 'webhookb2/',
      body: '[0-9a-z@-]{60,80}/IncomingWebhook/[0-9a-z]{32}/[0-9a-z-]{36}',
      isAnyCase: true,
    },
  ]),
  family('discord-token', 'a Discord bot token', [
    {
      prefix: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
      lead: '[0-9]{17,20}/',
      body: `${URL_SAFE}{60,72}`,
      entropy: 3.5,
    },
  ]),
  family('telegram-token', 'a Telegram bot token', [
    ...[8, 9, 10].map(length => ({
      prefix: ':AA',
      before: { source: `[0-9]{${length}}`, length },
      body: `${URL_SAFE}{33}(?!-)`,
      entropy: 3.5,
    })),
  ]),
  family('mailchimp-key', 'a Mailchimp API key', [
    {
      prefix: '-us',
      before: { source: `${HEX}{32}`, length: 32 },
      body: '[0-9]{1,2}',
    },
  ]),
  family('mailgun-key', 'a Mailgun API key', [
    { prefix: 'key-', body: `${HEX}{32}`, mustStandAlone: true },
  ]),
  family('sendgrid-key', 'a SendGrid API key', [
    { prefix: 'SG.', body: '[A-Za-z0-9_=.-]{66}', entropy: 3 },
  ]),
  family('brevo-key', 'a Brevo API key', [
    { prefix: ['xkeysib-', 'xsmtpsib-'], body: `${HEX}{64}-${ALNUM}{16}` },
  ]),
  family('twilio-key', 'a Twilio API key', [
    {
      prefix: [...'0123456789abcdefABCDEF'].map(digit => `SK${digit}`),
      body: '[0-9A-Fa-f]{31}',
      entropy: 3,
    },
  ]),
  family('twitter-token', 'a Twitter bearer token', [
    { prefix: 'AAAAAAAAAAAAAAAAAAAAAA', body: '[A-Za-z0-9%]{70,110}', entropy: 3.5 },
  ]),
  family('facebook-token', 'a Facebook access token', [
    { prefix: ['EAAM', 'EAAC'], body: `${ALNUM}{100}`, tail: ALNUM, entropy: 3.5 },
    {
      prefix: 'facebook',
      lead: `[A-Za-z_"'=:>, ]{0,40}`,
      body: `[0-9]{15,16}(?:\\||%7C)${URL_SAFE}{27,40}`,
      isAnyCase: true,
      entropy: 3,
    },
  ]),
  family('notion-token', 'a Notion token', [
    { prefix: 'ntn_', body: `[0-9]{11}${ALNUM}{35}`, entropy: 3.5 },
  ]),
  family('airtable-token', 'an Airtable token', [
    { prefix: 'pat', body: `${ALNUM}{14}\\.${HEX}{64}` },
  ]),
  family('typeform-token', 'a Typeform token', [
    { prefix: 'tfp_', body: '[A-Za-z0-9_.=-]{40,70}', entropy: 3 },
  ]),
  family('figma-token', 'a Figma token', [
    { prefix: 'figd_', body: `${URL_SAFE}{40}`, entropy: 3 },
  ]),
  family('dropbox-token', 'a Dropbox token', [
    { prefix: 'sl.', body: '[A-Za-z0-9_=-]{130,152}', entropy: 3.5 },
  ]),
  family('frameio-token', 'a Frame.io token', [
    { prefix: 'fio-u-', body: '[A-Za-z0-9_=-]{64}', entropy: 3 },
  ]),
  family('adobe-secret', 'an Adobe client secret', [
    { prefix: 'p8e-', body: `${ALNUM}{32}`, mustStandAlone: true },
  ]),
];
