import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { lookAtInterfaces } from '../../src/doctor/look-at-interfaces.ts';
import { createHttpClient } from '../../src/http/http-client.ts';
import { aConfig } from '../a-config.ts';
import { type Loopback, listen } from '../http/loopback.ts';

const servers: Loopback[] = [];
const http = createHttpClient();

afterAll(() => http.close());
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

type Asked = { path: string; body: string; authorization: string | undefined };

/** What is said of an assistant service that answers so, and what it was asked. */
async function look(status: number, headers: Record<string, string> = {}, changes: Record<string, string> = {}) {
  const asked: Asked[] = [];
  const server = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ path: request.url ?? '', body, authorization: request.headers.authorization });
    response.writeHead(status, headers).end(body);
  });
  servers.push(server);
  const findings = await lookAtInterfaces(aConfig({ ASSISTANT_BASE_URL: server.url, ...changes }), http);
  return { findings, asked, finding: findings[1] };
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };

describe('the doctor and a service that is asked without a token', () => {
  it.each([401, 403])('finds it right where it asks for one: %i', async (status) => {
    const { finding } = await look(status, { 'content-type': 'application/json' });

    expect(finding).toEqual({
      level: 'ok',
      sentence: 'The assistant service asks for a token at /rest/conversations, as it should.',
      details: [],
      variable: 'ASSISTANT_BASE_URL',
    });
  });

  it.each([
    [404, {}, 'error', /has no \/rest\/conversations \(status 404\)\. Check the host and the path of ASSISTANT_BASE/],
    [404, HTML, 'error', /\(status 404, a web page\)\. Check the host and the path of ASSISTANT_BASE_URL/],
    [403, HTML, 'error', /^Something else answers for .*, with a web page \(status 403\): perhaps a firewall/],
    [200, HTML, 'error', /with a web page \(status 200\)/],
    [200, {}, 'error', /answers without asking who we are \(status 200\)/],
    [302, {}, 'error', /this is something else\. Check ASSISTANT_BASE_URL/],
    [400, {}, 'warning', /reads a request before it asks for a token \(status 400\)/],
    [429, {}, 'warning', /limits how often it may be asked/],
    [503, {}, 'warning', /has a fault of its own \(status 503\)/],
  ])('says what is wrong with another answer: %i %o', async (status, headers, level, sentence) => {
    const { finding } = await look(status, headers);

    expect(finding).toMatchObject({ level, sentence: expect.stringMatching(sentence) });
  });

  it('sends nothing that anybody could do something with', async () => {
    const { asked } = await look(401);

    const sent = asked.filter(({ path }) => path === '/rest/conversations');
    expect(sent).toHaveLength(1);
    for (const { body, authorization } of asked) {
      expect(() => JSON.parse(body || '{')).toThrow(SyntaxError);
      expect(authorization).toBeUndefined();
    }
  });
});
