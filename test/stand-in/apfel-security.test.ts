import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { needsOwnServer, rawRequest, say, withStandIn, withTarget } from './apfel-target.js';

const test = suite('stand-in/apfel-security');

const PATHS = ['/health', '/v1/models'];

test('a request for another host name is forbidden, also to /health', () =>
  withTarget(async ({ url }) => {
    for (const path of PATHS) {
      const reply = await rawRequest(url + path, { headers: { host: 'evil.example:11434' } });
      assert.is(reply.status, 403);
      assert.is(JSON.parse(reply.text).error.type, 'forbidden');
    }
  }));

test('loopback names are allowed with any port', () =>
  withTarget(async ({ url }) => {
    for (const host of ['localhost:9', '127.0.0.1:9', '[::1]:9', 'localhost', 'LOCALHOST']) {
      const reply = await rawRequest(`${url}/health`, { headers: { host } });
      assert.is(reply.status, 200, host);
    }
  }));

test('other origins are forbidden on every route, before any other check', () =>
  withTarget(async ({ get, post }) => {
    const others = ['http://localhost.evil.com', 'HTTP://LOCALHOST', 'null'];
    for (const origin of ['https://evil.example', ...others]) {
      for (const path of [...PATHS, '/v1/logs']) {
        const reply = await get(path, { origin });
        assert.is(reply.status, 403, `${origin} ${path}`);
        assert.is(reply.json.error.type, 'forbidden');
      }
      assert.is((await post('{', { origin })).status, 403);
    }
  }));

test('local origins are allowed on any port and echoed', () =>
  withTarget(async ({ get }) => {
    for (const origin of ['http://localhost:3', 'https://127.0.0.1', 'http://[::1]:5173']) {
      const reply = await get('/health', { origin });
      assert.is(reply.status, 200, origin);
      assert.is(reply.headers.get('access-control-allow-origin'), origin);
      assert.match(reply.headers.get('vary') ?? '', /Origin/);
    }
  }));

test('without an origin no header allows one', () =>
  withTarget(async ({ get }) => {
    const reply = await get('/health');
    assert.is(reply.status, 200);
    assert.is(reply.headers.get('access-control-allow-origin'), null);
  }));

test('a preflight request gets 204 before any check, and no header that allows it', () =>
  withTarget(async ({ url }) => {
    const reply = await rawRequest(`${url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    });
    assert.is(reply.status, 204);
    assert.not('access-control-allow-origin' in reply.headers);
    assert.not('access-control-allow-headers' in reply.headers);
  }));

test.unless(needsOwnServer, 'with cors the preflight echoes what was asked for', () =>
  withStandIn({ cors: true }, async ({ url }) => {
    const reply = await rawRequest(`${url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:3', 'access-control-request-headers': 'x-mine' },
    });
    assert.is(reply.headers['access-control-allow-origin'], 'http://localhost:3');
    assert.is(reply.headers['access-control-allow-headers'], 'x-mine');
  }),
);

test.unless(needsOwnServer, 'without the origin check every origin is allowed', () =>
  withStandIn({ originCheck: false }, async ({ url }) => {
    const headers = { host: 'evil.example', origin: 'https://evil.example' };
    const reply = await rawRequest(`${url}/health`, { headers });
    assert.is(reply.status, 200);
    assert.is(reply.headers['access-control-allow-origin'], '*');
  }),
);

test.unless(needsOwnServer, 'with a token every request needs it, except /health', () =>
  withStandIn({ token: 's3cret' }, async ({ get, post }) => {
    const refused = await get('/v1/models', { origin: 'http://localhost:3' });
    assert.is(refused.status, 401);
    assert.is(refused.headers.get('www-authenticate'), 'Bearer');
    assert.is(refused.headers.get('access-control-allow-origin'), 'http://localhost:3');
    assert.is(refused.json.error.type, 'authentication_error');
    assert.is((await post(say('hi'), { authorization: 'Bearer wrong!' })).status, 401);
    assert.is((await post(say('hi'), { authorization: 'bearer s3cret' })).status, 401);
    assert.is((await post(say('hi'), { authorization: 'Bearer s3cret' })).status, 200);
    assert.is((await post(say('hi'), { authorization: 's3cret' })).status, 200);
    assert.is((await get('/health')).status, 200);
  }),
);

test.unless(needsOwnServer, 'the origin is checked before the token', () =>
  withStandIn({ token: 's3cret' }, async ({ get }) => {
    assert.is((await get('/v1/models', { origin: 'https://evil.example' })).status, 403);
  }),
);

test.unless(needsOwnServer, 'with an empty token every request is refused', () =>
  withStandIn({ token: '' }, async ({ get, url }) => {
    for (const authorization of ['', 'Bearer ', 'Bearer x'])
      assert.is((await rawRequest(`${url}/v1/models`, { headers: { authorization } })).status, 401);
    assert.is((await get('/health')).status, 200);
  }),
);

test.unless(
  needsOwnServer,
  'on every interface /health needs the token too, unless it is public',
  async () => {
    const token = 's3cret';
    await withStandIn({ host: '0.0.0.0', token }, async ({ get, url }) => {
      assert.is((await get('/health')).status, 401);
      assert.is((await get('/health', { authorization: `Bearer ${token}` })).status, 200);
      const headers = { host: 'mac.local', authorization: `Bearer ${token}` };
      assert.is((await rawRequest(`${url}/health`, { headers })).status, 200);
    });
    await withStandIn({ host: '0.0.0.0', token, publicHealth: true }, async ({ get }) => {
      assert.is((await get('/health')).status, 200);
    });
  },
);

test('the logs endpoint does not exist', () =>
  withTarget(async ({ get }) => {
    for (const path of ['/v1/logs', '/v1/logs/stats']) {
      const reply = await get(path);
      assert.is(reply.status, 404);
      assert.is(reply.json.error.type, 'invalid_request_error');
    }
  }));

test.unless(needsOwnServer, 'with debug the logs keep bodies, and their limit is bounded', () =>
  withStandIn({ debug: true }, async ({ get, post }) => {
    await post(say('remember me'));
    await post(say('bad', { n: 2 }));
    const { json } = await get('/v1/logs?limit=0');
    assert.is(json.data.length, 1);
    assert.is((await get('/v1/logs?limit=99999')).status, 200);
    const failed = (await get('/v1/logs?errors=true')).json.data;
    assert.equal(
      failed.map((entry: { status: number }) => entry.status),
      [400],
    );
    assert.match(JSON.stringify((await get('/v1/logs?status=200')).json.data), /remember me/);
    const all = (await get('/v1/logs?limit=1000')).json.data;
    assert.match(JSON.stringify(all[0]), /remember me/);
    assert.ok((await get('/v1/logs/stats')).json.total_requests >= 2);
  }),
);

test.run();
