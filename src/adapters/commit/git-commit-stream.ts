import { type Signature, withRunTrailer } from '../../core/commit-plan.js';
import { BotError } from '../../core/failure.js';
import { quotePath } from '../scratch/scratch-repository.js';

export interface CommitText {
  readonly message: string;
  readonly run: string;
  readonly author: Signature;
  /** The commit before: an id, or the mark of one in the same stream. */
  readonly from: string;
  readonly files: ReadonlyArray<readonly [path: string, mode: string, bytes: Uint8Array]>;
}

/** What `fast-import` reads to make these commits on `ref`, printing the id of each. */
export function commitStream(ref: string, commits: readonly CommitText[]): Buffer {
  const parts: Array<string | Uint8Array> = [];
  for (const [at, { message, run, author, from, files }] of commits.entries()) {
    const line = signatureLine(author);
    parts.push(`commit ${ref}\nmark :${at + 1}\nauthor ${line}\ncommitter ${line}\n`);
    pushData(parts, Buffer.from(withRunTrailer(plainMessage(message), run)));
    parts.push(`from ${from}\n`);
    for (const [path, mode, bytes] of files) {
      parts.push(`M ${mode} inline ${quotePath(path)}\n`);
      pushData(parts, bytes);
    }
    parts.push(`get-mark :${at + 1}\n`);
  }
  parts.push('done\n');
  return Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)));
}

function pushData(parts: Array<string | Uint8Array>, bytes: Uint8Array): void {
  parts.push(`data ${bytes.length}\n`, bytes, '\n');
}

function signatureLine({ name, email, at }: Signature): string {
  if (!/^[^<>\n\0]+$/.test(name) || !/^[^<>\s\0]+$/.test(email) || !Number.isSafeInteger(at)) {
    throw new BotError('config', `${JSON.stringify({ name, email, at })} cannot sign a commit`);
  }
  return `${name} <${email}> ${at} +0000`;
}

function plainMessage(message: string): string {
  const text = message.replaceAll('\r\n', '\n').trim();
  if (text === '' || text.includes('\0')) {
    throw new BotError('bug', `a commit message is empty or holds a NUL: ${JSON.stringify(text)}`);
  }
  return text;
}
