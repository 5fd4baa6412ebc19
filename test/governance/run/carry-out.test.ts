import { afterEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../src/errors.ts';
import { createEngine } from '../../../src/governance/run/create-engine.ts';
import { createRuns } from '../../../src/governance/run/slack-runs.ts';
import { type Edit, setEdit } from '../../../src/policy/edit.ts';
import { toTargetKey } from '../../../src/policy/target.ts';
import type { Limit } from '../../../src/policy/values.ts';
import { toThresholdKey } from '../../sandbox/admin/model.ts';
import {
  CURRENCY,
  DEFAULT,
  INVOICES,
  KIM,
  LEE,
  PRODUCTION,
  startWorld,
  TRAVEL,
  textOf,
  type World,
  writesOf,
} from './run-world.ts';

const LIMIT: Limit = { credits: 2_000, noticeAt: 80, stopAtLimit: false };

const limitOf = (target: typeof TRAVEL, limit: Limit = LIMIT): Edit<'limit'> =>
  setEdit('limit', { ...target, currency: CURRENCY }, limit);
const thresholdOf = (world: World, bot: string, environmentId = PRODUCTION) =>
  world.admin.state.thresholds.get(toThresholdKey(environmentId, bot));

let world: World;

afterEach(() => world.close());

describe('a limit', () => {
  it('is no difference afterwards', async () => {
    world = await startWorld();
    const app = world.start();
    await app.carryOut([limitOf(TRAVEL)]);

    const again = await app.propose([limitOf(TRAVEL)]);

    expect(again.plan.items).toEqual([]);
    expect(await app.confirm(again)).toBe('nothing');
  });

  it('is said once, also where what follows its end breaks off before', async () => {
    world = await startWorld();
    const app = world.start();
    app.services.runEnded = async () => {
      app.services.runEnded = async () => undefined;
      throw new StoreUnavailableError('away');
    };
    await app.carryOut([limitOf(TRAVEL)]);
    expect(world.said).toEqual([]);
    world.later += 60_000;

    await app.runLane();

    expect(world.said).toHaveLength(1);
  });

  it('that somebody else has changed since the plan was made is not sent, which stands in the log', async () => {
    world = await startWorld();
    const app = world.start();
    const proposal = await app.propose([limitOf(INVOICES)]);
    const present = thresholdOf(world, 'bot-1');
    if (present) world.admin.state.thresholds.set(toThresholdKey(PRODUCTION, 'bot-1'), { ...present, limit: 9_000 });

    await app.confirm(proposal);

    expect(writesOf(world)).toEqual([]);
    const [ended] = await app.services.audit.list({ limit: 1 });
    const outcome = { kind: 'conflict', written: 'no', reason: 'before_write', found: { limit: { credits: 9_000 } } };
    expect(ended).toMatchObject({ what: 'item_ended', outcome });
  });

  it('that can no longer be read is not sent, so what somebody has stopped meanwhile stays stopped', async () => {
    world = await startWorld();
    const app = world.start();
    const proposal = await app.propose([limitOf(INVOICES)]);
    const present = thresholdOf(world, 'bot-1');
    if (present)
      world.admin.state.thresholds.set(toThresholdKey(PRODUCTION, 'bot-1'), { ...present, stopResource: true });
    world.admin.faults.always('500', { on: 'list-thresholds' });

    await app.confirm(proposal);

    expect(writesOf(world)).toEqual([]);
    expect(world.said.map(textOf).join()).toMatch(/failed: it could not be read again .* so nothing was sent/);
    const [ended] = await app.services.audit.list({ limit: 1 });
    expect(ended).toMatchObject({ outcome: { kind: 'failed', written: 'no', reason: 'unseen_before_write' } });
    world.admin.faults.clear();
    const again = await app.propose([limitOf(INVOICES)]);
    expect(again.plan.items).toMatchObject([{ before: { stopped: true } }]);
  });

  it('in another currency lets no agent run that was stopped meanwhile', async () => {
    world = await startWorld();
    const app = world.start();
    const proposal = await app.propose([setEdit('limit', { ...INVOICES, currency: 'AI' }, LIMIT)]);
    const present = thresholdOf(world, 'bot-1');
    if (present)
      world.admin.state.thresholds.set(toThresholdKey(PRODUCTION, 'bot-1'), { ...present, stopResource: true });

    await app.confirm(proposal);

    expect(proposal.plan.items).toHaveLength(1);
    expect(writesOf(world)).toEqual([]);
  });

  it('that cannot be read for a moment is read once more, and sent', async () => {
    world = await startWorld();
    const app = world.start();
    const proposal = await app.propose([limitOf(INVOICES)]);
    world.admin.faults.next('500', { on: 'list-thresholds' });

    await app.confirm(proposal);

    expect(thresholdOf(world, 'bot-1')?.limit).toBe(2_000);
  });

  it('that the service took without an answer is read back, and not sent again', async () => {
    world = await startWorld();
    const app = world.start();
    const proposal = await app.propose([limitOf(TRAVEL)]);
    world.admin.faults.next('lost-500', { on: 'write-threshold' });

    await app.confirm(proposal);

    expect(writesOf(world)).toHaveLength(1);
    expect(world.said.map(textOf).join()).toContain('Read back');
  });

  it('that may have been sent before its administrator lost the right is in doubt, where the service shows none', async () => {
    world = await startWorld();
    const app = world.start({ readsLimits: false });
    const { plan } = await app.propose([limitOf(TRAVEL)], { unknownStop: 'runs' });
    const run = {
      ...{ id: plan.id, by: KIM, why: { by: KIM.user, reason: 'because', at: 1 }, policy: 1, edits: 1, items: 1 },
      ...{ isStop: false, replyTo: '', begunAt: Date.now(), lease: { holder: '', until: 0 } },
    };
    await world.kernel.commit(app.services.runs.toWrites(run, { plan, reverse: [] }, [{ index: 0, sending: 1 }]));
    world.gone.add(KIM.user);

    await app.runLane();

    const sent = await app.services.sent.get(toTargetKey({ ...TRAVEL, currency: CURRENCY }));
    expect(sent).toMatchObject({ limit: { credits: 2_000 }, inDoubt: true });
  });

  it('that the service refuses is said with its reason', async () => {
    world = await startWorld();
    const app = world.start();
    const proposal = await app.propose([limitOf(TRAVEL)]);
    world.admin.faults.next('403', { on: 'write-threshold' });

    await app.confirm(proposal);

    expect(world.said.map(textOf).join()).toContain('the service does not allow it for that account');
  });
});

describe('a run that a bug breaks off again and again', () => {
  it('ends, and whoever began it hears what was not tried, as the log does', async () => {
    world = await startWorld();
    const app = world.start();
    app.services.runs.claim = async () => {
      throw new TypeError('a bug');
    };

    await app.carryOut([limitOf(TRAVEL)]);
    await app.runLane();
    world.later += 60_000;
    await app.runLane();

    expect(await app.services.runs.listOpen()).toEqual([]);
    expect(world.said.map(textOf).join()).toMatch(/Ended early: something went wrong in this app\. 1 not tried/);
    const [left] = await app.services.audit.list({ limit: 1 });
    expect(left).toMatchObject({ what: 'item_ended', outcome: { kind: 'left', reason: 'fault' } });
  });
});

describe('a run', () => {
  it('is not begun again by the process that carries it out, if its clock is set back', async () => {
    world = await startWorld();
    const app = world.start();
    const proposal = await app.propose([limitOf(TRAVEL)]);
    world.admin.faults.next('delay', { on: 'write-threshold', ms: 300 });
    const confirming = app.confirm(proposal);
    await expect.poll(() => writesOf(world)).toHaveLength(1);
    world.later = -3_600_000;

    await app.runLane();
    await confirming;

    const log = await app.services.audit.list({ limit: 10 });
    expect(log.filter(({ what }) => what === 'item_ended')).toHaveLength(1);
  });
});

describe('a run whose administrator cannot be checked', () => {
  it('waits for an hour each time', async () => {
    world = await startWorld();
    const app = world.start();
    const { plan } = await app.propose([limitOf(TRAVEL)]);
    const run = {
      ...{ id: plan.id, by: KIM, why: { by: KIM.user, reason: 'because', at: 1 }, policy: 1, edits: 1, items: 1 },
      ...{ isStop: false, replyTo: '', begunAt: Date.now(), lease: { holder: '', until: 0 } },
    };
    await world.kernel.commit(app.services.runs.toWrites(run, { plan, reverse: [] }, []));
    const { openSession } = app.services;
    const { claim } = app.services.runs;
    const fail = async () => {
      throw new StoreUnavailableError('not now');
    };
    app.services.openSession = fail;
    await app.runLane();
    Object.assign(app.services, { openSession });
    app.services.runs.claim = fail;
    await app.runLane();
    world.later += 2 * 3_600_000;
    app.services.openSession = fail;
    app.services.runs.claim = claim;

    await app.runLane();

    expect(await app.services.runs.listOpen()).toHaveLength(1);
  });
});

describe('a process that stops while the service asks for a pause', () => {
  it('leaves what waits to the next one', async () => {
    world = await startWorld();
    const app = world.start();
    const proposal = await app.propose([limitOf(TRAVEL)]);
    world.admin.faults.always('429-seconds', { on: 'write-threshold', retryAfterS: 20 });
    const stopping = new AbortController();
    app.services.stopping = stopping.signal;
    const runs = createRuns(app.services);
    const engine = createEngine(app.services, { runs, askApproval: async () => undefined });
    await engine.confirm(proposal, { caller: KIM, reason: 'because', say: async () => true, replyTo: '' });
    await expect.poll(() => writesOf(world).length).toBeGreaterThan(0);

    stopping.abort();
    await app.settle();

    world.admin.faults.clear();
    expect(await app.services.runs.listOpen()).toHaveLength(1);
    await world.start().runLane();
    expect(thresholdOf(world, 'bot-2')?.limit).toBe(2_000);
  });
});

describe('credits', () => {
  it('are set where the environment has no allocation', async () => {
    world = await startWorld();
    world.admin.state.makesAllocations = true;
    const app = world.start();

    await app.carryOut([
      setEdit('credits', { environmentId: DEFAULT, currency: CURRENCY }, { allocated: 5, rules: { Alert: true } }),
    ]);

    expect(world.admin.state.allocations.get(DEFAULT.toLowerCase())?.currencyAllocations).toMatchObject([
      { currencyType: CURRENCY, allocated: 5 },
    ]);
    expect(world.said.map(textOf).join()).toContain('Read back');
  });
});

describe('two administrators', () => {
  it('of different agents do not hinder each other', async () => {
    world = await startWorld();
    const app = world.start();
    const [one, other] = [await app.propose([limitOf(TRAVEL)]), await app.propose([limitOf(INVOICES)])];

    const confirmed = await Promise.all([app.confirm(one, KIM), app.confirm(other, LEE)]);

    expect(confirmed).toEqual(['started', 'started']);
    expect(thresholdOf(world, 'bot-1')?.limit).toBe(2_000);
    expect(thresholdOf(world, 'bot-2')?.limit).toBe(2_000);
    expect((await app.services.policy.read()).policy.revision).toBe(2);
  });

  it('confirmed twice, it is carried out once', async () => {
    world = await startWorld();
    const app = world.start();
    const proposal = await app.propose([limitOf(TRAVEL)]);

    const confirmed = await Promise.all([app.confirm(proposal), app.confirm(proposal)]);

    expect(confirmed).toEqual(['started', 'started']);
    expect(writesOf(world)).toHaveLength(1);
    expect((await app.services.policy.read()).policy.revision).toBe(1);
  });
});

describe('a class', () => {
  const standard = { limit: LIMIT, credits: {} };

  it('sets entry and limits in one plan, in the lane where there are many', async () => {
    const agents = Array.from({ length: 40 }, (_, index) => ({
      ...{ name: `a${index}`, displayName: `Agent ${index}`, environmentId: 'env', ownerId: 'o', isCLIAgent: false },
    }));
    world = await startWorld({
      thresholdList: true,
      environments: [{ name: 'env', displayName: 'Env', ownerId: 'o' }],
      agents,
    });
    const app = world.start();
    await app.carryOut([setEdit('standard', { className: 'maker' }, standard)]);

    await app.carryOut([setEdit('class', { environmentId: 'env' }, 'maker')]);
    expect(writesOf(world)).toHaveLength(0);
    await app.runLane();

    expect(writesOf(world)).toHaveLength(40);
    const outcome = world.said.map(textOf).find((text) => text.includes('40 changes*'));
    expect(outcome).toMatch(/40 read back.*Undo/s);
    expect((await app.services.runs.listOpen()).length).toBe(0);
  });

  it('of which every item was refused did not end early', async () => {
    const agents = Array.from({ length: 20 }, (_, index) => ({
      ...{ name: `a${index}`, displayName: `Agent ${index}`, environmentId: 'env', ownerId: 'o', isCLIAgent: false },
    }));
    const environments = [{ name: 'env', displayName: 'Env', ownerId: 'o' }];
    world = await startWorld({ thresholdList: true, environments, agents });
    const app = world.start();
    await app.carryOut([setEdit('standard', { className: 'maker' }, standard)]);
    world.admin.faults.always('403', { on: 'write-threshold' });

    await app.carryOut([setEdit('class', { environmentId: 'env' }, 'maker')]);

    const text = world.said.map(textOf).join();
    expect(text).toContain('20 failed');
    expect(text).not.toContain('Ended early');
  });

  it('whose administrator lost the right meanwhile ends with a sentence', async () => {
    const agents = Array.from({ length: 30 }, (_, index) => ({
      ...{ name: `a${index}`, displayName: `Agent ${index}`, environmentId: 'env', ownerId: 'o', isCLIAgent: false },
    }));
    world = await startWorld({
      thresholdList: true,
      environments: [{ name: 'env', displayName: 'Env', ownerId: 'o' }],
      agents,
    });
    const app = world.start();
    await app.carryOut([setEdit('standard', { className: 'maker' }, standard)]);
    await app.carryOut([setEdit('class', { environmentId: 'env' }, 'maker')]);
    world.gone.add(KIM.user);

    await app.runLane();

    expect(writesOf(world)).toHaveLength(0);
    expect(world.said.map(textOf).join()).toContain('is not an administrator of this app any more. 30 not tried');
    const entries = await app.services.audit.list({ limit: 100 });
    expect(entries.filter(({ outcome }) => outcome.kind === 'left')).toHaveLength(30);
  });
});
