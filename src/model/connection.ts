import type OpenAI from 'openai';
import type { HttpOptions } from './loopback-http.js';

export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

export interface Connection {
  readonly endpoint: Endpoint;
  /** Loads the `openai` package the first time it is called. */
  client(): Promise<OpenAI>;
}

/** The longest a timer can run: `attempt` has the timeout that counts. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * A client without retries and logging, which ignores `OPENAI_*` variables: those are for another
 * service.
 */
export function connect(endpoint: Endpoint, options: HttpOptions): Connection {
  let client: Promise<OpenAI> | undefined;
  return {
    endpoint,
    client: () => {
      client ??= createClient(endpoint, options);
      return client;
    },
  };
}

async function createClient(endpoint: Endpoint, options: HttpOptions): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  const { openFetch } = await import('./fetch.js');
  return new OpenAI({
    baseURL: endpoint.baseUrl,
    // The package requires one even for a server that needs none.
    apiKey: endpoint.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
    fetch: openFetch(options),
  });
}
