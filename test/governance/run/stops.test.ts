import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStop } from '../../../src/policy/policy.ts';
import { toTargetKey } from '../../../src/policy/target.ts';
import { CURRENCY, INVOICES, KIM, limitOf, type Process, startWorld, stopOf, TRAVEL, type World } from './run-world.ts';

let world: World;
let app: Process;

beforeEach(async () => {
  world = await startWorld();
  app = world.start();
});

afterEach(() => world.close());

describe('a stop', () => {
  it('is sent before anything is read, keeps the limit of the policy, and waits for no list', async () => {
    await app.carryOut([limitOf(TRAVEL)]);
    world.admin.ledger.clear();

    await app.carryOut([stopOf(TRAVEL)]);

    expect(world.admin.ledger.requests[0]).toMatchObject({ method: 'PUT' });
    expect(world.thresholdOf('bot-2')).toMatchObject({ stopResource: true, limit: 2_000, notificationThreshold: 80 });
    expect(readStop((await app.services.policy.read()).policy, TRAVEL, Date.now())?.value).toBe(true);
  });

  it('keeps a limit that nobody here knew: what was being read when it went out is sent with it', async () => {
    await app.session.findAgents();
    const before = world.thresholdOf('bot-1');
    world.admin.faults.always('delay', { on: 'list-thresholds', ms: 100 });

    await app.carryOut([stopOf(INVOICES)]);

    expect(world.thresholdOf('bot-1')).toEqual({ ...before, stopResource: true });
    expect(world.told()).toMatch(/✓ .*Read back\. Its limit is kept: 5,000 credits/);
    const [ended] = await app.log(1);
    expect(ended).toMatchObject({ after: { limit: { credits: 5_000 } }, outcome: { reason: 'limit_kept' } });
    expect(await app.services.sent.get(toTargetKey({ ...INVOICES, currency: CURRENCY }))).toMatchObject({
      limit: { credits: 5_000 },
      stopped: true,
    });
    world.admin.faults.clear();
    await app.carryOut([stopOf(INVOICES, false)]);
    expect(world.thresholdOf('bot-1')).toEqual(before);
  });

  it('says that a limit may be gone, where it could not be read', async () => {
    await app.session.findAgents();
    world.admin.faults.next('500', { on: 'list-thresholds' });

    await app.carryOut([stopOf(INVOICES)]);

    expect(world.thresholdOf('bot-1')?.stopResource).toBe(true);
    expect(world.told()).toContain('its limit could not be read, and may be gone');
  });

  it('that may have arrived has not failed because it is refused the second time', async () => {
    await app.carryOut([limitOf(TRAVEL)]);
    world.admin.faults.next('lost-500', { on: 'write-threshold' });
    world.admin.faults.next('403', { on: 'write-threshold' });

    await app.carryOut([stopOf(TRAVEL)]);

    expect(world.thresholdOf('bot-2')?.stopResource).toBe(true);
    expect(await app.log(1)).toMatchObject([{ what: 'item_ended', outcome: { kind: 'verified', written: 'yes' } }]);
  });

  it('beside other changes is in doubt, not untried, where the process died as the service took it', async () => {
    await world.startDying().carryOut([limitOf(INVOICES), stopOf(TRAVEL)]);
    expect(world.thresholdOf('bot-2')?.stopResource).toBe(true);
    world.gone.add(KIM.user);
    world.later += 60_000;

    await app.runLane();

    const ended = (await app.log(2)).find(({ subject }) => subject.agentId === TRAVEL.agentId);
    expect(ended).toMatchObject({ what: 'item_ended', outcome: { kind: 'sent_not_shown', written: 'perhaps' } });
  });

  it('holds against a run that was planned before it, and does not see it', async () => {
    app = world.start({ readsLimits: false });
    await app.session.findAgents();
    const limit = await app.propose([limitOf(TRAVEL), limitOf(INVOICES)], { unknownStop: 'runs' });

    await app.carryOut([stopOf(TRAVEL)]);

    expect(await app.confirm(limit)).toBe('outdated');
    expect(world.thresholdOf('bot-2')?.stopResource).toBe(true);
  });

  it('holds against a run that began before it, by a clock that is ahead, and does not see it', async () => {
    app = world.start({ readsLimits: false });
    await app.session.findAgents();
    const { plan } = await app.propose([limitOf(TRAVEL)], { unknownStop: 'runs' });
    await app.addRun(plan, { policy: 0, begunAt: Date.now() + 60_000 });
    await app.carryOut([stopOf(TRAVEL)]);

    await app.runLane();

    expect(world.thresholdOf('bot-2')?.stopResource).toBe(true);
  });

  it('holds against a run that began before it, let the agent run, and goes on after a crash', async () => {
    await app.carryOut([stopOf(TRAVEL)]);
    await world.startDying().carryOut([stopOf(TRAVEL, false)]);
    expect(world.thresholdOf('bot-2')?.stopResource).toBe(false);
    await app.carryOut([stopOf(TRAVEL)]);
    world.later += 60_000;

    await app.runLane();

    expect(world.thresholdOf('bot-2')?.stopResource).toBe(true);
    const outcome = { kind: 'conflict', reason: 'sent_since' };
    expect(await app.log(1)).toMatchObject([{ what: 'item_ended', outcome }]);
  });
});
