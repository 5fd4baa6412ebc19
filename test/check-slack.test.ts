import { type SandboxSlack, startSlack } from '@assistant-bridge/sandbox/slack/start-slack.ts';
import { useFakeTimers } from 'sinon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareFacts, findLine } from '../scripts/check-slack/compare-facts.ts';
import { FACTS } from '../scripts/check-slack/facts.ts';
import { type Look, openProbe } from '../scripts/check-slack/probe.ts';
import { createHttpClient, type HttpClient } from '../src/http/http-client.ts';
import { runScript } from './run-script.ts';

let slack: SandboxSlack;
let http: HttpClient;
/** Posts are let through one a second, by a clock that only goes on where somebody waits. */
let clock: ReturnType<typeof useFakeTimers>;
const wait = async (ms: number) => clock.tick(ms);

beforeAll(async () => {
  clock = useFakeTimers({ now: Date.now(), toFake: ['Date'] });
  // It plays the real one.
  slack = await startSlack({ rateLimits: 'documented' });
  http = createHttpClient();
});
afterAll(async () => {
  clock.restore();
  await http.close();
  await slack.close();
});

const lookAsBen: Look = async ({ channel, threadTs, words }) => {
  const isThere = slack
    .as('U0BEN')
    .sees(channel, threadTs)
    .some(({ text }) => text === words);
  return isThere ? 'shown' : 'not shown';
};

async function compare({ only = '', look = lookAsBen }: { only?: string; look?: Look } = {}) {
  const lines: string[] = [];
  const { apiUrl, botToken: token } = slack;
  const probe = await openProbe({ http, wait, apiUrl, token, channel: 'C0GENERAL', user: 'U0BEN', look });
  const facts = FACTS.filter(({ name }) => name.includes(only));
  const differing = await compareFacts(probe, { http, wait, facts, print: (line) => void lines.push(line) });
  return { differing, lines };
}

describe('the facts about Slack', () => {
  it('are each played by a line of the sandbox', () => {
    for (const fact of FACTS) expect(findLine(fact)).toMatch(/^test\/sandbox\/slack\/.+\.ts:\d+$/);
    expect(FACTS.length).toBeGreaterThanOrEqual(20);
    expect(new Set(FACTS.map(({ name }) => name)).size).toBe(FACTS.length);
  });

  it('are all the same where Slack is as the sandbox, and leave nothing behind', async () => {
    const before = slack
      .as('U0BEN')
      .sees('C0GENERAL')
      .filter(({ botId }) => botId).length;

    const { differing, lines } = await compare();

    expect(lines.filter((line) => !line.startsWith('✓'))).toEqual([]);
    expect(lines).toHaveLength(FACTS.length);
    expect(lines.filter((line) => line.includes('failed'))).toEqual([]);
    expect(differing).toBe(0);
    const left = slack
      .as('U0BEN')
      .sees('C0GENERAL')
      .filter(({ botId, ephemeralFor }) => botId && !ephemeralFor);
    expect(left).toHaveLength(before);
  });

  it('say where Slack differs, and which line of the sandbox is to be mended', async () => {
    slack.registration.isAgent = false;
    const { differing, lines } = await compare({ only: 'set to work' });
    slack.registration.isAgent = true;

    expect(differing).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(
        /^✗ the session of a thread, set to work: not_agent_app\. The sandbox: taken\. To mend: .*agents\.ts:\d+$/,
      ),
    ]);
  });

  it('that only people can tell do not differ where nobody looks', async () => {
    const { differing, lines } = await compare({
      only: 'a word to one person in a channel',
      look: async () => 'unseen',
    });

    expect(differing).toBe(0);
    expect(lines).toEqual(['· a word to one person in a channel: nobody looked. The sandbox: shown']);
  });
});

describe('npm run check:slack', () => {
  it('says what it needs, and that Slack does not take a token', async () => {
    const run = (options: string[], token: string) =>
      runScript(['check-slack.ts', ...options, '--url', slack.apiUrl], { SLACK_BOT_TOKEN: token });

    expect(await run([], '')).toMatchObject({ status: 1, report: expect.stringContaining('Set SLACK_BOT_TOKEN') });
    expect(await run(['--channel', 'C0GENERAL', '--user', 'U0BEN'], 'xoxb-1-other')).toMatchObject({
      status: 1,
      report: expect.stringContaining('Slack does not take the token (invalid_auth)'),
    });
  });
});
