import { setTimeout as wait } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import * as assert from 'uvu/assert';
import { openProgress } from '../../src/platform/progress.js';
import { suite } from '../support/suite.js';

const test = suite('platform/progress');

/** Runs work that has the screen of a terminal; returns all that was written to it, and what was said. */
async function onTerminal(
  work: (
    progress: ReturnType<typeof openProgress>,
    shows: (text: string) => Promise<string>,
  ) => Promise<unknown>,
): Promise<{ readonly screen: string; readonly said: readonly string[] }> {
  const said: string[] = [];
  let screen = '';
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = (chunk: string | Uint8Array): boolean => {
    screen += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return true;
  };
  const shows = async (text: string): Promise<string> => {
    while (!screen.includes(text)) await wait(5);
    return stripVTControlCharacters(screen);
  };
  try {
    const say = (line: string): void => void said.push(line);
    await work(openProgress({ isTerminal: true, isQuiet: false, say }), shows);
  } finally {
    process.stderr.write = write;
  }
  return { screen: stripVTControlCharacters(screen), said };
}

test('a list of stages shows what is done, what runs with its parts, and what is still to come', async () => {
  const { screen, said } = await onTerminal((progress, shows) =>
    progress.list(['First', 'Unneeded', 'Second', 'Third'], async () => {
      await progress.stage('First', () => shows('Third'));
      await progress.stage('Second', async row => {
        row.update('2 of 9');
        row.part('a.ts: done');
        row.line('b.ts: kept');
        await shows('2 of 9');
        await shows('b.ts: kept');
      });
    }),
  );
  assert.match(screen, /✔ First/);
  assert.match(screen, /↓ Unneeded/);
  assert.match(screen, /Second: 2 of 9/);
  assert.match(screen, /a\.ts: done/);
  assert.equal(said, ['b.ts: kept']);
});

test('a stage with parts that was done before anything was shown is a finished row', async () => {
  const { screen, said } = await onTerminal((progress, shows) =>
    progress.list(['Quick', 'Slow'], async () => {
      await progress.stage('Quick', async row => {
        row.part('a.ts: done');
        row.line('b.ts: kept');
      });
      await progress.stage('Slow', () => shows('Slow'));
    }),
  );
  assert.match(screen, /✔ Quick/);
  assert.equal(said, ['b.ts: kept']);
});

test('a stage that is not needed never shows as running', async () => {
  await onTerminal((progress, shows) =>
    progress.list(['First', 'Unneeded'], async () => {
      await progress.stage('First', () => shows('Unneeded'));
      await shows('✔');
      // Long enough for a spinner to turn.
      await wait(400);
      const screen = await shows('◼');
      assert.not.match(screen, /[\u2800-\u28ff] Unneeded/);
    }),
  );
});

test('a stage that is done at once shows nothing, and its value and error are returned unchanged', async () => {
  const { screen, said } = await onTerminal(async progress => {
    assert.is(await progress.stage('Only', async () => 7), 7);
    const failure = await progress
      .list(['Only'], () => progress.stage('Only', () => Promise.reject(new Error('as it was'))))
      .catch(thrown => thrown.message);
    assert.is(failure, 'as it was');
  });
  assert.is(screen, '');
  assert.equal(said, []);
});

test.run();
