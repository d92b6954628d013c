import { type LineCheck, NO_HITS } from './check.js';
import { fileRole } from './language.js';

/** A path in somebody's home folder, which exists on one machine. */
export const absolutePath: LineCheck = {
  rules: { 'absolute-path': 'info' },
  guards: false,
  open: ({ path }) => {
    if (fileRole(path).isSample) return undefined;
    return ({ text, isAdded }) => {
      if (!isAdded || (!text.includes('Users') && !text.includes('/home/'))) return NO_HITS;
      const found = HOME.exec(text);
      if (found === null || NOBODY.test(found[1] ?? '')) return NO_HITS;
      return [
        {
          rule: 'absolute-path',
          message:
            'This path is in the home folder of one person and exists on no other machine. Make it relative, or take it from the environment.',
          column: found.index + 1,
          endColumn: found.index + found[0].length + 1,
        },
      ];
    };
  },
};

const HOME =
  /(?<![\w.:~/$}-])(?:file:\/\/)?(?:\/(?:Users|home)\/|[A-Za-z]:\\{1,2}Users\\{1,2})([A-Za-z][\w.-]{1,40})[/\\][\w.@-]/;

/** Accounts that many machines have, and placeholder names. */
const NOBODY =
  /^(?:you|me|user|users?name|someone|somebody|name|yourname|your[-_]?\w*|my[-_]?\w*|foo|bar|test\w*|example|runner|runneradmin|node|ubuntu|vscode|app|git|shared|public|default|linuxbrew|circleci|travis|jenkins|vagrant|docker|pi|ec2-user|coder|gitpod|codespace|admin|dev|developer|john|jane|alice|bob|jdoe|johndoe)$/i;
