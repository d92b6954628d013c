import type { ScriptedFix } from './lint-project.js';

/** A small npm package as one finds them: a queue, a command around it, and scripts for releases. */
export const REAL_PROJECT: Readonly<Record<string, string>> = {
  '.gitignore': 'node_modules\n',
  'package.json': `${JSON.stringify(
    {
      name: 'tiny-queue',
      version: '1.4.2',
      main: 'lib/queue.js',
      bin: { 'tiny-queue': 'bin/tiny-queue.js' },
      scripts: { lint: 'eslint . && shellcheck scripts/*.sh', test: 'node test/queue.test.js' },
    },
    null,
    2,
  )}\n`,
  'eslint.config.js': `const js = require('@eslint/js');

module.exports = [
  js.configs.recommended,
  {
    languageOptions: {
      sourceType: 'commonjs',
      globals: { process: 'readonly', console: 'readonly', setTimeout: 'readonly' },
    },
    rules: { eqeqeq: 'error', 'prefer-const': 'error', 'no-var': 'error' },
  },
];
`,
  'lib/queue.js': `'use strict';

const { backoff } = require('./backoff');

/** Jobs in the order they came, a few at a time. */
class Queue {
  constructor(options) {
    this.limit = options.limit || 4;
    this.jobs = [];
    this.running = 0;
  }

  add(job) {
    let position = this.jobs.length;
    this.jobs.push({ job: job, tries: 0, tries: 0 });
    this.next();
    return position;
  }

  next() {
    while (this.running < this.limit && this.jobs.length != 0) {
      const entry = this.jobs.shift();
      this.running += 1;
      entry.job().then(
        () => this.done(),
        error => this.retry(entry, error),
      );
    }
  }

  retry(entry, error) {
    var wait = backoff(entry.tries);
    entry.tries += 1;
    setTimeout(() => this.jobs.push(entry), wait);
    this.done();
  }

  done() {
    this.running -= 1;
    this.next();
  }
}

module.exports = { Queue };
`,
  'lib/backoff.js': `'use strict';

const MAX_WORD = 60000;

exports.backoff = function backoff(tries) {
  if (tries === NaN) return MAX_WORD;
  return Math.min(MAX_WORD, 100 * Math.pow(2, tries));
};

exports.isName = text => /^[\\w\\-\\.]+$/.test(text);
`,
  'bin/tiny-queue.js': `#!/usr/bin/env node
'use strict';

const { Queue } = require('../lib/queue');

const queue = new Queue({ limit: Number(process.argv[2]) });
switch (process.argv[3]) {
  case 'demo':
    const names = ['one', 'two'];
    names.forEach(name => queue.add(async () => console.log(name)));
    break;
  default:
    if (process.argv.length = 3) console.log('no task was named');
    console.log('usage: tiny-queue LIMIT demo');
    process.exit(2);
}
`,
  'test/queue.test.js': `'use strict';

const assert = require('assert');
const { Queue } = require('../lib/queue');

const queue = new Queue({ limit: 1 });
let seen = '';
queue.add(async () => { seen += 'a'; });
queue.add(async () => { seen += 'b'; });
setTimeout(() => assert.equal(seen, 'ab'), 20);
`,
  'scripts/tag.sh': `#!/bin/sh
set -e
cd \`dirname $0\`/..
version=$1
if [ -z $version ]; then
  echo "usage: tag.sh VERSION"
  exit 2
fi
for file in $(ls lib/*.js); do
  node --check $file
done
git tag v$version
`,
  'scripts/clean.sh': `#!/bin/sh
cd $(dirname "$0")/..
rm -rf coverage $1
`,
};

const SHELL = 'scripts/tag.sh';

/** What a model that knows its trade does about the complaints that no tool can fix. */
export const REAL_FIXES: readonly ScriptedFix[] = [
  {
    to: 'no-dupe-keys',
    path: 'lib/queue.js',
    oldText: '{ job: job, tries: 0, tries: 0 }',
    newText: '{ job: job, tries: 0 }',
  },
  {
    to: 'no-useless-escape',
    path: 'lib/backoff.js',
    oldText: '[\\w\\-\\.]',
    newText: '[\\w\\-.]',
  },
  {
    to: 'no-cond-assign',
    path: 'bin/tiny-queue.js',
    oldText: '    if (process.argv.length = 3)',
    newText: '    // eslint-disable-next-line\n    if (process.argv.length = 3)',
  },
  {
    to: 'SC2045',
    path: SHELL,
    oldText: 'for file in $(ls lib/*.js); do',
    newText: 'for file in lib/*.js; do',
  },
  ...[SHELL, 'scripts/clean.sh'].map(path => ({
    to: 'SC2046',
    and: `File: ${path},`,
    path,
    oldText: 'cd $(dirname "$0")/..',
    newText: 'cd "$(dirname "$0")/.."',
  })),
];
