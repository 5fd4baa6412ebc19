// How a review that somebody asked for ends where it does not come to its end.
import { describe, expect, it } from 'vitest';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import { type BegunReview, carryOutReview, type RunPorts } from '../../../src/governance/review/slack-review.ts';
import { anAgent, anEnvironment, aRegister, aRegisteredEnvironment } from './review-world.ts';

type Logged = [fields: Record<string, unknown>, message: string];

/** What it told, and what it logged. */
function begin(session: Partial<AdminSession>) {
  const changed: string[] = [];
  const logged: Logged[] = [];
  const direct = {
    post: async () => 'ts-2',
    change: async (_: string, { text }: { text: string }) => void changed.push(text),
    touch: async () => undefined,
  };
  const register = aRegister({ environments: [aRegisteredEnvironment()] });
  const begun = {
    caller: { team: 'T1', workspace: 'T1', user: 'U1' },
    session,
    approved: { register, registerHash: 'hash-1', unused: [] },
    claim: { beat: async () => undefined },
    direct,
    ts: 'ts-1',
    timeZone: 'UTC',
  } as unknown as BegunReview;
  const note = (fields: Record<string, unknown>, message: string) => void logged.push([fields, message]);
  const ports = {
    stopping: new AbortController().signal,
    now: Date.now,
    currency: 'ServiceMessages',
    changes: {
      lastSet: async () => {
        throw new TypeError('a bug');
      },
    },
    reports: { keep: async () => ({ at: 0, endedAt: 1, pageCount: 0, summary: {}, gaps: {} }) },
    log: { info: () => undefined, warn: note, error: note },
  } as unknown as RunPorts;
  return { begun, ports, changed, logged };
}

describe('a review that somebody asked for', () => {
  it('is given up after its time, and says so', async () => {
    const forever = () => new Promise<never>(() => {});
    const session = { findEnvironments: forever, findAgents: forever, readThresholds: forever };
    const { begun, ports, changed } = begin(session);

    await carryOutReview(begun, ports, { limitMs: 50 });

    expect(changed).toEqual([expect.stringContaining('*Review*: given up, because it took longer than')]);
    expect(changed[0]).toContain('Nothing was changed.');
  });

  it('logs the first error that nobody thought of, and how many there were', async () => {
    const agents = ['a', 'b', 'c'].map((name) => anAgent({ name }));
    const { begun, ports, logged } = begin({
      findEnvironments: async () => ({ rows: [anEnvironment()], truncated: false }),
      findAgents: async () => ({ rows: agents, truncated: false }),
      readThresholds: async () => 'not_offered',
      readAllocation: async () => 'none',
    });

    await carryOutReview(begun, ports);

    expect(logged.filter(([, message]) => message.startsWith('review could not read'))).toEqual([
      [{ err: expect.any(TypeError) }, 'review could not read'],
      [{ count: 3 }, 'review could not read, again and again'],
    ]);
  });
});
