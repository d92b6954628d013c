import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { clientOf, refusalOf, withGithub } from './github-with-github.js';

const test = suite('stand-in/github-checks');

const note = (line: number) => ({
  path: 'lines.txt',
  start_line: line,
  end_line: line,
  annotation_level: 'warning' as const,
  message: `about line ${line}`,
});

const notes = (count: number) => Array.from({ length: count }, (_, index) => note(index + 1));

test('fifty annotations fit into one request and one more does not', () =>
  withGithub(
    async ({ hub, rest, at, head }) => {
      const check = { ...at, name: 'x', head_sha: head };
      const output = { title: 't', summary: 's' };
      const many = { ...check, output: { ...output, annotations: notes(51) } };
      assert.is((await refusalOf(rest.checks.create(many))).status, 422);
      assert.equal(hub.state.checks, []);
      assert.is(hub.violations.length, 1);
      await rest.checks.create({ ...check, output: { ...output, annotations: notes(50) } });
      assert.is(hub.state.checks[0]?.annotations.length, 50);
    },
    { allowsViolations: true },
  ));

test('annotations of later requests are added to the earlier ones', () =>
  withGithub(async ({ rest, at, head }) => {
    const output = { title: 't', summary: 's', annotations: notes(40) };
    const { data } = await rest.checks.create({ ...at, name: 'x', head_sha: head, output });
    const updated = await rest.checks.update({ ...at, check_run_id: data.id, output });
    assert.is(updated.data.output.annotations_count, 80);
    const listed = await rest.paginate(rest.checks.listAnnotations, {
      ...at,
      check_run_id: data.id,
    });
    assert.is(listed.length, 80);
  }));

test('checks of a name are listed newest first, and only the latest of them by default', () =>
  withGithub(async ({ rest, at, head }) => {
    const check = { ...at, head_sha: head };
    await rest.checks.create({ ...check, name: 'x' });
    const second = await rest.checks.create({ ...check, name: 'x' });
    await rest.checks.create({ ...check, name: 'y' });
    const list = { ...at, ref: 'feature', check_name: 'x' };
    const latest = (await rest.checks.listForRef(list)).data;
    assert.equal(
      latest.check_runs.map(run => run.id),
      [second.data.id],
    );
    const all = (await rest.checks.listForRef({ ...list, filter: 'all' })).data;
    assert.equal(
      all.check_runs.map(run => run.id),
      [second.data.id, second.data.id - 1],
    );
  }));

test('a conclusion completes a check', () =>
  withGithub(async ({ rest, at, head }) => {
    const check = { ...at, name: 'x', head_sha: head };
    const { data: queued } = await rest.checks.create(check);
    assert.equal([queued.status, queued.conclusion], ['queued', null]);
    const { data: done } = await rest.checks.update({
      ...at,
      check_run_id: queued.id,
      conclusion: 'failure',
    });
    assert.equal([done.status, done.conclusion], ['completed', 'failure']);
  }));

test('a check needs an existing commit, lines in order, and columns only for a single line', () =>
  withGithub(async ({ hub, rest, at, head }) => {
    const output = { title: 't', summary: 's' };
    const attempts = [
      { head_sha: 'f'.repeat(40), output },
      { head_sha: head, output: { ...output, annotations: [{ ...note(5), end_line: 4 }] } },
      { head_sha: head, output: { ...output, annotations: [note(0)] } },
      {
        head_sha: head,
        output: { ...output, annotations: [{ ...note(5), message: 'x'.repeat(65_537) }] },
      },
      {
        head_sha: head,
        output: { ...output, annotations: [{ ...note(5), title: 'x'.repeat(256) }] },
      },
      {
        head_sha: head,
        output: { ...output, annotations: [{ ...note(5), end_line: 6, start_column: 1 }] },
      },
    ];
    for (const attempt of attempts) {
      const { status } = await refusalOf(rest.checks.create({ ...at, name: 'x', ...attempt }));
      assert.is(status, 422, JSON.stringify(attempt));
    }
    assert.equal(hub.state.checks, []);
  }));

test('only apps can create checks, and they can change only their own', () =>
  withGithub(
    async ({ hub, rest, at, head }) => {
      const check = { ...at, name: 'x', head_sha: head };
      const person = clientOf(hub, 'ghp_ada');
      const refusal = await refusalOf(person.checks.create(check));
      assert.is(refusal.status, 403);
      assert.match(refusal.message, 'GitHub App');
      const { data } = await rest.checks.create(check);
      const other = clientOf(hub, 'ghs_other');
      const change = { ...at, check_run_id: data.id, name: 'y' };
      assert.is((await refusalOf(other.checks.update(change))).status, 403);
    },
    {
      tokens: [
        { token: 'ghs_test' },
        { token: 'ghp_ada', login: 'ada', kind: 'user' },
        { token: 'ghs_other', login: 'other[bot]' },
      ],
    },
  ));

test.run();
