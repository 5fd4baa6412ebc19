import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/doctor/check.ts';
import { ADMIN_INTERFACE, ASSISTANT_SERVICE } from '../../src/doctor/checks/services.ts';
import { aConfig } from '../a-config.ts';
import { findClosedUrl, type Loopback, listen as listenForAll } from '../http/loopback.ts';
import { startLooking } from './look.ts';

const { look, listen, findUnseen } = startLooking();

/** Nobody answers there, which takes five seconds: the other tests run meanwhile. */
let silent: Loopback;
let mute: Promise<Finding[]>;

beforeAll(async () => {
  silent = await listenForAll(() => undefined);
  mute = look(ASSISTANT_SERVICE, aConfig({ ASSISTANT_BASE_URL: silent.url }));
});
afterAll(() => silent.close());

type Asked = { path: string; body: string; authorization: string | undefined };

/** What is said of an assistant service that answers so, and what it was asked. */
async function ask(status: number, headers: Record<string, string> = {}) {
  const asked: Asked[] = [];
  const ASSISTANT_BASE_URL = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ path: request.url ?? '', body, authorization: request.headers.authorization });
    response.writeHead(status, headers).end(body);
  });
  const findings = await look(ASSISTANT_SERVICE, aConfig({ ASSISTANT_BASE_URL }));
  return { findings, asked, finding: findings[1] };
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };

describe('the doctor and a service that is asked without a token', () => {
  it.each([401, 403])('finds it right where it asks for one: %i', async (status) => {
    const { finding } = await ask(status, { 'content-type': 'application/json' });

    expect(finding).toEqual({
      level: 'ok',
      sentence: 'The assistant service asks for a token at /rest/conversations, as it should.',
      variable: 'ASSISTANT_BASE_URL',
    });
  });

  it.each([
    [404, {}, 'error', /has no \/rest\/conversations \(status 404\)\. Check the host and the path of ASSISTANT_BASE/],
    [404, HTML, 'error', /\(status 404, a web page\)\. Check the host and the path of ASSISTANT_BASE_URL/],
    [403, HTML, 'error', /^Something else answers for .*, with a web page \(status 403\): perhaps a firewall/],
    [200, HTML, 'error', /with a web page \(status 200\)/],
    [200, {}, 'error', /answers without asking for a token \(status 200\)/],
    [302, {}, 'error', /this is another service\. Check ASSISTANT_BASE_URL/],
    [400, {}, 'warning', /reads a request before it asks for a token \(status 400\)/],
    [429, {}, 'warning', /limits our requests/],
    [503, {}, 'warning', /itself has a problem \(status 503\)/],
  ])('says what is wrong with another answer: %i %o', async (status, headers, level, sentence) => {
    const { finding } = await ask(status, headers);

    expect(finding).toMatchObject({ level, sentence: expect.stringMatching(sentence) });
  });

  it('sends nothing that anybody could do something with', async () => {
    const { asked } = await ask(401);

    const sent = asked.filter(({ path }) => path === '/rest/conversations');
    expect(sent).toHaveLength(1);
    for (const { body, authorization } of asked) {
      expect(() => JSON.parse(body || '{')).toThrow(SyntaxError);
      expect(authorization).toBeUndefined();
    }
  });

  it('says so where nobody listens, or nobody answers', async () => {
    const closed = await look(ASSISTANT_SERVICE, aConfig({ ASSISTANT_BASE_URL: await findClosedUrl() }));

    expect(closed).toMatchObject([{ level: 'error', variable: 'ASSISTANT_BASE_URL' }]);
    expect(closed[0]?.sentence).toMatch(/cannot be reached \(ECONNREFUSED\)\. .* Check ASSISTANT_BASE_URL\.$/);
    expect(await mute).toMatchObject([{ level: 'ok' }, { level: 'error' }]);
    expect((await mute)[1]?.sentence).toMatch(/does not answer a request \(\/rest\/conversations\)/);
  });

  it('takes 400 of the administrative interface for a version that it does not have', async () => {
    const ADMIN_API_BASE_URL = await listen((_, response) => response.writeHead(400).end());

    const found = await look(ADMIN_INTERFACE, aConfig({ ADMIN_API_BASE_URL, ADMIN_SCOPE: 'api://admin' }));

    expect(found[1]).toMatchObject({ level: 'error', variable: 'ADMIN_API_BASE_URL' });
    expect(found[1]?.sentence).toContain('refuses the version of the interface (status 400)');
  });

  it('has a test for every sentence, here or through TLS', () => {
    expect(findUnseen(ASSISTANT_SERVICE)).toEqual(['certified', 'expiring']);
  });
});
