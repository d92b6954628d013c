import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { apfelBot } from '../support/cli.js';

let port: Promise<number> | undefined;

/** Where scripts of this process ask for a run of `apfel-bot hook`. */
export function hookPort(): Promise<number> {
  port ??= listen();
  return port;
}

async function listen(): Promise<number> {
  const server = createServer(socket => {
    let sent = '';
    socket.setEncoding('utf8').on('data', piece => {
      sent += piece;
      // Every text ends with a NUL, and the last one is empty.
      if (sent.endsWith('\0\0')) void answer(socket, sent.slice(0, -2).split('\0'));
    });
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A hook that sends its arguments, input and environment, and ends as it is told. */
export const scriptThatAsks = (port: number, hook: string): string => `#!/usr/bin/env bash
input=$(cat; echo x)
exec 3<>/dev/tcp/127.0.0.1/${port}
{
  printf '%s\\0' "$input" "$PWD" "$#" hook ${hook} "$@"
  for name in $(compgen -e); do printf '%s=%s\\0' "$name" "\${!name}"; done
  printf '\\0'
} >&3
IFS= read -r -d '' code <&3
IFS= read -r -d '' stdout <&3
IFS= read -r -d '' stderr <&3
printf '%s' "$stdout"
printf '%s' "$stderr" >&2
exit "$code"
`;

async function answer(socket: Socket, texts: readonly string[]): Promise<void> {
  const [input = '', cwd = '', count = '', ...rest] = texts;
  const args = rest.slice(0, Number(count) + 2);
  const env = rest.slice(args.length).map(each => {
    const [name = '', ...value] = each.split('=');
    return [name, value.join('=')] as const;
  });
  const options = { cwd, input: input.slice(0, -2), env: Object.fromEntries(env) };
  const { code, stdout, stderr } = await apfelBot(args, options);
  socket.end(`${code}\0${stdout}\0${stderr}\0`);
}
