import { describe, expect, it } from 'vitest';
import { AdminOutcomeUnknownError, AdminThrottledError } from '../../../src/admin-api/admin-errors.ts';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import { createPacedSession } from '../../../src/governance/run/paced-session.ts';

const NEVER = new AbortController().signal;

/** Time passes only where somebody waits. */
function aClock() {
  let now = 0;
  return {
    elapsed: () => now,
    async wait(ms: number) {
      now += ms;
    },
  };
}

describe('a paced session', () => {
  it('shares the read of limits among those who wait for it, in each currency by itself', async () => {
    const asked: unknown[] = [];
    const session = {
      async readThresholds(currencyType?: string) {
        asked.push(currencyType);
        return [{ resourceId: currencyType ?? 'usual' }];
      },
    } as unknown as AdminSession;
    const paced = createPacedSession(session, NEVER, aClock());

    const currencies = [undefined, 'Minutes', undefined, 'Minutes', undefined];
    const read = await Promise.all(currencies.map((currency) => paced.readThresholds(currency)));

    const ids = read.map((one) => (one === 'not_offered' ? one : one[0]?.resourceId));
    expect(ids).toEqual(['usual', 'Minutes', 'usual', 'Minutes', 'usual']);
    // Who asked while a read was going on got the next one.
    expect(asked.toSorted()).toEqual(['Minutes', 'Minutes', undefined, undefined]);
  });

  it('waits as long as the service asks for, all calls together, and never repeats what may have arrived', async () => {
    const clock = aClock();
    const at: number[] = [];
    const session = {
      async putThreshold() {
        at.push(clock.elapsed());
        if (at.length === 1) throw new AdminThrottledError('set threshold', 7_000);
        if (at.length === 3) throw new AdminOutcomeUnknownError('set threshold');
        return { requestId: undefined };
      },
    } as unknown as AdminSession;
    const paced = createPacedSession(session, NEVER, clock);
    const put = () => paced.putThreshold({} as never);

    await put();
    await expect(put()).rejects.toThrow(AdminOutcomeUnknownError);

    expect(at).toEqual([0, 7_000, 7_000]);
  });

  it('does not let a write wait for a read of limits that is throttled', async () => {
    const clock = aClock();
    const session = {
      async readThresholds() {
        throw new AdminThrottledError('read thresholds', 60_000);
      },
      putThreshold: async () => ({ requestId: 'r' }),
    } as unknown as AdminSession;
    const paced = createPacedSession(session, NEVER, clock);

    await expect(paced.readThresholds()).rejects.toThrow(AdminThrottledError);
    await expect(paced.putThreshold({} as never)).resolves.toEqual({ requestId: 'r' });

    expect(clock.elapsed()).toBeLessThan(1_000);
  });

  it('is as patient with the last of many calls as with the first', async () => {
    const clock = aClock();
    let calls = 0;
    const session = {
      async readAllocation() {
        calls += 1;
        await clock.wait(500);
        if (calls === 100) throw new AdminThrottledError('read allocation', 7_000);
        return 'none';
      },
    } as unknown as AdminSession;
    const paced = createPacedSession(session, NEVER, clock);

    const read = await Promise.all(Array.from({ length: 200 }, (_, index) => paced.readAllocation(`env-${index}`)));

    expect(read).toHaveLength(200);
  });

  it('ends with what the service said where it has to wait longer than anybody would', async () => {
    const session = {
      async readAllocation() {
        throw new AdminThrottledError('read allocation', 10 * 60_000);
      },
    } as unknown as AdminSession;

    await expect(createPacedSession(session, NEVER, aClock()).readAllocation('env')).rejects.toThrow(
      AdminThrottledError,
    );
  });
});
