import { ALNUM, BASE64, family, HEX, URL_SAFE, UUID } from './token-formats.js';

/** Clouds, hosting and databases. */
export const cloud = [
  family('aws-access-key', 'an AWS access key id', [
    { prefix: 'AKIA', body: '[A-Z0-9]{16}' },
    // Without a digit it is more likely a word, such as a constant that begins with ASIA.
    { prefix: ['ASIA', 'ABIA', 'ACCA'], body: '(?=[A-Z]{0,15}[0-9])[A-Z0-9]{16}' },
    { prefix: 'A3T', body: '[A-Z0-9]{17}' },
  ]),
  family('aws-secret-key', 'an AWS secret access key', [
    {
      prefix: [
        'aws_secret_access_key',
        'secret_access_key',
        'awssecretaccesskey',
        'secretaccesskey',
      ],
      lead: `["']?\\]?[ \\t]{0,8}[:=>,]{1,3}[ \\t]{0,8}["'\`]?`,
      body: `${BASE64}{40}(?![+/=])`,
      isAnyCase: true,
      entropy: 4,
    },
  ]),
  family('aws-bedrock-key', 'an Amazon Bedrock API key', [
    { prefix: 'ABSK', body: `${BASE64}{109}`, tail: BASE64, entropy: 3.5 },
    // The text after the prefix is the base64 of "bedrock.amazonaws.com", then the key.
    { prefix: 'bedrock-api-key-', body: 'YmVkcm9jay5hbWF6b25hd3MuY29t', tail: BASE64 },
  ]),
  family('amazon-mws-token', 'an Amazon Marketplace token', [{ prefix: 'amzn.mws.', body: UUID }]),
  family('google-api-key', 'a Google API key', [
    { prefix: 'AIza', body: `${URL_SAFE}{35}(?!-)`, entropy: 3.5 },
  ]),
  family('google-oauth-secret', 'a Google OAuth secret', [
    { prefix: 'GOCSPX-', body: `${URL_SAFE}{28}`, entropy: 3 },
    { prefix: 'ya29.', body: `${URL_SAFE}{40}`, tail: '[\\w.-]', entropy: 3.5 },
  ]),
  family('azure-client-secret', 'a Microsoft Entra client secret', [
    {
      prefix: ['0Q~', '1Q~', '2Q~', '3Q~', '4Q~', '5Q~', '6Q~', '7Q~', '8Q~', '9Q~'],
      before: { source: '(?<![~.,-])[A-Za-z0-9_~.]{3}', length: 3 },
      body: '[A-Za-z0-9_~.-]{31,34}',
      entropy: 3.2,
      mustStandAlone: true,
    },
  ]),
  family('azure-account-key', 'an Azure account key', [
    { prefix: 'AccountKey=', lead: '', body: `${BASE64}{86}==`, entropy: 4 },
    { prefix: 'SharedAccessKey=', lead: '', body: `${BASE64}{43}=`, entropy: 4 },
  ]),
  family('alibaba-access-key', 'an Alibaba Cloud access key id', [
    { prefix: 'LTAI', body: `${ALNUM}{12,20}`, mustStandAlone: true },
  ]),
  family('tencent-secret-id', 'a Tencent Cloud secret id', [
    { prefix: 'AKID', body: `${ALNUM}{32}`, entropy: 3.5 },
  ]),
  family('yandex-token', 'a Yandex Cloud credential', [
    { prefix: 'AQVN', body: `${URL_SAFE}{35,38}`, entropy: 3.5 },
    { prefix: 't1.', body: `${URL_SAFE}{1,600}={0,2}\\.${URL_SAFE}{86}={0,2}`, entropy: 4 },
  ]),
  family('digitalocean-token', 'a DigitalOcean token', [
    { prefix: ['dop_v1_', 'doo_v1_', 'dor_v1_'], body: `${HEX}{64}`, isAnyCase: true },
  ]),
  family('databricks-token', 'a Databricks token', [
    { prefix: 'dapi', body: `${HEX}{32}(?:-[0-9])?` },
  ]),
  family('cloudflare-key', 'a Cloudflare origin CA key', [
    { prefix: 'v1.0-', body: `${HEX}{24}-${HEX}{146}` },
  ]),
  family('fly-token', 'a Fly.io token', [
    { prefix: 'fo1_', body: `${URL_SAFE}{43}`, entropy: 3.5 },
    { prefix: ['fm1a_', 'fm1r_', 'fm2_'], body: `${BASE64}{100}`, tail: BASE64, entropy: 3.5 },
  ]),
  family('heroku-key', 'a Heroku API key', [
    { prefix: 'HRKU-', body: `AA${URL_SAFE}{58}`, entropy: 3.5 },
  ]),
  family('scalingo-token', 'a Scalingo token', [
    { prefix: 'tk-us-', body: `${URL_SAFE}{48}`, entropy: 3 },
  ]),
  family('netlify-token', 'a Netlify token', [
    { prefix: 'nfp_', body: `${ALNUM}{36}`, entropy: 3 },
  ]),
  family('supabase-token', 'a Supabase token', [{ prefix: 'sbp_', body: `${HEX}{40}` }]),
  family('planetscale-token', 'a PlanetScale credential', [
    {
      prefix: ['pscale_tkn_', 'pscale_oauth_', 'pscale_pw_'],
      body: '[A-Za-z0-9_=.-]{32,64}',
      isAnyCase: true,
      entropy: 3,
    },
  ]),
  family('clickhouse-key', 'a ClickHouse Cloud secret key', [
    { prefix: '4b1d', body: `${ALNUM}{38}`, entropy: 3.5 },
  ]),
  family('openshift-token', 'an OpenShift token', [
    { prefix: 'sha256~', body: `${URL_SAFE}{43}(?!-)`, entropy: 3.5 },
  ]),
];
