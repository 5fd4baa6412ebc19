import { expect, it } from 'vitest';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import { createPacedSession } from '../../../src/governance/bulk/paced-session.ts';

it('shares the read of limits among those who wait for it, in each currency by itself', async () => {
  const asked: unknown[] = [];
  const session = {
    async readThresholds(currencyType?: string) {
      asked.push(currencyType);
      return [{ resourceId: currencyType ?? 'usual' }];
    },
  } as unknown as AdminSession;
  const paced = createPacedSession(session, { now: () => 0, wait: async () => undefined });

  const read = await Promise.all(
    [undefined, 'Minutes', undefined, 'Minutes', undefined].map((currency) => paced.session.readThresholds(currency)),
  );

  const ids = read.map((one) => (one === 'not_offered' ? one : one[0]?.resourceId));
  expect(ids).toEqual(['usual', 'Minutes', 'usual', 'Minutes', 'usual']);
  // Who asked while a read was going on got the next one.
  expect(asked.sort()).toEqual(['Minutes', 'Minutes', undefined, undefined]);
});
