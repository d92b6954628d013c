import { connect } from 'node:net';

/** On this machine nobody takes longer to say that nobody is there. */
const KNOCK_MS = 200;

/**
 * Whether it is certain that nobody listens. Asked of this machine's own addresses only, and before
 * anything that speaks HTTP is loaded: without a server that would be half of what a hook costs.
 */
export function isNobodyThere(baseUrl: string, signal: AbortSignal): Promise<boolean> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host !== '127.0.0.1' && host !== '::1') return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
    const giveUp = (): void => {
      socket.destroy();
      reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    const answer = (isRefused: boolean): void => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(isRefused);
    };
    socket.setTimeout(KNOCK_MS, () => answer(false));
    socket.once('connect', () => answer(false));
    // Anything but a plain refusal is for the real question to find out.
    socket.once('error', (error: NodeJS.ErrnoException) => answer(error.code === 'ECONNREFUSED'));
  });
}
