import { describe, expect, it } from 'vitest';
import { aSession } from './a-session.ts';
import { type Answer, type SeenRequest, startScriptedAdmin } from './scripted-admin.ts';

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ name: `agent-${from + index}` }));

const optionsOf = (request: SeenRequest | undefined) =>
  (request?.body as { Options?: { Top: number; Skip: number } } | undefined)?.Options;

describe('paging', () => {
  it('sends no Options first, and asks on with Skip while the answer says there is more', async () => {
    const { session, seen } = await startScriptedAdmin((request) => {
      const skip = optionsOf(request)?.Skip ?? 0;
      const page = rows(skip, Math.min(skip + 2, 5));
      return { body: { totalRecords: 5, resultTruncated: skip + 2 < 5 ? 1 : 0, skipToken: 'stuck', data: page } };
    });

    const found = await session.findAgents();

    expect(found.rows.map(({ name }) => name)).toEqual(['agent-0', 'agent-1', 'agent-2', 'agent-3', 'agent-4']);
    expect(found.truncated).toBe(false);
    expect(seen.map(optionsOf)).toEqual([undefined, { Top: 1000, Skip: 2 }, { Top: 1000, Skip: 4 }]);
  });

  it.each<[string, (skip: number | undefined) => Answer, boolean]>([
    [
      'stops and says so where the service sends the same page again',
      () => ({ body: { resultTruncated: true, skipToken: 'x', data: rows(0, 3) } }),
      true,
    ],
    [
      'takes a token that comes with the last page for what it is',
      (skip) => ({ body: { skipToken: 'always', data: skip ? [] : rows(0, 3) } }),
      false,
    ],
    [
      'keeps what it has, and says that there is more, where the service refuses Options',
      (skip) => (skip ? { status: 400 } : { body: { resultTruncated: 'true', data: rows(0, 3) } }),
      true,
    ],
    [
      'counts a row that comes on two pages once, and says that another must be missing',
      (skip) => ({ body: { totalRecords: 4, data: skip ? rows(1, 3) : rows(0, 2) } }),
      true,
    ],
  ])('%s', async (_, answer, truncated) => {
    const { session, seen } = await startScriptedAdmin((request) => answer(optionsOf(request)?.Skip));

    const found = await session.findAgents();

    expect(found.rows).toHaveLength(3);
    expect(found.truncated).toBe(truncated);
    expect(seen).toHaveLength(2);
  });

  it('ends with an error, not with half a list, where a later page fails', async () => {
    const { session } = await startScriptedAdmin((request) =>
      optionsOf(request) ? { status: 403 } : { body: { resultTruncated: true, data: rows(0, 3) } },
    );

    await expect(session.findAgents()).rejects.toMatchObject({ code: 'admin_forbidden' });
  });
});

describe('reading', () => {
  it.each<[string, Answer, string]>([
    ['401', { status: 401 }, 'admin_unauthorized'],
    ['403', { status: 403 }, 'admin_forbidden'],
    ['404', { status: 404 }, 'admin_not_offered'],
    ['400', { status: 400 }, 'admin_rejected'],
    ['500', { status: 500 }, 'admin_failed'],
    ['500 that names a wait', { status: 500, headers: { 'retry-after': '30' } }, 'admin_failed'],
    ['504', { status: 504 }, 'admin_unreachable'],
    ['a reset', 'reset', 'admin_unreachable'],
    ['silence', 'silence', 'admin_unreachable'],
    ['HTML', { text: '<html>sign in</html>' }, 'admin_unreadable'],
    ['JSON that holds no list', { body: { agents: [] } }, 'admin_unreadable'],
    ['more than can be held', { text: ' '.repeat(4 * 1024 * 1024 + 1) }, 'admin_unreadable'],
    ['429 with a long wait', { status: 429, headers: { 'retry-after': '30' } }, 'admin_throttled'],
  ])('is not repeated after %s', async (_, answer, code) => {
    const timeoutMs = answer === 'silence' ? 500 : 30_000;
    const { session, seen } = await startScriptedAdmin(() => answer, { timeoutMs });

    await expect(session.findAgents()).rejects.toMatchObject({ code });
    expect(seen).toHaveLength(1);
  });

  it.each<[string, Answer]>([
    ['503', { status: 503 }],
    ['429 without a wait', { status: 429 }],
    ['429 with a short wait', { status: 429, headers: { 'retry-after': '1' } }],
  ])('is repeated after %s', async (_, answer) => {
    const { session, seen } = await startScriptedAdmin((_request, count) =>
      count === 1 ? answer : { body: rows(0, 1) },
    );

    const found = await session.findAgents();

    expect(found.rows).toHaveLength(1);
    expect(seen).toHaveLength(2);
  });

  it('is given up after two repetitions, with the wait that the service named', async () => {
    const { session, seen } = await startScriptedAdmin(() => ({ status: 429, headers: { 'retry-after': '0' } }));

    await expect(session.findAgents()).rejects.toMatchObject({ code: 'admin_throttled', retryAfterMs: 0 });
    expect(seen).toHaveLength(3);
  });

  it('keeps what the service says about a refusal, on one line of at most 200 characters', async () => {
    const message = `Too\nmuch \u0007<b>${'x'.repeat(500)}`;
    const { session } = await startScriptedAdmin(() => ({ status: 400, body: { error: { code: 'Bad', message } } }));

    const failure = await session.findAgents().catch((error: unknown) => error);

    const { explanation } = failure as { explanation: string };
    expect(explanation.startsWith('Too much <b>xxx')).toBe(true);
    expect(explanation).toHaveLength(200);
  });

  it('never puts the token into an error', async () => {
    const { client } = await startScriptedAdmin(() => 'reset');

    const failure = await aSession(client, 'secret-token')
      .findAgents()
      .catch((error: unknown) => error);

    const { stack, cause } = failure as Error;
    expect(`${stack} ${JSON.stringify(failure)} ${(cause as Error).stack}`).not.toContain('secret-token');
  });
});
