import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../src/errors.ts';
import { createEngine } from '../../../src/governance/run/create-engine.ts';
import { createRuns } from '../../../src/governance/run/slack-runs.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import { toTargetKey } from '../../../src/policy/target.ts';
import {
  CURRENCY,
  INVOICES,
  KIM,
  LIMIT,
  limitOf,
  PRODUCTION,
  type Process,
  startWorld,
  TRAVEL,
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

describe('a limit', () => {
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
    const proposal = await app.propose([limitOf(INVOICES)]);
    world.setElsewhere('bot-1', { limit: 9_000 });

    await app.confirm(proposal);

    expect(writesOf(world)).toEqual([]);
    const outcome = { kind: 'conflict', written: 'no', reason: 'before_write', found: { limit: { credits: 9_000 } } };
    expect(await app.log(1)).toMatchObject([{ what: 'item_ended', outcome }]);
    expect(world.told()).toMatch(
      /Invoice Reader.*changed by somebody else.*Wanted: 2,000 credits \(was 5,000 credits\)/,
    );
  });

  it('that can no longer be read is not sent, so what somebody has stopped meanwhile stays stopped', async () => {
    const proposal = await app.propose([limitOf(INVOICES)]);
    world.setElsewhere('bot-1', { stopResource: true });
    world.admin.faults.always('500', { on: 'list-thresholds' });

    await app.confirm(proposal);

    expect(writesOf(world)).toEqual([]);
    expect(world.told()).toMatch(/failed: it could not be read again .* so nothing was sent/);
    const outcome = { kind: 'failed', written: 'no', reason: 'unseen_before_write' };
    expect(await app.log(1)).toMatchObject([{ outcome }]);
    world.admin.faults.clear();
    expect(await app.propose([limitOf(INVOICES)])).toMatchObject({ plan: { items: [{ before: { stopped: true } }] } });
  });

  it('in another currency lets no agent run that was stopped meanwhile', async () => {
    const proposal = await app.propose([setEdit('limit', { ...INVOICES, currency: 'AI' }, LIMIT)]);
    world.setElsewhere('bot-1', { stopResource: true });

    await app.confirm(proposal);

    expect(proposal.plan.items).toHaveLength(1);
    expect(writesOf(world)).toEqual([]);
  });

  it('that cannot be read for a moment is read once more, and sent', async () => {
    const proposal = await app.propose([limitOf(INVOICES)]);
    world.admin.faults.next('500', { on: 'list-thresholds' });

    await app.confirm(proposal);

    expect(world.thresholdOf('bot-1')?.limit).toBe(2_000);
  });

  it.each([
    ['took without an answer is read back, and not sent again', 'lost-500', 'Read back'],
    ['refuses is said with its reason', '403', 'the service does not allow it for that account'],
  ] as const)('that the service %s', async (_, fault, words) => {
    const proposal = await app.propose([limitOf(TRAVEL)]);
    world.admin.faults.next(fault, { on: 'write-threshold' });

    await app.confirm(proposal);

    expect(writesOf(world)).toHaveLength(1);
    expect(world.told()).toContain(words);
  });

  it('that may have been sent before its administrator lost the right is in doubt, where the service shows none', async () => {
    app = world.start({ readsLimits: false });
    const { plan } = await app.propose([limitOf(TRAVEL)], { unknownStop: 'runs' });
    await app.addRun(plan, {}, {});
    world.gone.add(KIM.user);

    await app.runLane();

    const sent = await app.services.sent.get(toTargetKey({ ...TRAVEL, currency: CURRENCY }));
    expect(sent).toMatchObject({ limit: { credits: 2_000 }, inDoubt: true });
  });

  /** Its plan saw nothing, and a process that died may have sent it. Another one goes on. */
  it.each([
    ['is sent where nothing else was', {}, 'verified'],
    ['is sent over what the other process saw', { seen: 5_000 }, 'verified'],
    ['is not sent over what was sent since', { isSentSince: true }, 'conflict'],
    ['is not sent over what somebody has changed since', { seen: 4_000 }, 'conflict'],
  ])('that an earlier process may have sent %s', async (_, how: { seen?: number; isSentSince?: boolean }, kind) => {
    const { plan } = await world.start({ readsLimits: false }).propose([limitOf(INVOICES)], { unknownStop: 'runs' });
    const toSeen = (credits: number) => ({ limit: { ...LIMIT, credits, stopAtLimit: true }, stopped: false });
    await app.addRun(plan, {}, { seen: how.seen === undefined ? undefined : toSeen(how.seen) });
    if (how.isSentSince) {
      const sent = { limit: LIMIT, stopped: false, at: app.services.now(), run: 'another' };
      await world.kernel.commit([app.services.sent.toWrite(toTargetKey({ ...INVOICES, currency: CURRENCY }), sent)]);
    }

    await app.runLane();

    const results = await app.services.runs.results(plan.id);
    expect([results.get(0)?.kind, writesOf(world).length]).toEqual([kind, kind === 'verified' ? 1 : 0]);
  });
});

