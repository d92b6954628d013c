import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import {
  installFakeApfel,
  installScript,
  standInCommand,
} from '../../fixtures/fake-apfel/install.js';
import type { FoundModel, Model } from '../../src/model/model.js';
import { suite } from '../support/suite.js';
import { eventually, type Machine, processesWith, withMachine } from './apfel-harness.js';
import { never, question, withServer } from './openai-harness.js';

const test = suite('model/kept-server');

function modelOf(found: FoundModel): Model {
  if (!found.available) throw new Error(found.reason);
  return found.model;
}

const HOUR_MS = 3_600_000;

const isGone = (model: Model) => async () =>
  (await processesWith(`--port ${new URL(model.facts.baseUrl).port}`)).length === 0;

/** A machine with apfel and a cache of its own; whatever was kept ends with the test. */
const withKept = (
  body: (
    machine: Machine & { inCache(name: string): string; end(model: Model): Promise<boolean> },
  ) => Promise<void>,
): Promise<void> =>
  withMachine(async machine => {
    await installFakeApfel(machine.bin);
    const inCache = (name: string): string => join(machine.bin, 'cache', 'apfel-bot', name);
    const environment = { ...machine.environment, XDG_CACHE_HOME: join(machine.bin, 'cache') };
    const find: Machine['find'] = changes => machine.find({ environment, ...changes });
    const end = async (model: Model): Promise<boolean> => {
      await rm(inCache('server.until'), { force: true });
      return eventually(isGone(model));
    };
    await body({ ...machine, find, inCache, end });
  });

test('a kept server answers the next run, and ends by itself when its time is over', () =>
  withKept(async ({ find, inCache, end }) => {
    const first = modelOf(await find({ keepAliveMs: HOUR_MS }));
    assert.is((await first.ask(question('Hello'), never)).kind, 'answer');
    await first.close();
    const second = modelOf(await find({ keepAliveMs: HOUR_MS }));
    assert.is(second.facts.baseUrl, first.facts.baseUrl);
    assert.is(second.facts.isOwn, true);
    assert.is((await second.ask(question('Hello'), never)).kind, 'answer');
    await second.close();
    // Also by a run that doesn't keep servers: there are never two.
    const third = modelOf(await find());
    assert.is(third.facts.baseUrl, first.facts.baseUrl);
    await third.close();
    assert.is((await stat(inCache('server.json'))).mode & 0o077, 0);
    assert.ok(
      Number.parseInt(await readFile(inCache('server.until'), 'utf8'), 10) > Date.now() / 1000,
    );
    await writeFile(inCache('server.until'), '1 over\n');
    assert.ok(await eventually(isGone(first)));
    const fourth = modelOf(await find({ keepAliveMs: HOUR_MS }));
    assert.is.not(fourth.facts.baseUrl, first.facts.baseUrl);
    await fourth.close();
    assert.ok(await end(fourth));
  }));

test('runs that start at the same time share one server', () =>
  withKept(async ({ bin, find, end }) => {
    const starts = join(bin, 'starts');
    await installScript(bin, `echo start >> '${starts}'\nexec ${standInCommand()} "$@"`);
    const found = await Promise.all([1, 2, 3].map(() => find({ keepAliveMs: HOUR_MS })));
    const [first, ...others] = found.map(modelOf);
    assert.ok(first);
    for (const model of others) assert.is(model.facts.baseUrl, first.facts.baseUrl);
    assert.is(await readFile(starts, 'utf8'), 'start\n');
    for (const model of [first, ...others]) await model.close();
    assert.ok(await end(first));
  }));

test('a run that ends leaves the server to the runs that still use it', () =>
  withKept(async ({ find, inCache, end }) => {
    const until = async (): Promise<number> =>
      Number.parseInt(await readFile(inCache('server.until'), 'utf8'), 10);
    const first = modelOf(await find({ keepAliveMs: 4000 }));
    const second = modelOf(await find({ keepAliveMs: 4000 }));
    await first.close();
    const soon = await until();
    assert.ok(await eventually(async () => (await until()) > soon));
    assert.is((await second.ask(question('Hello'), never)).kind, 'answer');
    assert.is(second.facts.baseUrl, first.facts.baseUrl);
    await second.close();
    assert.ok(await end(second));
  }));

