import { describe, expect, it } from 'vitest';
import {
  AdminTooOftenError,
  ALLOWANCES,
  createAllowance,
  describeTooOften,
} from '../../../src/governance/shell/allowance.ts';
import { createMemoryBuckets } from '../../../src/slack/web/buckets.ts';

const KIM = { team: 'T1', user: 'U1' };

function aWorld() {
  const clock = { at: 0 };
  const allowance = createAllowance(createMemoryBuckets(() => clock.at));
  return {
    clock,
    allowance,
    async use(kind: 'action' | 'change', times: number, person = KIM) {
      for (let time = 0; time < times; time += 1) await allowance.spend(kind, person);
    },
  };
}

describe('what one admin may do in a minute', () => {
  it.each(['action', 'change'] as const)('of kind %s is used up, and comes back bit by bit', async (kind) => {
    const { use, clock } = aWorld();
    await use(kind, ALLOWANCES[kind]);

    await expect(use(kind, 1)).rejects.toThrow(AdminTooOftenError);

    clock.at += 60_000 / ALLOWANCES[kind];
    await use(kind, 1);
    await expect(use(kind, 1)).rejects.toThrow(AdminTooOftenError);
  });

  it('is taken for several at once, or for none of them', async () => {
    const { allowance, use, clock } = aWorld();
    await use('change', 4);

    await expect(allowance.spend('change', KIM, 7)).rejects.toMatchObject({ waitMs: 6_000 });
    await allowance.spend('change', KIM, 6);
    await expect(use('change', 1)).rejects.toThrow(AdminTooOftenError);
    clock.at += 60_000;
    await allowance.spend('change', KIM, ALLOWANCES.change);
  });

  it('is counted for each of them, and each kind by itself', async () => {
    const { use } = aWorld();
    await use('change', ALLOWANCES.change);

    await use('change', ALLOWANCES.change, { ...KIM, user: 'U2' });
    await use('change', ALLOWANCES.change, { ...KIM, team: 'T2' });
    await use('action', ALLOWANCES.action);
  });

  it('is refused with the number, and how long to wait', async () => {
    expect(describeTooOften(new AdminTooOftenError('action', 900))).toBe(
      'That is more than 60 commands and clicks in a minute, so nothing was looked up or changed. Wait 1 second, then do this again.',
    );
    expect(describeTooOften(new AdminTooOftenError('change', 5_100))).toContain(
      'more than 10 changes in a minute, so nothing was changed. Wait 6 seconds',
    );
  });

  it('lets nothing through where it cannot be counted', async () => {
    const allowance = createAllowance({ take: () => Promise.reject(new Error('no store')) });

    await expect(allowance.spend('action', KIM)).rejects.toThrow('no store');
  });
});
