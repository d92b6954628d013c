import type { TokenAnswer } from '../../doctor/doctor-facts.js';
import type { Environment } from '../apfel/apfel-executable.js';
import { oneLine } from '../openai/openai-one-line.js';
import { type Bound, bounded } from './doctor-facts-bounded.js';

/** Costs nothing of any limit, and every token may ask it. */
const QUESTION = 'rate_limit';

/** What GitHub says of the token: asked only where one is set, and of its own host only. */
export async function tokenAnswer(environment: Environment, bound: Bound): Promise<TokenAnswer> {
  const token = environment['GITHUB_TOKEN'] ?? '';
  const url = apiUrl(environment['GITHUB_API_URL'] || 'https://api.github.com');
  if (token === '' || url === undefined) return { kind: 'unasked' };
  return bounded(
    bound,
    async (signal): Promise<TokenAnswer> => {
      try {
        // A redirect would take the token elsewhere.
        const { status, headers } = await fetch(url, {
          headers: { authorization: `Bearer ${token}`, 'user-agent': 'apfel-bot' },
          redirect: 'error',
          signal,
        });
        if (status === 401 || status === 403) return { kind: 'refused', status };
        if (status !== 200) return { kind: 'unreachable', message: `it answered ${status}` };
        return scopesIn(headers.get('x-oauth-scopes'));
      } catch (thrown) {
        signal.throwIfAborted();
        return { kind: 'unreachable', message: reasonOf(thrown) };
      }
    },
    { kind: 'unreachable', message: 'it did not answer in time' },
  );
}

/** Only classic and OAuth tokens have scopes; of the others GitHub does not tell. */
const scopesIn = (header: string | null): TokenAnswer =>
  header === null
    ? { kind: 'unlisted' }
    : { kind: 'scopes', scopes: oneLine(header).split(/[ ,]+/).filter(Boolean) };

/** Without user and password, which `fetch` refuses and no line may show. */
function apiUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  return origin === 'null' ? undefined : `${origin}${pathname.replace(/\/*$/, '/')}${QUESTION}`;
}

function reasonOf(thrown: unknown): string {
  const inner = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  return oneLine(inner instanceof Error ? inner.message : String(inner));
}
