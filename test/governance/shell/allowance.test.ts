import { describe, expect, it } from 'vitest';
import { ALLOWANCE, createAllowance } from '../../../src/governance/shell/access.ts';
import { createMemoryBuckets } from '../../../src/slack/web/buckets.ts';

const KIM = { team: 'T1', user: 'U1' };

describe('what one admin may do in a minute', () => {
  it('is used up, said with how long to wait, comes back bit by bit, and is counted for each of them', async () => {
    const clock = { at: 0 };
    const { spend } = createAllowance(createMemoryBuckets(() => clock.at));
    for (let time = 0; time < ALLOWANCE; time += 1) await spend(KIM);

    await expect(spend(KIM)).rejects.toMatchObject({
      code: 'admin_too_often',
      sentence:
        'That is more than 60 commands and clicks in a minute, so nothing was looked up or changed. Wait 1 second, then do this again.',
    });
    await spend({ ...KIM, user: 'U2' });
    await spend({ ...KIM, team: 'T2' });
    clock.at += 60_000 / ALLOWANCE;
    await spend(KIM);
    await expect(spend(KIM)).rejects.toThrow('more than 60');
  });

  it('lets nothing through where it cannot be counted', async () => {
    const { spend } = createAllowance({ take: () => Promise.reject(new Error('no store')) });

    await expect(spend(KIM)).rejects.toThrow('no store');
  });
});
