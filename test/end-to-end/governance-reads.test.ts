// The read of limits is not in the contract: whatever becomes of it, it holds up nothing; and it can be switched off.
import { type Allocation, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { describe, expect, it } from 'vitest';
import { type AdminWorld, openAdminWorld } from './live-admin.ts';

const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

const travel = (world: AdminWorld) => world.admin.state.thresholds.get(toThresholdKey(PRODUCTION, 'bot-2'));

/** *Is it stopped?* is asked once for each agent. */
async function setLimit(world: AdminWorld, credits: number): Promise<string> {
  const form = await world.open(`limit "Travel Planner" ${credits}`);
  const asks = world.render(form).includes('Is it stopped now?');
  return world.render(await world.decide(form, asks ? { is_stopped: 'runs' } : {}));
}

/** What was set, whether it is stopped then, and what was said of both. */
async function setAndStop(world: AdminWorld, credits: number) {
  const set = await setLimit(world, credits);
  const { limit } = travel(world) ?? {};
  const stopped = world.render(await world.decide(await world.open('stop "Travel Planner"')));
  return { limit, isStopped: travel(world)?.stopResource, said: [set, stopped] };
}

const FAULTS = [['400', '410', '422', '500'], ['404', '429-seconds', 'html'], ['hang']] as const;

describe('a read of limits that fails', () => {
  it.concurrent.for(FAULTS)(
    'holds up neither a limit nor a stop, and is said: %s',
    async (faults, { onTestFinished }) => {
      const world = await openAdminWorld({}, onTestFinished);
      // Once it has answered, no answer makes it one that is not offered: it is tried again each time.
      await world.tell('agents');
      for (const [index, fault] of faults.entries()) {
        const on = 'list-thresholds';
        if (fault === 'hang') world.admin.faults.always('delay', { on, ms: 600_000 });
        else world.admin.faults.always(fault, { on });
        const { limit, isStopped, said } = await setAndStop(world, 1_000 + index);
        const report = index === 0 && fault !== 'hang' ? world.render(await world.review()) : undefined;
        world.admin.faults.clear();
        await world.decide(await world.open('run "Travel Planner"'));

        expect([fault, limit, isStopped, travel(world)?.stopResource]).toEqual([fault, 1_000 + index, true, false]);
        for (const text of said)
          expect(text).toMatch(/^:warning: .*sent, not shown by the service: it could not be read back/);
        if (report)
          expect(report).toContain('1 limit as we sent it; changes made elsewhere are invisible. Send again by');
      }
      expect(world.render(await world.review())).not.toContain('as we sent');
    },
  );
});

/** The contract, and nothing else. */
const CONTRACT = [
  /^POST \/resourcequery\/resources\/query$/,
  /^PATCH \/licensing\/allocationsByEnvironment$/,
  /^GET \/licensing\/allocationsByEnvironment\/[^/]+$/,
  /^GET \/licensing\/environments\/[^/]+\/entitlements$/,
  /^PUT \/licensing\/environments\/[^/]+\/entitlements\/[^/]+\/resources\/[^/]+\/threshold$/,
];

describe('ADMIN_READS_LIMITS=no', () => {
  it('sends nothing that the contract does not have', async () => {
    const world = await openAdminWorld({ environment: { ADMIN_READS_LIMITS: 'no' } });
    const { allocations } = world.admin.state;
    const allocation = allocations.get(PRODUCTION) as Allocation;
    allocations.set(PRODUCTION, { ...allocation, '@odata.context': 'https://service.example/$metadata' });

    await setLimit(world, 1_500);
    for (const command of ['stop "Spec Writer"', 'run "Spec Writer"', 'credits "Contoso Production" 26000'])
      await world.decide(await world.open(command));
    for (const command of ['agents', 'environments', 'log travel']) await world.tell(command);
    await world.review();
    const { requests } = world.admin.ledger;
    const odd = requests
      .map(({ method, path }) => `${method} ${path}`)
      .filter((call) => !CONTRACT.some((one) => one.test(call)));
    const patches = requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body as Allocation);

    expect(odd).toEqual([]);
    expect(patches.map((body) => Object.keys(body).toSorted())).toEqual([['currencyAllocations', 'environmentId']]);
    const [first] = patches[0]?.currencyAllocations ?? [];
    expect([first?.allocated, first?.autoAllocated]).toEqual([26_000, undefined]);
    // Other currencies, unknown rules and unknown fields are kept.
    expect(first).toMatchObject({ costCentre: 'CC-4711' });
    expect(allocations.get(PRODUCTION)?.currencyAllocations.map(({ currencyType }) => currencyType)).toEqual([
      'ServiceMessages',
      'AI',
    ]);
    expect(first?.enforcementRules.map(({ ruleType }) => ruleType)).toContain('Throttle');
    expect(travel(world)).toMatchObject({ limit: 1_500, stopResource: false });
  });
});
