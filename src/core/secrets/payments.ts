import { ALNUM, ANY_HEX, family, HEX, URL_SAFE, UUID } from './token-formats.js';

/** Payment, banking, shops and shipping. Publishable keys are public and left out. */
export const payments = [
  family('stripe-key', 'a Stripe secret key', [
    {
      prefix: ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_'],
      body: `${ALNUM}{10,250}`,
      entropy: 2.5,
    },
    { prefix: 'whsec_', body: `[A-Za-z0-9+/]{32,64}={0,2}`, entropy: 3 },
  ]),
  family('square-token', 'a Square token', [
    { prefix: ['sq0atp-', 'sq0csp-'], body: `${URL_SAFE}{22,60}` },
    { prefix: 'EAAA', body: `${URL_SAFE}{56,64}`, entropy: 3.5 },
  ]),
  family('shopify-token', 'a Shopify token', [
    { prefix: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], body: `${ANY_HEX}{32}` },
  ]),
  family('braintree-token', 'a Braintree access token', [
    { prefix: 'access_token$', body: `(?:production|sandbox)\\$[a-z0-9]{16}\\$${HEX}{32}` },
  ]),
  family('plaid-token', 'a Plaid access token', [
    {
      prefix: ['access-sandbox-', 'access-development-', 'access-production-'],
      body: UUID,
    },
  ]),
  family('flutterwave-key', 'a Flutterwave key', [
    { prefix: ['FLWSECK_TEST-', 'FLWPUBK_TEST-', 'FLWSECK-'], body: '[0-9A-Ha-h]{32}-X' },
    { prefix: 'FLWSECK_TEST', lead: '-', body: '[0-9A-Ha-h]{12}', entropy: 2.2 },
  ]),
  family('gocardless-token', 'a GoCardless token', [
    { prefix: 'live_', body: '[A-Za-z0-9_=-]{40}', mustStandAlone: true, entropy: 3.5 },
  ]),
  family('lob-key', 'a Lob API key', [
    { prefix: ['live_', 'test_'], body: `(?:pub_)?${HEX}{31,35}`, mustStandAlone: true },
  ]),
  family('razorpay-key', 'a Razorpay key', [
    { prefix: ['rzp_live_', 'rzp_test_'], body: `${ALNUM}{14,24}` },
  ]),
  family('duffel-token', 'a Duffel token', [
    { prefix: ['duffel_test_', 'duffel_live_'], body: '[A-Za-z0-9_=-]{43}', entropy: 3 },
  ]),
  family('easypost-key', 'an EasyPost API key', [
    { prefix: ['EZAK', 'EZTK'], body: `${ALNUM}{54}(?![/+])`, entropy: 3 },
  ]),
  family('shippo-token', 'a Shippo token', [
    { prefix: ['shippo_live_', 'shippo_test_'], body: `${ANY_HEX}{40}` },
  ]),
];
