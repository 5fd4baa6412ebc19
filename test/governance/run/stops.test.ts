import { afterEach, describe, expect, it } from 'vitest';
import { type Edit, setEdit } from '../../../src/policy/edit.ts';
import { readStop } from '../../../src/policy/policy.ts';
import { toTargetKey } from '../../../src/policy/target.ts';
import type { Limit } from '../../../src/policy/values.ts';
import { toThresholdKey } from '../../sandbox/admin/model.ts';
import { CURRENCY, INVOICES, KIM, PRODUCTION, startWorld, TRAVEL, textOf, type World } from './run-world.ts';

const LIMIT: Limit = { credits: 2_000, noticeAt: 80, stopAtLimit: false };

const limitOf = (target: typeof TRAVEL, limit: Limit = LIMIT): Edit<'limit'> =>
  setEdit('limit', { ...target, currency: CURRENCY }, limit);
const stopOf = (target: typeof TRAVEL, isStopped = true) => setEdit('stop', target, isStopped);
const thresholdOf = (world: World, bot: string, environmentId = PRODUCTION) =>
  world.admin.state.thresholds.get(toThresholdKey(environmentId, bot));

let world: World;

afterEach(() => world.close());

describe('a stop', () => {
  it('is sent before anything is read, keeps the limit of the policy, and waits for no list', async () => {
    world = await startWorld();
    const app = world.start();
    await app.carryOut([limitOf(TRAVEL)]);
    world.admin.ledger.clear();

    await app.carryOut([stopOf(TRAVEL)]);

    expect(world.admin.ledger.requests[0]).toMatchObject({ method: 'PUT' });
    expect(thresholdOf(world, 'bot-2')).toMatchObject({ stopResource: true, limit: 2_000, notificationThreshold: 80 });
    expect(readStop((await app.services.policy.read()).policy, TRAVEL, Date.now())?.value).toBe(true);
  });

  it('keeps a limit that nobody here knew: what was being read when it went out is sent with it', async () => {
    world = await startWorld();
    const app = world.start();
    await app.session.findAgents();
    const before = thresholdOf(world, 'bot-1');
    world.admin.faults.always('delay', { on: 'list-thresholds', ms: 800 });

    await app.carryOut([stopOf(INVOICES)]);

    expect(thresholdOf(world, 'bot-1')).toEqual({ ...before, stopResource: true });
    expect(world.said.map(textOf).join()).toMatch(/✓ .*Read back\. Its limit is kept: 5,000 credits/);
    const [ended] = await app.services.audit.list({ limit: 1 });
    expect(ended).toMatchObject({ after: { limit: { credits: 5_000 } }, outcome: { reason: 'limit_kept' } });
    expect(await app.services.sent.get(toTargetKey({ ...INVOICES, currency: CURRENCY }))).toMatchObject({
      limit: { credits: 5_000 },
      stopped: true,
    });
    world.admin.faults.clear();
    await app.carryOut([stopOf(INVOICES, false)]);
    expect(thresholdOf(world, 'bot-1')).toEqual(before);
  });

  it('says that a limit may be gone, where it could not be read', async () => {
    world = await startWorld();
    const app = world.start();
    await app.session.findAgents();
    world.admin.faults.next('500', { on: 'list-thresholds' });

    await app.carryOut([stopOf(INVOICES)]);

    expect(thresholdOf(world, 'bot-1')?.stopResource).toBe(true);
    expect(world.said.map(textOf).join()).toContain('its limit could not be read, and may be gone');
  });

  it('that may have arrived has not failed because it is refused the second time', async () => {
    world = await startWorld();
    const app = world.start();
    await app.carryOut([limitOf(TRAVEL)]);
    world.admin.faults.next('lost-500', { on: 'write-threshold' });
    world.admin.faults.next('403', { on: 'write-threshold' });

    await app.carryOut([stopOf(TRAVEL)]);

    expect(thresholdOf(world, 'bot-2')?.stopResource).toBe(true);
    const [ended] = await app.services.audit.list({ limit: 1 });
    expect(ended).toMatchObject({ what: 'item_ended', outcome: { kind: 'verified', written: 'yes' } });
  });

  it('beside other changes is in doubt, not untried, where the process died as the service took it', async () => {
    world = await startWorld();
    const app = world.start();
    const calls: string[] = [];
    const kill = {
      ...{ calls, isDead: false },
      get at() {
        return calls.at(-1) === 'sent PUT' ? calls.length : 0;
      },
    };
    await world.start({ kill }).carryOut([limitOf(INVOICES), stopOf(TRAVEL)]);
    expect(thresholdOf(world, 'bot-2')?.stopResource).toBe(true);
    world.gone.add(KIM.user);
    world.later += 60_000;

    await app.runLane();

    const log = await app.services.audit.list({ limit: 2 });
    const ended = log.find(({ subject }) => subject.agentId === TRAVEL.agentId);
    expect(ended).toMatchObject({ what: 'item_ended', outcome: { kind: 'sent_not_shown', written: 'perhaps' } });
  });

  it('holds against a run that was planned before it, and does not see it', async () => {
    world = await startWorld();
    const app = world.start({ readsLimits: false });
    await app.session.findAgents();
    const limit = await app.propose([limitOf(TRAVEL), limitOf(INVOICES)], { unknownStop: 'runs' });

    await app.carryOut([stopOf(TRAVEL)]);

    expect(await app.confirm(limit)).toBe('outdated');
    expect(thresholdOf(world, 'bot-2')).toMatchObject({ stopResource: true });
  });

  it('holds against a run that began before it, by a clock that is ahead, and does not see it', async () => {
    world = await startWorld();
    const app = world.start({ readsLimits: false });
    await app.session.findAgents();
    const { plan } = await app.propose([limitOf(TRAVEL)], { unknownStop: 'runs' });
    const run = {
      ...{ id: plan.id, by: KIM, why: { by: KIM.user, reason: 'because', at: 1 }, policy: 0, edits: 1, items: 1 },
      ...{ isStop: false, replyTo: '', begunAt: Date.now() + 60_000, lease: { holder: '', until: 0 } },
    };
    await world.kernel.commit(app.services.runs.toWrites(run, { plan, reverse: [] }, []));
    await app.carryOut([stopOf(TRAVEL)]);

    await app.runLane();

    expect(thresholdOf(world, 'bot-2')).toMatchObject({ stopResource: true });
  });

  it('holds against a run that began before it, let the agent run, and goes on after a crash', async () => {
    world = await startWorld();
    const app = world.start();
    await app.carryOut([stopOf(TRAVEL)]);
    const calls: string[] = [];
    const kill = {
      ...{ calls, isDead: false },
      get at() {
        return calls.at(-1) === 'sent PUT' ? calls.length : 0;
      },
    };
    await world.start({ kill }).carryOut([stopOf(TRAVEL, false)]);
    expect(thresholdOf(world, 'bot-2')).toMatchObject({ stopResource: false });
    await app.carryOut([stopOf(TRAVEL)]);
    world.later += 60_000;

    await app.runLane();

    expect(thresholdOf(world, 'bot-2')).toMatchObject({ stopResource: true });
    const [ended] = await app.services.audit.list({ limit: 1 });
    expect(ended).toMatchObject({ what: 'item_ended', outcome: { kind: 'conflict', reason: 'sent_since' } });
  });
});