describe('a run', () => {
  it('that a bug breaks off again and again ends, and whoever began it hears what was not tried, as the log does', async () => {
    app.services.runs.claim = async () => {
      throw new TypeError('a bug');
    };

    await app.carryOut([limitOf(TRAVEL)]);
    await app.runLane();
    world.later += 60_000;
    await app.runLane();

    expect(await app.services.runs.listOpen()).toEqual([]);
    expect(world.told()).toMatch(/Ended early: something went wrong in this app\. 1 not tried/);
    expect(await app.log(1)).toMatchObject([{ what: 'item_ended', outcome: { kind: 'left', reason: 'fault' } }]);
  });

  it('of a script that was killed is ended, and told to nobody, as nobody in Slack began it', async () => {
    const { plan } = await app.propose([setEdit('class', { environmentId: PRODUCTION }, 'maker')]);
    await app.addRun({ ...plan, items: [] }, { by: { team: '', workspace: '', user: 'operator' }, items: 0 });

    await app.runLane();

    expect(await app.services.runs.listOpen()).toEqual([]);
    expect(world.said).toEqual([]);
  });

  it('is not begun again by the process that carries it out, if its clock is set back', async () => {
    const proposal = await app.propose([limitOf(TRAVEL)]);
    world.admin.faults.next('delay', { on: 'write-threshold', ms: 300 });
    const confirming = app.confirm(proposal);
    await expect.poll(() => writesOf(world)).toHaveLength(1);
    world.later = -3_600_000;

    await app.runLane();
    await confirming;

    expect((await app.log()).filter(({ what }) => what === 'item_ended')).toHaveLength(1);
  });

  it('whose administrator cannot be checked waits for an hour each time', async () => {
    await app.addRun((await app.propose([limitOf(TRAVEL)])).plan);
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

  it('of a process that stops while the service asks for a pause is left to the next one', async () => {
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
    expect(world.thresholdOf('bot-2')?.limit).toBe(2_000);
  });
});

describe('two administrators', () => {
  it('who confirm the same plan carry it out once', async () => {
    const proposal = await app.propose([limitOf(TRAVEL)]);

    const confirmed = await Promise.all([app.confirm(proposal), app.confirm(proposal)]);

    expect(confirmed).toEqual(['started', 'started']);
    expect(writesOf(world)).toHaveLength(1);
    expect((await app.services.policy.read()).policy.revision).toBe(1);
  });
});

describe('a class', () => {
  /** An environment with so many agents gets a class that sets their limits. */
  async function classify(count: number, meanwhile: () => void = () => undefined): Promise<void> {
    await world.close();
    const agents = Array.from({ length: count }, (_, index) => ({
      ...{ name: `a${index}`, displayName: `Agent ${index}`, environmentId: 'env', ownerId: 'o', isCLIAgent: false },
    }));
    const environments = [{ name: 'env', displayName: 'Env', ownerId: 'o' }];
    world = await startWorld({ thresholdList: true, environments, agents });
    app = world.start();
    await app.carryOut([setEdit('standard', { className: 'maker' }, { limit: LIMIT, credits: {} })]);
    meanwhile();
    await app.carryOut([setEdit('class', { environmentId: 'env' }, 'maker')]);
  }

  it('of which every item was refused did not end early', async () => {
    await classify(20, () => world.admin.faults.always('403', { on: 'write-threshold' }));

    expect(world.told()).toContain('20 failed');
    expect(world.told()).not.toContain('Ended early');
  });

  it('whose administrator lost the right meanwhile ends with a sentence', async () => {
    await classify(30);
    world.gone.add(KIM.user);

    await app.runLane();

    expect(writesOf(world)).toHaveLength(0);
    expect(world.told()).toContain('is not an administrator of this app any more. 30 not tried');
    expect((await app.log()).filter(({ outcome }) => outcome.kind === 'left')).toHaveLength(30);
  });
});
