import { expect, it } from 'vitest';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import { createPacedSession } from '../../../src/governance/bulk/paced-session.ts';
import { NOW } from '../shell/samples.ts';

it('shares one read of limits among all who ask for the same currency, and for no other', async () => {
  const asked: string[] = [];
  const readThresholds = async (currencyType = 'usual') => {
    asked.push(currencyType);
    return [];
  };
  const session = { readThresholds } as Partial<AdminSession> as AdminSession;
  const paced = createPacedSession(session, { now: () => NOW, wait: async () => {} }).session;

  await Promise.all([undefined, undefined, 'AI', undefined, 'AI'].map((one) => paced.readThresholds(one)));

  expect(asked.toSorted()).toEqual(['AI', 'AI', 'usual', 'usual']);
});
