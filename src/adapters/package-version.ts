/** Put in by the build; see scripts/build.mjs. */
declare const APFEL_BOT_VERSION: string | undefined;

export const packageVersion = (): string =>
  typeof APFEL_BOT_VERSION === 'string' ? APFEL_BOT_VERSION : '0.0.0-unbuilt';
