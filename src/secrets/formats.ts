import { type Proof, routableChecksum, tokenChecksum, webTokenProof } from './placeholder.js';

/** One row of the table: a family of tokens that share an issuer and what to do when one leaks. */
type Row = readonly [
  /** The rule is `secret/<kind>`. */
  kind: string,
  /** As it reads after "This looks like". */
  name: string,
  ...shapes: TokenShape[],
];

export interface TokenShape {
  /** Literal text of at least three characters that each token has; the search starts from it. */
  readonly prefix: string | readonly string[];
  /** What follows the prefix, as the source of a regular expression with bounded repeats. */
  readonly body: string;
  /** What precedes the literal text if it isn't at the start of the token; of fixed length. */
  readonly before?: { readonly source: string; readonly length: number };
  /** Set if the prefix is public (a host, a parameter): what comes between it and the secret. */
  readonly lead?: string;
  /** The prefix may be in either case. */
  readonly isAnyCase?: boolean;
  /** For tokens of any length: the characters that may follow the body. */
  readonly tail?: string;
  /**
   * For weak prefixes: the token must end at a quote, a blank, a bracket or the end of the line.
   */
  readonly mustStandAlone?: boolean;
  /** Other text has this form too, so a match isn't certain. */
  readonly isWeak?: boolean;
  /** What a checksum or the decoded content says about a match. */
  readonly proof?: (token: string) => Proof;
  /**
   * Minimum entropy of the body in bits per character. Random text comes close to log2 of its
   * alphabet.
   */
  readonly entropy?: number;
}

const ALNUM = '[A-Za-z0-9]';
const HEX = '[0-9a-f]';
const ANY_HEX = '[0-9A-Fa-f]';
const URL_SAFE = '[A-Za-z0-9_-]';
export const BASE64 = '[A-Za-z0-9+/]';
const UUID = `${ANY_HEX}{8}-${ANY_HEX}{4}-${ANY_HEX}{4}-${ANY_HEX}{4}-${ANY_HEX}{12}`;

const DISCORD = `[MNO][DTjz][AEIMQUYcgk]${URL_SAFE}{20,26}\\.${URL_SAFE}{6}\\.${URL_SAFE}{27,40}`;

