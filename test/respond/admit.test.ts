import * as assert from 'uvu/assert';
import { admit, type Facts } from '../../src/respond/admit.js';
import { parseCommand } from '../../src/respond/parse-command.js';
import { suite } from '../support/suite.js';
import {
  AFTER_NOON,
  BEFORE_NOON,
  HEAD,
  NOON,
  REPOSITORY,
  someComment,
  somePull,
} from './made-conversation.js';

const test = suite('respond/admit');
const OTHER = 'f'.repeat(40);

function facts(body: string, parts: Partial<Facts> = {}): Facts {
  const command = parseCommand(body);
  if (command.kind === 'none') throw new Error(`${body} is no command`);
  return {
    comment: someComment({ body }),
    command,
    bodyAtEvent: body,
    permission: 'write',
    repository: REPOSITORY,
    pull: somePull(),
    headMovedAt: BEFORE_NOON,
    ...parts,
  };
}

/** `run`, `help`, … or the kind of the refusal. */
function ending(body: string, parts: Partial<Facts> = {}): string {
  const admission = admit(facts(body, parts));
  return admission.kind === 'refuse' ? admission.why.kind : admission.kind;
}

const fromFork = (repository: string | null) =>
  somePull({ head: { sha: HEAD, ref: 'topic', repository } });

for (const verb of ['review', 'fix-lint', 'describe', 'ask why?']) {
  test(`${verb} runs for people who may write`, () => {
    for (const permission of ['write', 'maintain', 'admin'] as const) {
      assert.is(ending(`/apfel ${verb}`, { permission }), 'run');
    }
  });
  test(`${verb} is refused to everyone else`, () => {
    for (const permission of ['none', 'read', 'triage'] as const) {
      assert.is(ending(`/apfel ${verb}`, { permission }), 'stranger');
    }
  });
}

test("people without write permission can't use help or a wrong command either", () => {
  for (const body of ['/apfel help', '/apfel nonsense', '/apfel ignore 0123456789abcdef']) {
    assert.is(ending(body, { permission: 'read' }), 'stranger');
  }
});

test('a command on a closed pull request is refused', () => {
  assert.is(ending('/apfel review', { pull: somePull({ isOpen: false }) }), 'closed');
});

test('a command on a locked pull request is refused', () => {
  assert.is(ending('/apfel review', { pull: somePull({ isLocked: true }) }), 'locked');
});

test('a comment that was edited is refused, even when it says the same again', () => {
  const comment = someComment({ body: '/apfel review', updatedAt: AFTER_NOON });
  assert.is(ending('/apfel review', { comment }), 'edited');
});

test('a comment that says something else than the event did is refused', () => {
  assert.is(ending('/apfel fix-lint', { bodyAtEvent: '/apfel review' }), 'edited');
});

test('a fork may be reviewed, but its linters are not run', () => {
  const pull = fromFork('eve/engine');
  for (const verb of ['review', 'describe', 'ask why?']) {
    assert.is(ending(`/apfel ${verb}`, { pull }), 'run');
  }
  assert.is(ending('/apfel fix-lint', { pull }), 'fork');
  assert.is(ending(`/apfel fix-lint ${HEAD}`, { pull }), 'fork');
});

test('a fork that was deleted is still a fork', () => {
  assert.is(ending('/apfel fix-lint', { pull: fromFork(null) }), 'fork');
});

test('the same repository in another letter case is not a fork', () => {
  assert.is(ending('/apfel fix-lint', { pull: fromFork('Ada/Engine') }), 'run');
});

test('a push after the comment is refused, with what to write instead', () => {
  const { why } = refusal(facts('/apfel fix-lint', { headMovedAt: AFTER_NOON }));
  assert.equal(why, { kind: 'pushed', head: HEAD, again: `/apfel fix-lint ${HEAD}` });
  const asked = refusal(facts('/apfel ask why?', { headMovedAt: AFTER_NOON }));
  assert.equal(asked.why, { kind: 'pushed', head: HEAD, again: `/apfel ask ${HEAD}: …` });
});

test('a push in the same second, or at an unreadable time, is refused', () => {
  for (const headMovedAt of [NOON, '2026-05-01T12:00:00.000Z', 'yesterday', '']) {
    assert.is(ending('/apfel review', { headMovedAt }), 'pushed');
  }
});

test('a head that never moved is accepted', () => {
  assert.is(ending('/apfel review', { headMovedAt: undefined }), 'run');
});

test('a command that names the full commit id is accepted, whatever was pushed when', () => {
  for (const body of [`review ${HEAD}`, `fix-lint ${HEAD}`, `ask ${HEAD}: why?`]) {
    assert.is(ending(`/apfel ${body}`, { headMovedAt: AFTER_NOON }), 'run');
  }
});

test('a command that names only the first digits of a commit is refused, because another can share them', () => {
  const short = HEAD.slice(0, 12);
  assert.is(ending(`/apfel fix-lint ${short}`, { headMovedAt: AFTER_NOON }), 'pushed');
  assert.is(ending(`/apfel fix-lint ${short}`), 'run');
});

test('a commit that is not the head is refused', () => {
  assert.is(ending(`/apfel fix-lint ${OTHER}`), 'other-commit');
  assert.is(ending(`/apfel review ${OTHER.slice(0, 7)}`), 'other-commit');
  assert.is(ending(`/apfel ask ${OTHER}: why?`), 'other-commit');
});

test('help and ignore do not depend on the head', () => {
  assert.is(ending('/apfel help', { headMovedAt: AFTER_NOON }), 'help');
  assert.equal(admit(facts('/apfel ignore 0123456789abcdef', { headMovedAt: AFTER_NOON })), {
    kind: 'ignore-finding',
    id: '0123456789abcdef',
  });
});

function refusal(given: Facts) {
  const admission = admit(given);
  if (admission.kind !== 'refuse') throw new Error(`${admission.kind}, not refused`);
  return admission;
}

test.run();
