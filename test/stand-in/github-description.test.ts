import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import * as assert from 'uvu/assert';
import { FORMATS, requestProblems, responseProblems } from '../../fixtures/github/conform.js';
import { description, findOperation } from '../../fixtures/github/description.js';
import { corpus } from '../support/corpus.js';
import { suite } from '../support/suite.js';
import { refusalOf, withGithub } from './github-with-github.js';

const test = suite('stand-in/github-description');

const published = corpus('github-openapi-subset');

interface Published {
  readonly request?: object;
  readonly requestExamples?: readonly unknown[];
  readonly responses: Readonly<
    Record<string, { readonly schema?: object; readonly examples?: readonly unknown[] }>
  >;
}

const readPublished = (): ReadonlyArray<readonly [string, Published]> =>
  Object.entries(
    JSON.parse(readFileSync(published.path('operations.json'), 'utf8')).operations as Record<
      string,
      Published
    >,
  );

const ajv = new Ajv({ strict: false, formats: FORMATS, validateSchema: false });

const operationOf = (id: string) => {
  const operation = description().operations[id];
  return operation === undefined ? undefined : { id, ...operation };
};

test.unless(
  published.absent,
  'the published examples of requests are judged as by the original schema',
  () => {
    let all = 0;
    let good = 0;
    for (const [id, { request, requestExamples = [] }] of readPublished()) {
      if (request === undefined) continue;
      const original: ValidateFunction = ajv.compile(request);
      for (const example of requestExamples) {
        all += 1;
        const isGood = original(example);
        if (isGood) good += 1;
        const operation = operationOf(id);
        if (operation === undefined) continue;
        const problems = requestProblems(operation, {}, example).filter(one =>
          one.startsWith('body'),
        );
        assert.equal(problems, isGood ? [] : problems, id);
      }
    }
    assert.equal([good, all], [26, 26]);
  },
);

test.unless(
  published.absent,
  'the published examples of answers are judged as by the original schema',
  () => {
    let all = 0;
    let good = 0;
    let ours = 0;
    for (const [id, { responses }] of readPublished()) {
      for (const [status, { schema, examples = [] }] of Object.entries(responses)) {
        if (schema === undefined) continue;
        const original: ValidateFunction = ajv.compile(schema);
        for (const example of examples) {
          all += 1;
          const isGood = original(example);
          if (isGood) good += 1;
          const operation = operationOf(id);
          if (operation === undefined) continue;
          ours += 1;
          const problems = responseProblems(operation, Number(status), example);
          assert.is(problems.length === 0, isGood, `${id} ${status}: ${problems.join('; ')}`);
        }
      }
    }
    assert.equal([good, all], [38, 44]);
    assert.ok(ours > 30, `${ours} of the examples are of operations that are handled here`);
  },
);

test('the operation of a path is found, also if a name may contain slashes', () => {
  const rows = [
    ['GET', '/repos/a/b/pulls/comments/5', 'pulls/get-review-comment', { comment_id: '5' }],
    ['GET', '/repos/a/b/pulls/5/comments', 'pulls/list-review-comments', { pull_number: '5' }],
    ['GET', '/repos/a/b/git/ref/heads/x/y', 'git/get-ref', { ref: 'heads/x/y' }],
    ['GET', '/repos/a/b/git/ref/heads%2Fx%2Fy', 'git/get-ref', { ref: 'heads/x/y' }],
    ['GET', '/repos/a/b/commits/heads%2Fx/check-runs', 'checks/list-for-ref', { ref: 'heads/x' }],
    ['GET', '/repos/a/b/contents/src/%C3%BC.ts', 'repos/get-content', { path: 'src/ü.ts' }],
  ] as const;
  for (const [method, path, id, params] of rows) {
    const found = findOperation(method, path);
    assert.is(found?.operation.id, id, path);
    assert.equal(found?.params, { owner: 'a', repo: 'b', ...params }, path);
  }
  for (const path of [
    '/',
    '/repos/a',
    '/repos/a/b/%E0%A4%A',
    '/repos/a/b/unknown',
    `/${'a/'.repeat(50_000)}`,
  ])
    assert.is(findOperation('GET', path), undefined);
});

test('a mistake of the client is refused and recorded', () =>
  withGithub(
    async ({ hub, rest, at }) => {
      const comment = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
      const review = 'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews';
      const attempts = [
        // Missing, of another type, unknown, and unknown further down.
        () => rest.request(comment, { ...at, issue_number: 1 } as never),
        () => rest.request(comment, { ...at, issue_number: 1, body: 7 } as never),
        () => rest.request(comment, { ...at, issue_number: 1, body: 'x', text: 'x' }),
        () =>
          rest.request(review, {
            ...at,
            pull_number: 1,
            comments: [{ path: 'new.txt', line: 1, body: 'x', startLine: 1 } as never],
          }),
        () =>
          rest.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
            ...at,
            pull_number: 'one' as never,
          }),
        () => rest.request('GET /repos/{owner}/{repo}/pulls', { ...at, number: 1 }),
      ];
      for (const attempt of attempts) assert.is((await refusalOf(attempt())).status, 422);
      assert.is(hub.violations.length, attempts.length);
      assert.equal(hub.state.comments, []);
    },
    { allowsViolations: true },
  ));

test('an operation that is not in the fixture gets 404 and is recorded', () =>
  withGithub(
    async ({ hub, rest, at }) => {
      assert.is((await refusalOf(rest.issues.get({ ...at, issue_number: 1 }))).status, 404);
      assert.equal(hub.violations, ['not in the fixture: GET /repos/ada/demo/issues/1']);
    },
    { allowsViolations: true },
  ));

test('a mistake of the stand-in itself throws', () =>
  withGithub(
    async ({ hub, rest, at }) => {
      const comment = hub.comment({ pull: 1, author: 'ada', body: 'x' });
      comment.updatedAt = 'yesterday';
      const call = rest.issues.getComment({ ...at, comment_id: comment.id });
      const { status, message } = await refusalOf(call);
      assert.is(status, 500);
      assert.match(message, 'stand-in bug');
      assert.match(hub.violations.join(), 'updated_at');
    },
    { allowsViolations: true },
  ));

test('a body that is not a JSON object gets 400', () =>
  withGithub(async ({ hub }) => {
    for (const body of ['{', '[]', 'null', '"x"', '{"body":'.repeat(10_000)]) {
      const answer = await fetch(`${hub.url}/repos/ada/demo/issues/1/comments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${hub.token}` },
        body,
      });
      assert.is(answer.status, 400, body.slice(0, 20));
    }
    assert.equal(hub.state.comments, []);
  }));

test.run();
