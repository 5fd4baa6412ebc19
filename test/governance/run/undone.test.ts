import { afterEach, describe, expect, it } from 'vitest';
import type { Proposal } from '../../../src/governance/run/engine.ts';
import { type Edit, setEdit } from '../../../src/policy/edit.ts';
import type { Limit } from '../../../src/policy/values.ts';
import { toThresholdKey } from '../../sandbox/admin/model.ts';
import {
  CURRENCY,
  INVOICES,
  KIM,
  PRODUCTION,
  type Process,
  startWorld,
  TRAVEL,
  type World,
  writesOf,
} from './run-world.ts';

const LIMIT: Limit = { credits: 2_000, noticeAt: 80, stopAtLimit: false };

const limitOf = (target: typeof TRAVEL): Edit<'limit'> => setEdit('limit', { ...target, currency: CURRENCY }, LIMIT);
const stopOf = (target: typeof TRAVEL) => setEdit('stop', target, true);
const thresholdOf = (world: World, bot: string) => world.admin.state.thresholds.get(toThresholdKey(PRODUCTION, bot));

let world: World;

afterEach(() => world.close());

describe('undone', () => {
  async function undo(app: Process, { plan }: Proposal): Promise<void> {
    const content = await app.services.runs.content(plan.id);
    if (content === undefined) throw new Error('nothing was carried out');
    const by = { caller: KIM, openSession: async () => app.session };
    await app.confirm(await app.services.engine.proposeUndo(content, by));
  }

  it.each<[string, Edit, boolean]>([
    ['a first limit', limitOf(INVOICES), true],
    ['a stop', stopOf(INVOICES), true],
    ['a stop that waited for no read', stopOf(INVOICES), false],
  ])('%s leaves no entry, and what the service had before', async (_, edit, isSeen) => {
    world = await startWorld();
    const app = world.start();
    const seen = await app.see(INVOICES);
    const first = await app.propose([edit], isSeen ? { seen } : {});
    await app.confirm(first);

    await undo(app, first);

    expect(thresholdOf(world, 'bot-1')).toMatchObject({ limit: 5_000, stopResource: false });
    const { policy } = await app.services.policy.read();
    expect(policy.entries).toEqual({});
    expect(policy.revision).toBe(2);
  });

  it('a first limit in another currency leaves none there', async () => {
    world = await startWorld();
    const app = world.start();
    await app.session.findAgents();
    const first = await app.propose([setEdit('limit', { ...TRAVEL, currency: 'AI' }, LIMIT)]);
    await app.confirm(first);
    const limits = () =>
      [...world.admin.state.thresholds].filter(([key]) => /ai/i.test(key)).map(([, { limit }]) => limit);
    expect(limits()).toEqual([2_000]);

    await undo(app, first);

    expect(limits()).toEqual([0]);
  });

  it('a limit that was not sent leaves what somebody else has set instead', async () => {
    world = await startWorld();
    const app = world.start();
    const first = await app.propose([limitOf(INVOICES)]);
    const present = thresholdOf(world, 'bot-1');
    if (present) world.admin.state.thresholds.set(toThresholdKey(PRODUCTION, 'bot-1'), { ...present, limit: 9_000 });
    await app.confirm(first);

    await undo(app, first);

    expect(writesOf(world)).toEqual([]);
    expect(thresholdOf(world, 'bot-1')?.limit).toBe(9_000);
  });

  it('a class leaves credits as they are that it did not set', async () => {
    world = await startWorld();
    const app = world.start();
    const standard = { credits: { [CURRENCY]: { allocated: 7, rules: {} } } };
    await app.carryOut([setEdit('standard', { className: 'maker' }, standard)]);
    const first = await app.propose([setEdit('class', { environmentId: PRODUCTION }, 'maker')]);
    await app.confirm(first);
    const allocated = () =>
      world.admin.state.allocations
        .get(PRODUCTION)
        ?.currencyAllocations.map((one) => [one.currencyType, one.allocated] as const);
    expect(allocated()).toEqual([
      [CURRENCY, 7],
      ['AI', 10],
    ]);
    const { allocations } = world.admin.state;
    const present = allocations.get(PRODUCTION);
    if (present) {
      const currencyAllocations = present.currencyAllocations.map((one) =>
        one.currencyType === 'AI' ? { ...one, allocated: 20 } : one,
      );
      allocations.set(PRODUCTION, { ...present, currencyAllocations });
    }

    await undo(app, first);

    expect(allocated()).toEqual([
      [CURRENCY, 25_000],
      ['AI', 20],
    ]);
  });

  it.each<[string, Edit[]]>([
    ['alone', []],
    ['with a limit', [limitOf(INVOICES)]],
    ['where its class wants it to run', [setEdit('class', { environmentId: PRODUCTION }, 'maker')]],
  ])('a stop of an agent that somebody else had stopped before does not let it run: %s', async (_, others) => {
    world = await startWorld();
    const present = thresholdOf(world, 'bot-1');
    if (present)
      world.admin.state.thresholds.set(toThresholdKey(PRODUCTION, 'bot-1'), { ...present, stopResource: true });
    const app = world.start();
    const first = await app.propose([...others, stopOf(INVOICES)], { seen: await app.see(INVOICES) });
    await app.confirm(first);

    await undo(app, first);

    expect(thresholdOf(world, 'bot-1')).toMatchObject({ limit: 5_000, stopResource: true });
    expect((await app.services.policy.read()).policy.entries).toEqual({});
  });
});
