import { expect, it } from 'vitest';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import { readCurrencies } from '../../../src/governance/limits/limit-form.ts';
import { AGENT } from '../shell/samples.ts';

/** As the service lists them. */
function read(listed: string[], currencyType?: string): Promise<string[]> {
  const currencyAllocations = listed.map((name) => ({ currencyType: name, allocated: 1, enforcementRules: [] }));
  const readAllocation = async () => ({ environmentId: 'env-1', currencyAllocations });
  const session = { readAllocation } as unknown as AdminSession;
  return readCurrencies({ ...AGENT, currencyType }, session, 'ServiceMessages');
}

it('lists currencies in one order, whatever the order of the service and whichever is chosen', async () => {
  const order = ['ServiceMessages', 'AI', 'Flows', 'Pages'];

  expect(await read(['Flows', 'ServiceMessages', 'Pages', 'AI'])).toEqual(order);
  expect(await read(['AI', 'Pages', 'Flows'], 'Pages')).toEqual(order);
});

it('lists the chosen one once, as it was chosen, also where the service does not list it any more', async () => {
  expect(await read(['AI', 'servicemessages'], 'ai')).toEqual(['ServiceMessages', 'ai']);
  expect(await read([], 'AI')).toEqual(['ServiceMessages', 'AI']);
});

it('keeps the chosen one where there are more than fit', async () => {
  const many = Array.from({ length: 150 }, (_, index) => `C${index}`);

  const listed = await read(many, 'Z');

  expect(listed).toHaveLength(100);
  expect(listed).toContain('Z');
});
