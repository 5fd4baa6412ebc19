// The read of limits is not in the contract: whatever becomes of it, it holds up nothing; and it can be switched off.
import { type Allocation, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { KIM } from './admin-world.ts';
import { type AdminWorld, openAdminWorld, shareAdminWorld } from './live-admin.ts';

const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

const travel = (world: AdminWorld) => world.admin.state.thresholds.get(toThresholdKey(PRODUCTION, 'bot-2'));

/** *Is it stopped?* is asked once for each agent. */
async function setLimit(world: AdminWorld, credits: number): Promise<string> {
  const form = await world.open(`limit "Travel Planner" ${credits}`);
  const asks = world.render(form).includes('Is it stopped now?');
  return world.render(await world.decide(form, asks ? { is_stopped: 'runs' } : {}));
}

const stop = async (world: AdminWorld) => world.render(await world.decide(await world.open('stop "Travel Planner"')));

const ACTS = {
  limit: { act: setLimit, toHeld: (credits: number) => ({ limit: credits }) },
  stop: { act: stop, toHeld: () => ({ stopResource: true }) },
};

/** Parts that take as long as each other, each with a world of its own: what takes time is waiting for the answer. */
const PARTS = [
  {
    acts: [ACTS.limit, ACTS.stop],
    faults: ['400', '404', '410', '422', '500', 'html', '429-seconds'],
    options: {},
  },
  ...[ACTS.limit, ACTS.stop].map((act) => ({ acts: [act], faults: ['delay'], options: { ms: 600_000 } }) as const),
] as const;

describe.concurrent.each(PARTS)('a read of limits that fails', ({ acts, faults, options }) => {
  const world = shareAdminWorld();
  let credits = 1_000;
  // Once it has answered, no answer makes it one that is not offered: it is tried again each time.
  beforeAll(() => setLimit(world, credits));

  it.each([...faults])('holds up neither a limit nor a stop, and is said: %s', { concurrent: false }, async (fault) => {
    credits += 1;
    world.admin.faults.always(fault, { on: 'list-thresholds', ...options });
    const said: string[] = [];
    for (const { act } of acts) said.push(await act(world, credits));
    const held = travel(world);
    world.admin.faults.clear();
    if (held?.stopResource) await world.decide(await world.open('run "Travel Planner"'));

    for (const { toHeld } of acts) expect(held).toMatchObject(toHeld(credits));
    for (const text of said)
      expect(text).toMatch(/^:warning: .*sent, not shown by the service: it could not be read back/);
    expect(travel(world)?.stopResource).toBe(false);
    expect(world.render(await world.review())).not.toContain('as we sent');
  });
});

describe('a deployment that does not show limits', () => {
  it('has what was last sent from here, and asks once whether an agent is stopped', async () => {
    const world = await openAdminWorld({ admin: { thresholdList: false } });
    const before = await world.tell('agents spec');
    const form = await world.open('limit "Spec Writer" 700');
    const asked = world.render(form);
    const unanswered = await world.slack.as(KIM).submit(form, { reason: 'The pilot grows in spring' });
    const outcome = world.render(await world.decide(form, { is_stopped: 'stopped' }));
    const after = await world.tell('agents spec');
    const again = world.render(await world.open('limit "Spec Writer" 800'));

    expect(before).toContain('limit unknown');
    expect(asked).toContain('Is it stopped now?');
    expect(Object.keys(unanswered.errors)).toEqual(['is_stopped']);
    expect(outcome).toMatch(/^✓ .*Sent; the service shows no limits\./);
    expect(after).toMatch(/limit 700, sent \d+ \w+, not shown/);
    expect(after).toContain('■ stopped');
    expect(again).not.toContain('Is it stopped now?');
    const threshold = [...world.admin.state.thresholds.values()].find(({ limit }) => limit === 700);
    expect(threshold).toMatchObject({ resourceId: 'bot-4', stopResource: true });
  });
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
