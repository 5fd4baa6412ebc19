import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registerRuns } from '../../../src/governance/run/run-action.ts';
import { type Edit, setEdit } from '../../../src/policy/edit.ts';
import { aDesk } from '../desk.ts';
import {
  CURRENCY,
  INVOICES,
  KIM,
  LIMIT,
  limitOf,
  PRODUCTION,
  type Process,
  startWorld,
  stopOf,
  type World,
  writesOf,
} from './run-world.ts';

let world: World;
let app: Process;

beforeEach(async () => {
  world = await startWorld();
  app = world.start();
});

afterEach(() => world.close());

describe('undone', () => {
  /** Carries out the edits, and returns how to undo them. `meanwhile`: after they were planned. */
  async function carryOut(edits: Edit[], { isSeen = false, meanwhile = () => {} } = {}) {
    const proposal = await app.propose(edits, isSeen ? { seen: await app.see(INVOICES) } : {});
    meanwhile();
    await app.confirm(proposal);
    return async () => {
      const content = await app.services.runs.content(proposal.plan.id);
      if (content === undefined) throw new Error('nothing was carried out');
      const by = { caller: KIM, openSession: async () => app.session };
      await app.confirm(await app.services.engine.proposeUndo(content, by));
    };
  }

  it.each<[string, Edit, boolean]>([
    ['a first limit', limitOf(INVOICES), true],
    ['a stop', stopOf(INVOICES), true],
    ['a stop that waited for no read', stopOf(INVOICES), false],
  ])('%s leaves no entry, and what the service had before', async (_, edit, isSeen) => {
    await app.session.findAgents();
    const undo = await carryOut([edit], { isSeen });

    await undo();

    expect(world.thresholdOf('bot-1')).toMatchObject({ limit: 5_000, stopResource: false });
    expect((await app.services.policy.read()).policy).toEqual({ entries: {}, revision: 2 });
  });

  it('a limit that was not sent leaves what somebody else has set instead', async () => {
    const meanwhile = () => world.setElsewhere('bot-1', { limit: 9_000 });
    const undo = await carryOut([limitOf(INVOICES)], { meanwhile });

    await undo();

    expect(writesOf(world)).toEqual([]);
    expect(world.thresholdOf('bot-1')?.limit).toBe(9_000);
  });

  it('a class leaves credits as they are that it did not set', async () => {
    const { allocations } = world.admin.state;
    const listAmounts = () =>
      allocations.get(PRODUCTION)?.currencyAllocations.map((one) => [one.currencyType, one.allocated]);
    const standard = { credits: { [CURRENCY]: { allocated: 7, rules: {} } } };
    await carryOut([setEdit('standard', { className: 'maker' }, standard)]);
    const undo = await carryOut([setEdit('class', { environmentId: PRODUCTION }, 'maker')]);
    expect(listAmounts()).toEqual(Object.entries({ [CURRENCY]: 7, AI: 10 }));
    const ai = allocations.get(PRODUCTION)?.currencyAllocations.find((one) => one.currencyType === 'AI');
    Object.assign(ai ?? {}, { allocated: 20 });

    await undo();

    expect(listAmounts()).toEqual(Object.entries({ [CURRENCY]: 25_000, AI: 20 }));
  });

  it.each<[string, Edit[]]>([
    ['alone', []],
    ['with a limit', [limitOf(INVOICES)]],
    ['where its class wants it to run', [setEdit('class', { environmentId: PRODUCTION }, 'maker')]],
  ])('a stop of an agent that somebody else had stopped before does not let it run: %s', async (_, others) => {
    world.setElsewhere('bot-1', { stopResource: true });
    const undo = await carryOut([...others, stopOf(INVOICES)], { isSeen: true });

    await undo();

    expect(world.thresholdOf('bot-1')).toMatchObject({ limit: 5_000, stopResource: true });
    expect((await app.services.policy.read()).policy.entries).toEqual({});
  });

  it('is nothing that somebody has changed since', async () => {
    const first = await app.propose([limitOf(INVOICES)]);
    await app.confirm(first);
    const desk = aDesk();
    registerRuns(desk.shell, app.services);
    const told: string[] = [];
    const modal = {
      show: async () => void told.push('the plan'),
      showProblem: async (sentence: string) => void told.push(sentence),
    };
    const press = () =>
      desk.press('run_undo', first.plan.id, { modal, caller: KIM, openSession: async () => app.session });
    await press();
    await app.carryOut([limitOf(INVOICES, { ...LIMIT, credits: 7 })]);

    await press();

    expect(told).toEqual(['the plan', expect.stringContaining('Somebody has changed this since')]);
  });
});