test('a run that died while it started a server does not stop the next from starting one', () =>
  withKept(async ({ find, inCache, end }) => {
    const { pid } = spawnSync('true');
    await mkdir(inCache('.'), { recursive: true });
    await writeFile(inCache('server.lock'), String(pid));
    const model = modelOf(await find({ keepAliveMs: HOUR_MS }));
    assert.ok(existsSync(inCache('server.json')));
    assert.not(existsSync(inCache('server.lock')));
    await model.close();
    assert.ok(await end(model));
  }));

test('a kept server that was lost has ended before another is started', () =>
  withKept(async ({ find, inCache, end }) => {
    const first = modelOf(await find({ keepAliveMs: HOUR_MS }));
    await first.close();
    // As by a run that was killed while it waited for its server.
    await rm(inCache('server.json'));
    const second = modelOf(await find({ keepAliveMs: HOUR_MS }));
    assert.is.not(second.facts.baseUrl, first.facts.baseUrl);
    // There are never two, not even while the second starts.
    assert.ok(await isGone(first)());
    assert.is((await second.ask(question('Hello'), never)).kind, 'answer');
    assert.is(second.usage().retries, 0);
    await second.close();
    assert.ok(await end(second));
  }));

test('what has taken the port of a kept server is not used in its place', () =>
  withKept(async ({ find, inCache, end }) => {
    const first = modelOf(await find({ keepAliveMs: HOUR_MS }));
    await first.close();
    const other = await startStandIn({ token: 'another' });
    try {
      const record = JSON.parse(await readFile(inCache('server.json'), 'utf8'));
      const changed = JSON.stringify({ ...record, baseUrl: other.baseUrl });
      await writeFile(inCache('server.json'), changed);
      const second = modelOf(await find({ keepAliveMs: HOUR_MS }));
      assert.is.not(second.facts.baseUrl, other.baseUrl);
      await second.close();
      assert.ok(await eventually(isGone(first)));
      assert.ok(await end(second));
    } finally {
      await other.close();
    }
  }));

test('a kept server that is slow to answer is not replaced', () =>
  withKept(async ({ find, inCache, end }) => {
    const first = modelOf(await find({ keepAliveMs: HOUR_MS }));
    await first.close();
    let probes = 0;
    const answers = (_: IncomingMessage, response: ServerResponse): void => {
      probes += 1;
      if (probes === 1) return;
      response.end(JSON.stringify({ model: 'm', model_available: true, data: [] }));
    };
    await withServer(answers, async baseUrl => {
      const record = JSON.parse(await readFile(inCache('server.json'), 'utf8'));
      await writeFile(inCache('server.json'), JSON.stringify({ ...record, baseUrl }));
      const second = modelOf(await find());
      assert.is(second.facts.baseUrl, baseUrl);
      await second.close();
    });
    assert.ok(await end(first));
  }));

test('where nothing can be written, a server is started for the run alone', () =>
  withKept(async ({ bin, find }) => {
    await writeFile(join(bin, 'cache'), '');
    const model = modelOf(await find({ keepAliveMs: HOUR_MS }));
    assert.is((await model.ask(question('Hello'), never)).kind, 'answer');
    await model.close();
    assert.ok(await eventually(isGone(model)));
  }));

test('a kept server that dies in a run is replaced for that run', () =>
  withKept(async ({ find, end }) => {
    const first = modelOf(await find({ keepAliveMs: HOUR_MS }));
    await first.close();
    const second = modelOf(await find({ keepAliveMs: HOUR_MS }));
    assert.ok(await end(first));
    assert.is((await second.ask(question('Hello'), never)).kind, 'answer');
    assert.is.not(second.facts.baseUrl, first.facts.baseUrl);
    await second.close();
    assert.ok(await eventually(isGone(second)));
  }));

test.run();
