/** Slower than this is no answer; GitHub itself gives up after ten seconds. */
const ANSWER_MS = 30_000;

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/**
 * Answers that came whole, or a failure. The client takes half an answer for a text, and a run that
 * is over for a server that is down; here each is what it is.
 */
export function openGithubFetch(signal: AbortSignal): Fetch {
  return async (url, init = {}) => {
    const patience = AbortSignal.timeout(ANSWER_MS);
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.any([signal, patience]) });
      const text = await answer.text();
      const { status, headers } = answer;
      if (isJson(headers) && answer.ok && text !== '') JSON.parse(text);
      return new Response(hasNoBody(status) ? null : text, { status, headers: kept(headers) });
    } catch (thrown) {
      if (signal.aborted) throw overdue();
      if (patience.aborted) throw new TypeError(`no answer within ${ANSWER_MS / 1000} s`);
      if (thrown instanceof SyntaxError) throw new TypeError('the answer was cut off');
      throw thrown;
    }
  };
}

/** Under this name it passes through the client as it is, and nothing is tried again. */
const overdue = (): Error => Object.assign(new Error('the time is up'), { name: 'AbortError' });

/** A file of the repository comes as `application/vnd.github.raw+json`, and is none. */
const isJson = (headers: Headers): boolean =>
  /^application\/json\b/.test(headers.get('content-type') ?? '');

const hasNoBody = (status: number): boolean => [204, 205, 304].includes(status);

/** The text is decoded by now, so what was said of its form on the wire is no longer true. */
function kept(headers: Headers): Headers {
  const copy = new Headers(headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) copy.delete(name);
  return copy;
}