/** Where two shapes match the same text, the earlier row wins. */
// biome-ignore format: one line per shape reads as a table.
const TABLE: readonly Row[] = [
  // Clouds, hosting and databases.
  ['aws-access-key', 'an AWS access key id',
    { prefix: 'AKIA', body: '[A-Z0-9]{16}' },
    // Without a digit it's more likely a word, such as a constant that starts with ASIA.
    { prefix: ['ASIA', 'ABIA', 'ACCA'], body: '(?=[A-Z]{0,15}[0-9])[A-Z0-9]{16}' },
    { prefix: 'A3T', body: '[A-Z0-9]{17}' }],
  ['aws-secret-key', 'an AWS secret access key',
    { prefix: ['aws_secret_access_key', 'secret_access_key', 'awssecretaccesskey', 'secretaccesskey'], lead: `["']?\\]?[ \\t]{0,8}[:=>,]{1,3}[ \\t]{0,8}["'\`]?`, body: `${BASE64}{40}(?![+/=])`, isAnyCase: true, entropy: 4 }],
  ['aws-bedrock-key', 'an Amazon Bedrock API key',
    // The text after the prefix is the base64 of "BedrockAPIKey".
    { prefix: 'ABSKQmVkcm9ja0FQSUtleS', body: `${BASE64}{20}`, tail: BASE64, entropy: 3.5 },
    { prefix: 'ABSK', body: `${BASE64}{109}`, tail: BASE64, entropy: 3.5 },
    // The text after the prefix is the base64 of "bedrock.amazonaws.com", then the key.
    { prefix: 'bedrock-api-key-', body: 'YmVkcm9jay5hbWF6b25hd3MuY29t', tail: BASE64 }],
  ['amazon-mws-token', 'an Amazon Marketplace token', { prefix: 'amzn.mws.', body: UUID }],
  ['aws-appsync-key', 'an AWS AppSync key', { prefix: 'da2-', body: '[a-z0-9]{26}', mustStandAlone: true }],
  ['google-api-key', 'a Google API key', { prefix: 'AIza', body: `${URL_SAFE}{35}(?!-)`, entropy: 3.5 }],
  ['google-oauth-secret', 'a Google OAuth secret',
    { prefix: 'GOCSPX-', body: `${URL_SAFE}{28}`, entropy: 3 },
    { prefix: 'ya29.', body: `${URL_SAFE}{40}`, tail: '[\\w.-]', entropy: 3.5 }],
  ['firebase-server-key', 'a Firebase server key',
    { prefix: ':APA91b', before: { source: `AAAA${URL_SAFE}{7}`, length: 11 }, body: `${URL_SAFE}{134}`, entropy: 3.5 }],
  ['azure-client-secret', 'a Microsoft Entra client secret',
    { prefix: ['0Q~', '1Q~', '2Q~', '3Q~', '4Q~', '5Q~', '6Q~', '7Q~', '8Q~', '9Q~'], before: { source: '(?<![~.,-])[A-Za-z0-9_~.]{3}', length: 3 }, body: '[A-Za-z0-9_~.-]{31,34}', entropy: 3.2, mustStandAlone: true }],
  ['azure-account-key', 'an Azure account key',
    { prefix: 'AccountKey=', lead: '', body: `${BASE64}{86}==`, entropy: 4 },
    { prefix: 'SharedAccessKey=', lead: '', body: `${BASE64}{43}=`, entropy: 4 },
    // Keys that Azure marks as its own at a fixed place.
    { prefix: 'JQQJ99', before: { source: `${ALNUM}{52}`, length: 52 }, body: `${ALNUM}{26}`, entropy: 3.5 },
    { prefix: 'AzFu', before: { source: `${URL_SAFE}{44}`, length: 44 }, body: `${URL_SAFE}{5,6}==`, entropy: 3.5 },
    { prefix: '+ACR', before: { source: `${BASE64}{42}`, length: 42 }, body: `[A-D]${BASE64}{5}`, entropy: 3.5 },
    { prefix: 'AzSe', before: { source: `${ALNUM}{42}`, length: 42 }, body: `[A-D]${ALNUM}{5}`, entropy: 3.5 },
    { prefix: ['ACDb', 'APIM'], before: { source: `${BASE64}{76}`, length: 76 }, body: `${BASE64}{4,6}==`, entropy: 3.5 }],
  ['azure-sas', 'an Azure shared access signature',
    { prefix: 'sig=', lead: '', body: '[A-Za-z0-9%+/]{42,70}(?:%3D|=)', entropy: 3.5 }],
  ['azure-devops-token', 'an Azure DevOps token',
    { prefix: 'AZDO', before: { source: `${ALNUM}{76}`, length: 76 }, body: `${ALNUM}{4}`, entropy: 3.5 }],
  ['alibaba-access-key', 'an Alibaba Cloud access key id',
    { prefix: 'LTAI', body: `${ALNUM}{12,20}`, mustStandAlone: true, isWeak: true }],
  ['tencent-secret-id', 'a Tencent Cloud secret id', { prefix: 'AKID', body: `${ALNUM}{32}`, entropy: 3.5 }],
  ['yandex-token', 'a Yandex Cloud credential',
    { prefix: 'AQVN', body: `${URL_SAFE}{35,38}`, entropy: 3.5 },
    { prefix: 't1.', body: `${URL_SAFE}{1,600}={0,2}\\.${URL_SAFE}{86}={0,2}`, entropy: 4 }],
  ['digitalocean-token', 'a DigitalOcean token',
    { prefix: ['dop_v1_', 'doo_v1_', 'dor_v1_'], body: `${HEX}{64}`, isAnyCase: true }],
  ['databricks-token', 'a Databricks token', { prefix: 'dapi', body: `${ANY_HEX}{32}(?:-[0-9])?` }],
  ['cloudflare-key', 'a Cloudflare origin CA key', { prefix: 'v1.0-', body: `${HEX}{24}-${HEX}{146}` }],
  ['cloudflare-token', 'a Cloudflare API token',
    { prefix: ['cfut_', 'cfat_', 'cfk_'], body: `${ALNUM}{40}${HEX}{8}`, entropy: 3.5 }],
  ['vercel-token', 'a Vercel token',
    { prefix: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], body: `${ALNUM}{24,80}`, entropy: 3.5 },
    { prefix: 'vercel_blob_rw_', body: `${ALNUM}{16}_${ALNUM}{30,40}`, entropy: 3 }],
  ['render-key', 'a Render API key', { prefix: 'rnd_', body: `${ALNUM}{28,32}`, mustStandAlone: true, entropy: 3.5 }],
  ['neon-credential', 'a Neon credential',
    { prefix: 'napi_', body: '[a-z0-9]{64}', entropy: 3.5 },
    { prefix: 'npg_', body: `${ALNUM}{12}` }],
  ['fly-token', 'a Fly.io token',
    { prefix: 'fo1_', body: `${URL_SAFE}{43}`, entropy: 3.5 },
    { prefix: ['fm1a_', 'fm1r_', 'fm2_'], body: `${BASE64}{100}`, tail: BASE64, entropy: 3.5 }],
  ['heroku-key', 'a Heroku API key', { prefix: 'HRKU-', body: `AA${URL_SAFE}{58}`, entropy: 3.5 }],
  ['scalingo-token', 'a Scalingo token', { prefix: 'tk-us-', body: `${URL_SAFE}{48}`, entropy: 3 }],
  ['netlify-token', 'a Netlify token', { prefix: 'nfp_', body: `${ALNUM}{36}`, entropy: 3 }],
  ['supabase-token', 'a Supabase token',
    { prefix: 'sbp_', body: `(?:v0_)?${HEX}{40}` },
    { prefix: 'sb_secret_', body: `${URL_SAFE}{20,50}`, entropy: 3 }],
  ['planetscale-token', 'a PlanetScale credential',
    { prefix: ['pscale_tkn_', 'pscale_oauth_', 'pscale_pw_'], body: '[A-Za-z0-9_=.-]{32,64}', isAnyCase: true, entropy: 3 }],
  ['clickhouse-key', 'a ClickHouse Cloud secret key', { prefix: '4b1d', body: `${ALNUM}{38}`, entropy: 3.5, isWeak: true }],
  ['openshift-token', 'an OpenShift token', { prefix: 'sha256~', body: `${URL_SAFE}{43}(?!-)`, entropy: 3.5 }],

  // Password managers, secret stores, infrastructure tools and private networks.
  ['vault-token', 'a HashiCorp Vault token',
    { prefix: 'hvs.', body: `(?:${URL_SAFE}{90,120}|${ALNUM}{24})`, entropy: 3.5 },
    { prefix: 'hvb.', body: `${URL_SAFE}{138,300}`, entropy: 3.5 }],
  ['terraform-token', 'a Terraform Cloud token',
    { prefix: '.atlasv1.', before: { source: `${ALNUM}{14}`, length: 14 }, body: '[A-Za-z0-9_=-]{60,70}', entropy: 3.5 }],
  ['pulumi-token', 'a Pulumi token', { prefix: 'pul-', body: `${HEX}{40}`, mustStandAlone: true }],
  ['doppler-token', 'a Doppler token',
    { prefix: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'], body: `(?:[a-z0-9_-]{2,35}\\.)?${ALNUM}{40,44}`, entropy: 3 }],
  ['infracost-key', 'an Infracost key', { prefix: 'ico-', body: `${ALNUM}{32}`, mustStandAlone: true, entropy: 3, isWeak: true }],
  ['tailscale-key', 'a Tailscale key',
    { prefix: 'tskey-', body: `[a-z]{3,10}-${ALNUM}{10,20}-${ALNUM}{20,40}`, entropy: 3 }],
  ['defined-networking-key', 'a Defined Networking key',
    { prefix: 'dnkey-', body: '[A-Za-z0-9_=-]{26}-[A-Za-z0-9_=-]{52}', entropy: 3 }],
  ['onepassword-secret', 'a 1Password secret',
    { prefix: 'A3-', body: '[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3}', entropy: 3.2 },
    { prefix: 'ops_eyJ', body: `${BASE64}{250}`, tail: BASE64, entropy: 3.8 }],
  // The alphabet of Bech32; no minimum entropy because the format is so strict.
  ['age-key', 'an age identity', { prefix: 'AGE-SECRET-KEY-1', body: '[02-9AC-HJ-NP-Z]{58}', entropy: 0 }],
  ['authress-key', 'an Authress service key',
    { prefix: ['sc_', 'ext_', 'scauth_', 'authress_'], body: `${ALNUM}{5,30}\\.${ALNUM}{4,6}\\.acc[_-][A-Za-z0-9-]{10,32}\\.[\\w+/=-]{30,120}`, entropy: 3 }],
  ['postman-key', 'a Postman API key', { prefix: 'PMAK-', body: '[0-9A-Fa-f]{24}-[0-9A-Fa-f]{34}' }],
  ['octopus-key', 'an Octopus Deploy API key',
    { prefix: 'API-', body: '[A-Z0-9]{26}', mustStandAlone: true, entropy: 3, isWeak: true }],
  ['harness-key', 'a Harness API key',
    { prefix: ['pat.', 'sat.'], body: `${URL_SAFE}{22}\\.${ALNUM}{24}\\.${ALNUM}{20}`, entropy: 3 }],
  ['prefect-key', 'a Prefect API key', { prefix: ['pnu_', 'pnb_'], body: `${ALNUM}{36}` }],
  ['sidekiq-credential', 'a Sidekiq licence credential',
    { prefix: ['BUNDLE_ENTERPRISE__CONTRIBSYS__COM', 'BUNDLE_GEMS__CONTRIBSYS__COM'], lead: `\\w{0,10}["']{0,2}[ \\t]{0,4}[:=>,.?]{1,4}[ \\t]{0,4}["'\`]{0,2}`, body: `${HEX}{8}:${HEX}{8}`, isAnyCase: true, entropy: 2 },
    { prefix: ['@gems.contribsys.com', '@enterprise.contribsys.com'], before: { source: `${HEX}{8}:${HEX}{8}`, length: 17 }, body: '', isAnyCase: true }],

  // Code hosting, package registries and build services.
  ['github-token', 'a GitHub token',
    // App tokens that contain a JSON web token.
    { prefix: 'ghs_', body: `(?:[0-9]{1,12}_)?eyJ${URL_SAFE}{10,2000}\\.${URL_SAFE}{10,4000}\\.${URL_SAFE}{20,1000}` },
    { prefix: ['ghp_', 'gho_', 'ghu_', 'ghs_'], body: `${ALNUM}{36}`, proof: tokenChecksum },
    { prefix: 'ghr_', body: `${ALNUM}{36}(?:${ALNUM}{40})?`, proof: tokenChecksum },
    { prefix: 'github_pat_', body: '[A-Za-z0-9_]{82}' }],
  ['gitlab-token', 'a GitLab token',
    { prefix: ['glpat-', 'glrt-', 'glcbt-'], body: `${URL_SAFE}{27,300}\\.(?:[0-9a-z]{2}\\.)?[0-9a-z]{9}`, entropy: 3, proof: routableChecksum },
    { prefix: ['glpat-', 'gldt-', 'glffct-', 'glft-', 'glrt-', 'glsoat-', 'GR1348941'], body: `${URL_SAFE}{20}` },
    { prefix: 'glcbt-', body: `${ALNUM}{1,5}_${URL_SAFE}{20}` },
    { prefix: 'glimt-', body: `${URL_SAFE}{25}` },
    { prefix: 'glptt-', body: `${HEX}{40}` },
    { prefix: 'glagent-', body: `${URL_SAFE}{50}` },
    { prefix: 'gloas-', body: `${URL_SAFE}{64}` },
    { prefix: '_gitlab_session=', lead: '', body: '[0-9a-z]{32}' }],
  ['bitbucket-password', 'a Bitbucket app password', { prefix: 'ATBB', body: '[A-Za-z0-9_=.-]{24,64}', entropy: 3.5 }],
  ['bitbucket-token', 'a Bitbucket Data Center token', { prefix: 'BBDC-', body: `${BASE64}{40,44}`, entropy: 3.5 }],
  ['atlassian-token', 'an Atlassian API token',
    { prefix: ['ATATT3', 'ATCTT3'], body: '[A-Za-z0-9_=-]{180,190}', entropy: 3.5 }],
  ['sourcegraph-token', 'a Sourcegraph token',
    { prefix: 'sgp_', body: `(?:(?:local|${ANY_HEX}{16})_)?${ANY_HEX}{40}`, entropy: 3 }],
  ['npm-token', 'an npm token', { prefix: 'npm_', body: `${ALNUM}{36}`, proof: tokenChecksum }],
  ['pypi-token', 'a PyPI token', // The text after the prefix is the start of a macaroon for pypi.org, in base64.
    { prefix: 'pypi-', body: `AgEIcHlwaS5vcmc${URL_SAFE}{50}`, tail: URL_SAFE, entropy: 3 }],
  ['rubygems-key', 'a RubyGems API key', { prefix: 'rubygems_', body: `${HEX}{48}` }],
  ['nuget-key', 'a NuGet API key', { prefix: 'oy2', body: '[a-z0-9]{43}', mustStandAlone: true, entropy: 3, isWeak: true }],
  ['crates-token', 'a crates.io token', { prefix: 'cio', body: `${ALNUM}{32}`, mustStandAlone: true, entropy: 3.5, isWeak: true }],
  ['clojars-token', 'a Clojars token', { prefix: 'CLOJARS_', body: '[a-z0-9]{60}', isAnyCase: true }],
  ['docker-token', 'a Docker Hub token',
    { prefix: ['dckr_pat_', 'dckr_oat_'], body: `${URL_SAFE}{27,40}`, entropy: 3 }],
  ['artifactory-token', 'an Artifactory token',
    { prefix: 'AKCp', body: `${ALNUM}{69}`, entropy: 3.5 },
    // The prefix is the base64 of "reft".
    { prefix: 'cmVmd', body: `${ALNUM}{59}`, entropy: 3.5 }],
  ['sonar-token', 'a SonarQube token', { prefix: ['squ_', 'sqp_', 'sqa_'], body: '[A-Za-z0-9]{40}' }],
  ['circleci-token', 'a CircleCI token', { prefix: ['CCIPAT_', 'CCIPRJ_'], body: `${ALNUM}{22}_${HEX}{40}` }],
  ['buildkite-token', 'a Buildkite token', 
    { prefix: ['bkua_', 'bkaj_'], body: `${ANY_HEX}{40}` },
    { prefix: 'bkct_', body: `${ALNUM}{40}`, entropy: 3.5 }],
  ['readme-key', 'a ReadMe API key', { prefix: 'rdme_', body: '[a-z0-9]{70}', entropy: 3 }],
  ['linear-key', 'a Linear API key', { prefix: ['lin_api_', 'lin_oauth_'], body: `${ALNUM}{40,64}` }],

  // Payment, banking, shops and shipping. Publishable keys are public and left out.
  ['stripe-key', 'a Stripe secret key',
    { prefix: ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_'], body: `${ALNUM}{10,250}`, entropy: 2.5 },
    { prefix: 'whsec_', body: `[A-Za-z0-9+/]{32,64}={0,2}`, entropy: 3 }],
  ['square-token', 'a Square token',
    { prefix: ['sq0atp-', 'sq0csp-'], body: `${URL_SAFE}{22,60}` },
    { prefix: 'EAAA', body: `${URL_SAFE}{56,64}`, entropy: 3.5, isWeak: true }],
  ['shopify-token', 'a Shopify token', { prefix: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], body: `${ALNUM}{32}` }],
  ['braintree-token', 'a Braintree access token',
    { prefix: 'access_token$', body: `(?:production|sandbox)\\$[a-z0-9]{16}\\$${HEX}{32}` }],
  ['plaid-token', 'a Plaid access token',
    { prefix: ['access-sandbox-', 'access-development-', 'access-production-'], body: UUID }],
  ['flutterwave-key', 'a Flutterwave key',
    { prefix: ['FLWSECK_TEST-', 'FLWSECK-'], body: '[0-9A-Ha-h]{32}-X' },
    { prefix: 'FLWSECK_TEST', lead: '-', body: '[0-9A-Ha-h]{12}', entropy: 2.2 }],
  ['gocardless-token', 'a GoCardless token',
    { prefix: 'live_', body: '[A-Za-z0-9_=-]{40}', mustStandAlone: true, entropy: 3.5, isWeak: true }],
  ['lob-key', 'a Lob API key', { prefix: ['live_', 'test_'], body: `${HEX}{31,35}`, mustStandAlone: true, isWeak: true }],
  ['razorpay-key', 'a Razorpay key', { prefix: ['rzp_live_', 'rzp_test_'], body: `${ALNUM}{14,24}` }],
  ['duffel-token', 'a Duffel token',
    { prefix: ['duffel_test_', 'duffel_live_'], body: '[A-Za-z0-9_=-]{43}', entropy: 3 }],
  ['easypost-key', 'an EasyPost API key', { prefix: ['EZAK', 'EZTK'], body: `${ALNUM}{54}(?![/+])`, entropy: 3 }],
  ['shippo-token', 'a Shippo token', { prefix: ['shippo_live_', 'shippo_test_'], body: `${ANY_HEX}{40}` }],

  // Chat, mail, social networks and documents.
  ['slack-token', 'a Slack token',
    { prefix: 'xoxb-', body: '[0-9]{8,14}-[A-Za-z0-9-]{10,80}', entropy: 2.5 },
    { prefix: ['xoxp-', 'xoxe-'], body: '[0-9]{8,14}(?:-[0-9]{8,14}){2}-[A-Za-z0-9-]{20,40}' },
    { prefix: ['xoxs-', 'xoxo-'], body: '[0-9]{4,14}(?:-[0-9]{4,14}){2}-[0-9A-Fa-f]{8,80}' },
    { prefix: ['xoxa-', 'xoxr-'], body: '(?:[0-9]-)?[0-9A-Za-z]{8,48}[A-Za-z0-9-]{0,60}', entropy: 2 },
    { prefix: ['xoxe.xoxp-', 'xoxe.xoxb-'], body: '[0-9]-[0-9A-Za-z]{150,180}', isAnyCase: true },
    { prefix: 'xoxe-', body: '[0-9]-[0-9A-Za-z]{140,160}', isAnyCase: true },
    { prefix: 'xoxd-', body: '[A-Za-z0-9%+/-]{60}', tail: '[A-Za-z0-9%+/-]', entropy: 3.5 },
    { prefix: 'xapp-', body: '[0-9]-[A-Z0-9]{6,20}-[0-9]{6,20}-[a-z0-9]{20,100}', isAnyCase: true }],
  ['slack-webhook', 'a Slack webhook address',
    { prefix: 'hooks.slack.com/', lead: '(?:services|workflows|triggers)/', body: '[A-Za-z0-9+/]{40,80}', entropy: 3 }],
  ['teams-webhook', 'a Microsoft Teams webhook address',
    { prefix: 'webhook.office.com/', lead: 'webhookb2/', body: '[0-9a-z@-]{60,80}/IncomingWebhook/[0-9a-z]{32}/[0-9a-z-]{36}', isAnyCase: true }],
  ['discord-token', 'a Discord bot token',
    // The first part is the base64 of the bot's number.
    { prefix: ['login', 'token'], lead: `["'\`]?[ \\t]{0,4}[:=(,]{1,2}[ \\t]{0,4}["'\`]?`, body: DISCORD, isAnyCase: true },
    { prefix: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'], lead: '[0-9]{17,20}/', body: `${URL_SAFE}{60,72}`, entropy: 3.5 }],
  ['telegram-token', 'a Telegram bot token',
    ...[8, 9, 10].map(length => ({
      prefix: ':AA',
      before: { source: `[0-9]{${length}}`, length },
      body: `${URL_SAFE}{33}(?!-)`,
      entropy: 3.5,
    }))],
  ['mailchimp-key', 'a Mailchimp API key',
    { prefix: '-us', before: { source: `${HEX}{32}`, length: 32 }, body: '[0-9]{1,2}' }],
  ['mailgun-key', 'a Mailgun API key', { prefix: 'key-', body: `${HEX}{32}`, mustStandAlone: true, isWeak: true }],
  ['sendgrid-key', 'a SendGrid API key', { prefix: 'SG.', body: '[A-Za-z0-9_=.-]{66}', entropy: 3 }],
  ['brevo-key', 'a Brevo API key', { prefix: ['xkeysib-', 'xsmtpsib-'], body: `${HEX}{64}-${ALNUM}{16}` }],
  ['resend-key', 'a Resend API key', { prefix: 're_', body: `${ALNUM}{8}_${ALNUM}{24}`, mustStandAlone: true, entropy: 3.5 }],
  ['twilio-key', 'a Twilio API key',
    { prefix: [...'0123456789abcdefABCDEF'].map(digit => `SK${digit}`), body: '[0-9A-Fa-f]{31}', entropy: 3, isWeak: true }],
  ['twitter-token', 'a Twitter bearer token',
    { prefix: 'AAAAAAAAAAAAAAAAAAAAAA', body: '[A-Za-z0-9%]{70,110}', entropy: 3.5 }],
  ['facebook-token', 'a Facebook access token',
    { prefix: ['EAAM', 'EAAC'], body: `${ALNUM}{100}`, tail: ALNUM, entropy: 3.5, isWeak: true },
    { prefix: 'facebook', lead: `[A-Za-z_"'=:>, ]{0,40}`, body: `[0-9]{15,16}(?:\\||%7C)${URL_SAFE}{27,40}`, isAnyCase: true, entropy: 3 }],
  ['notion-token', 'a Notion token',
    { prefix: 'ntn_', body: `[0-9]{11}${ALNUM}{35}`, entropy: 3.5 },
    { prefix: 'secret_', body: `${ALNUM}{43}`, mustStandAlone: true, entropy: 4, isWeak: true }],
  ['airtable-token', 'an Airtable token', { prefix: 'pat', body: `${ALNUM}{14}\\.${HEX}{64}` }],
  ['typeform-token', 'a Typeform token', { prefix: 'tfp_', body: '[A-Za-z0-9_.=-]{40,70}', entropy: 3 }],
  ['figma-token', 'a Figma token', { prefix: 'figd_', body: `${URL_SAFE}{40,60}`, entropy: 3 }],
  ['dropbox-token', 'a Dropbox token', { prefix: 'sl.', body: '(?:u\\.)?[A-Za-z0-9_=-]{130,152}', entropy: 3.5 }],
  ['frameio-token', 'a Frame.io token', { prefix: 'fio-u-', body: '[A-Za-z0-9_=-]{64}', entropy: 3 }],
  ['contentful-token', 'a Contentful token', { prefix: 'CFPAT-', body: `${URL_SAFE}{43}`, entropy: 3.5 }],
  ['linkedin-secret', 'a LinkedIn client secret', { prefix: 'WPL_AP1.', body: `${ALNUM}{16}\\.${BASE64}{8}`, entropy: 3 }],
  ['adobe-secret', 'an Adobe client secret', { prefix: 'p8e-', body: `${ALNUM}{32}`, mustStandAlone: true, isWeak: true }],

  // Model providers.
  ['anthropic-key', 'an Anthropic API key',
    { prefix: ['sk-ant-api03-', 'sk-ant-admin01-'], body: `${URL_SAFE}{93}AA`, entropy: 3 },
    { prefix: ['sk-ant-oat01-', 'sk-ant-ort01-', 'sk-ant-sid01-'], body: `${URL_SAFE}{80,120}`, entropy: 3 }],
  ['openai-key', 'an OpenAI API key', // "T3BlbkFJ" is the base64 of "OpenAI".
    { prefix: ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], body: `${URL_SAFE}{40,80}T3BlbkFJ${URL_SAFE}{40,80}`, entropy: 3.5 },
    { prefix: 'sk-', body: `${ALNUM}{20}T3BlbkFJ${ALNUM}{20}`, entropy: 3.5 }],
  ['openrouter-key', 'an OpenRouter API key', { prefix: 'sk-or-v1-', body: `${HEX}{64}` }],
  ['huggingface-token', 'a Hugging Face token', { prefix: ['hf_', 'api_org_'], body: `[A-Za-z]{34}`, entropy: 3.4 }],
  ['perplexity-key', 'a Perplexity API key', { prefix: 'pplx-', body: `${ALNUM}{48}`, entropy: 3.5 }],
  ['replicate-token', 'a Replicate token', { prefix: 'r8_', body: `${ALNUM}{37}`, entropy: 3.5 }],
  ['groq-key', 'a Groq API key', { prefix: 'gsk_', body: `${ALNUM}{52}`, entropy: 3.5 }],
  ['xai-key', 'an xAI API key', { prefix: 'xai-', body: `${ALNUM}{80}`, entropy: 3.5 }],
  ['nvidia-key', 'an NVIDIA API key', { prefix: 'nvapi-', body: `${URL_SAFE}{64}`, entropy: 3.5 }],
  ['pinecone-key', 'a Pinecone API key', { prefix: 'pcsk_', body: `${ALNUM}{4,8}_${ALNUM}{60,70}`, entropy: 3.5 }],
  ['together-key', 'a Together AI key', { prefix: 'tgp_v1_', body: `${URL_SAFE}{43}`, entropy: 3.5 }],
  ['langsmith-key', 'a LangSmith key', { prefix: ['lsv2_pt_', 'lsv2_sk_'], body: `${HEX}{32}_${HEX}{10}` }],
  ['langfuse-key', 'a Langfuse secret key', { prefix: 'sk-lf-', body: UUID }],
  ['elevenlabs-key', 'an ElevenLabs API key', { prefix: 'sk_', body: `${HEX}{48}`, mustStandAlone: true }],

  // Monitoring, maps and other services, and JSON web tokens of anyone.
  ['sentry-token', 'a Sentry token',
    { prefix: 'sntryu_', body: `${HEX}{64}` },
    // The text after the prefix is the base64 of `{"iat":`.
    { prefix: 'sntrys_', body: `eyJpYXQiO${BASE64}{40,400}={0,2}_${BASE64}{43}(?![+/])`, entropy: 3.5 }],
  ['grafana-token', 'a Grafana token',
    { prefix: 'glsa_', body: `${ALNUM}{32}_${ANY_HEX}{8}`, isAnyCase: true },
    { prefix: 'glc_', body: `${BASE64}{32}`, tail: BASE64, entropy: 3.2 },
    // The prefix is the base64 of `{"k":"`.
    { prefix: 'eyJrIjoi', body: `${ALNUM}{60}`, tail: ALNUM, entropy: 3 }],
  ['new-relic-key', 'a New Relic key',
    { prefix: 'NRAK-', body: '[A-Z0-9]{27}', isAnyCase: true, mustStandAlone: true },
    { prefix: 'NRII-', body: '[A-Z0-9_-]{32}', isAnyCase: true, mustStandAlone: true },
    { prefix: 'NRJS-', body: `${HEX}{19}`, isAnyCase: true, mustStandAlone: true, isWeak: true },
    { prefix: 'FFFFNRAL', before: { source: '[0-9a-fux]{32}', length: 32 }, body: '' }],
  ['honeycomb-key', 'a Honeycomb key', { prefix: ['hcaik_', 'hcbik_', 'hcxik_'], body: '[a-z0-9]{58}', entropy: 3.5 }],
  ['launchdarkly-key', 'a LaunchDarkly key',
    { prefix: 'sdk-', body: UUID, mustStandAlone: true },
    { prefix: 'api-', body: UUID, mustStandAlone: true, isWeak: true }],
  ['dynatrace-token', 'a Dynatrace token',
    { prefix: ['dt0c01.', 'dt0s01.', 'dt0s02.'], body: `${ALNUM}{24}\\.${ALNUM}{64}`, entropy: 3 }],
  ['posthog-key', 'a PostHog personal key', { prefix: 'phx_', body: `${ALNUM}{40,60}`, entropy: 3.5 }],
  ['mapbox-token', 'a Mapbox secret token',
    { prefix: 'sk.', body: `${ALNUM}{60,130}\\.${URL_SAFE}{22}`, entropy: 3.5 }],
  ['hubspot-token', 'a HubSpot token',
    { prefix: ['pat-na1-', 'pat-na2-', 'pat-na3-', 'pat-eu1-', 'pat-ap1-'], body: UUID }],
  ['maxmind-key', 'a MaxMind licence key',
    { prefix: '_mmk', before: { source: `${ALNUM}{6}_${ALNUM}{29}`, length: 36 }, body: '', entropy: 3.5 }],
  ['settlemint-token', 'a SettleMint token', { prefix: ['sm_aat_', 'sm_pat_', 'sm_sat_'], body: `${ALNUM}{16}` }],
  ['intra42-secret', 'a 42 intra client secret', { prefix: ['s-s4t2ud-', 's-s4t2af-'], body: `${HEX}{64}` }],
  ['json-web-token', 'a JSON web token',
    { prefix: 'eyJ', body: `${ALNUM}{14,4000}={0,2}\\.eyJ${URL_SAFE}{8}`, tail: '[\\w.-]', entropy: 3.2, proof: webTokenProof },
    // The prefix is the base64 of `eyJ`: a token that was encoded once more.
    { prefix: 'ZXlK', body: `${BASE64}{80}`, tail: BASE64, entropy: 3.2, isWeak: true }],
];

export interface TokenFamily {
  readonly kind: string;
  readonly name: string;
  readonly shapes: readonly TokenShape[];
}

/** Every kind of token that is recognized by its own format. */
export const tokenFamilies: readonly TokenFamily[] = TABLE.map(([kind, name, ...shapes]) => ({
  kind,
  name,
  shapes,
}));

export const secretKinds = (): string[] => [...NAMES.keys()];

/** How a kind reads after "This looks like". */
export const kindName = (kind: string): string => NAMES.get(kind) ?? 'a secret';

const NAMES: ReadonlyMap<string, string> = new Map([
  ...TABLE.map(([kind, name]) => [kind, name] as const),
  ['private-key', 'a private key'],
  ['generic-credential', 'a credential'],
  ['password', 'a password'],
  ['url-credential', 'a password in a URL'],
  ['authorization-header', 'a credential in an Authorization header'],
  ['command-line-credential', 'a password on a command line'],
  ['kubernetes-secret', 'the value of a Kubernetes Secret'],
]);
