import { beforeEach, describe, expect, it } from 'vitest';
import type { Turn } from '../../src/conversation/turn.ts';
import { createLog } from '../../src/log.ts';
import { type AgentSessions, createAgentSessions } from '../../src/slack/agent-sessions.ts';
import { SlackRateLimitedError, SlackRefusedError } from '../../src/slack/web/slack-errors.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { aSlack, NAMERS } from './a-slack.ts';

let statuses: unknown[];
let titles: unknown[];
/** What Slack does with the next calls, first to last; it takes all others. */
let refusals: (Error | undefined)[];
let sessions: AgentSessions;

beforeEach(() => {
  statuses = [];
  titles = [];
  refusals = [];
  const { call } = aSlack((_, { status, title }) => {
    statuses.push(status);
    titles.push(title);
    const refusal = refusals.shift();
    if (refusal) throw refusal;
  });
  sessions = createAgentSessions({ ...NAMERS, call, log: createLog('silent') });
});

const LIMITED = new SlackRateLimitedError('agents.sessions.setStatus', 1_000);

async function work(turn: Turn): Promise<unknown[]> {
  sessions.begin(turn);
  await sessions.end(turn);
  return statuses.splice(0);
}

it.each(['not_agent_app', 'unknown_method', 'not_authorized', 'feature_not_enabled', 'method_deprecated'])(
  'a thread shows a line of the older method where Slack has no sessions (%s), which is remembered',
  async (code) => {
    refusals = [new SlackRefusedError('agents.sessions.setStatus', code)];

    const shown = [await work(aTurn({ fence: 1 })), await work(aTurn({ fence: 1 }))];

    expect(shown).toEqual([
      ['processing', 'is looking that up…', ''],
      ['is looking that up…', ''],
    ]);
  },
);

it('a session is called by the names of those whom its question mentions', async () => {
  await work(aTurn({ question: aQuestion({ text: 'what does @UBEN say in #C0GENERAL?' }) }));

  expect(titles).toEqual(['what does @Name of UBEN say in #general?', undefined]);
});

describe('the end of a session', () => {
  it('is said where its beginning was taken, and not where it was refused', async () => {
    const taken = await work(aTurn({ fence: 1 }));
    refusals = [LIMITED];
    const refused = await work(aTurn({ fence: 1 }));

    expect([taken, refused]).toEqual([['processing', 'active'], ['processing']]);
  });

  it('is said for what an earlier run began and did not end, and once more when nothing of that can be on its way', async () => {
    refusals = [LIMITED];
    const inDoubt = work(aTurn({ fence: 2 }));

    await expect(inDoubt).rejects.toMatchObject({ code: 'status_in_doubt', retryAfterMs: 15_000 });
    expect(statuses.splice(0)).toEqual(['processing', 'active']);
    await sessions.end(aTurn({ fence: 2, endsWork: true }));
    expect(statuses).toEqual(['active']);
  });

  it('is not said again for a run that ended it', async () => {
    await sessions.end(aTurn({ fence: 1 }));
    await sessions.end(aTurn({ fence: 3, idleAt: 2 }));
    const ended = [...statuses];
    await sessions.end(aTurn({ fence: 3, idleAt: 1 })).catch(() => undefined);

    expect([ended, statuses]).toEqual([[], ['active']]);
  });
});

describe('the end of a session with a stream', () => {
  const stop = async () => void statuses.push('stream ended');
  const fail = () => Promise.reject(LIMITED);
  const settled = () => new Promise(setImmediate);

  it.each([
    ['is not said once more', true, stop, ['processing', 'stream ended']],
    ['is said where its beginning was still on its way', false, stop, ['stream ended', 'processing', 'active']],
    ['is said where the stream could not be ended', true, fail, ['processing', 'active']],
  ])('%s', async (_, isKnown, end, said) => {
    const turn = aTurn({ fence: 1 });
    sessions.begin(turn);
    if (isKnown) await settled();
    await sessions.endWith(turn, end).catch(() => undefined);
    await sessions.end(turn);

    expect(statuses).toEqual(said);
  });

  it('is said by a later run, which may have begun again', async () => {
    const turn = aTurn({ fence: 1 });
    sessions.begin(turn);
    await settled();
    await sessions.endWith(turn, stop);
    await sessions.end(turn);

    await work(aTurn({ fence: 2 })).catch(() => undefined);

    expect(statuses.at(-1)).toBe('active');
  });
});
