import { expect, it } from 'vitest';
import { createAuditLog } from '../../../src/audit/chained-log.ts';
import { createPlan } from '../../../src/governance/plan/plan.ts';
import { createRunLog } from '../../../src/governance/run/run-log.ts';
import { applyEdits, setEdit, toReverse } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY } from '../../../src/policy/policy.ts';
import { createModel } from '../../storage/kernel-model.ts';

const BY = { team: 'E1', workspace: 'T1', user: 'U0KIM' };
const WHY = { by: 'U0KIM', reason: 'because of the trial', at: 1_000 };

it('has a line of its own for each installation that has a channel of the same id, once', async () => {
  const audit = createAuditLog(createModel(() => 1_000));
  const targets = ['T1', 'T2'].map((workspace) => ({ workspace, channel: 'C1' }));
  const edits = targets.map((target) => setEdit('webSearch', target, false));
  const plan = createPlan('aaaaaaaaaaaa', { policy: 0, basis: '', edits, items: [], leftOut: [] });
  const reverse = edits.map(({ setting, target }) => ({
    ...{ setting, target, change: { kind: 'restore' as const, entry: undefined } },
  }));
  const run = {
    ...{ id: plan.id, by: BY, why: WHY, policy: 1, edits: 2, items: 0, isStop: false, replyTo: '' },
    ...{ begunAt: 1_000, lease: { holder: '', until: 0 } },
  };

  for (const isResumed of [false, true]) {
    await createRunLog(run, { plan, reverse }, { audit, now: () => 1_000 }, { isResumed }).addDecision();
  }

  const set = (await audit.list({ limit: 10 })).filter(({ what }) => what === 'policy_set');
  expect(set.map(({ subject }) => subject).toReversed()).toEqual(
    targets.map((target) => ({ ...target, planId: plan.id })),
  );
});

it('is not read before something is added', async () => {
  const audit = createAuditLog(createModel(() => 1_000));
  let reads = 0;
  const list: typeof audit.list = async (options) => {
    reads += 1;
    return audit.list(options);
  };
  const plan = createPlan('cccccccccccc', { policy: 0, basis: '', edits: [], items: [], leftOut: [] });
  const run = {
    ...{ id: plan.id, by: BY, why: WHY, policy: 0, edits: 0, items: 0, isStop: false, replyTo: '' },
    ...{ begunAt: 1_000, lease: { holder: '', until: 0 } },
  };
  const log = createRunLog(
    run,
    { plan, reverse: [] },
    { audit: { ...audit, list }, now: () => 1_000 },
    { isResumed: true },
  );
  expect(reads).toBe(0);

  await log.addDecision();

  expect(reads).toBe(1);
});

it('has what was approved before, and not an exception that was over', async () => {
  const at = Date.parse('2026-12-01T09:00:00Z');
  const audit = createAuditLog(createModel(() => at));
  const target = { environmentId: 'e', agentId: 'a', currency: 'C' };
  const toLimit = (credits: number) => ({ credits, noticeAt: 'off' as const, stopAtLimit: true });
  const edits = [setEdit('limit', target, toLimit(600))];
  const policy = applyEdits(
    EMPTY_POLICY,
    [setEdit('limit', target, toLimit(500)), setEdit('limit', target, toLimit(800), '2026-11-30')],
    WHY,
  );
  const plan = createPlan('bbbbbbbbbbbb', { policy: 1, basis: '', edits, items: [], leftOut: [] });
  const run = {
    ...{ id: plan.id, by: BY, why: { ...WHY, at }, policy: 2, edits: 1, items: 0, isStop: false, replyTo: '' },
    ...{ begunAt: at, lease: { holder: '', until: 0 } },
  };
  const reverse = toReverse(policy, edits);

  await createRunLog(run, { plan, reverse }, { audit, now: () => at }, { isResumed: false }).addDecision();

  const [set] = await audit.list({ limit: 1 });
  expect(set).toMatchObject({
    before: { setting: 'limit', value: toLimit(500) },
    after: { setting: 'limit', value: toLimit(600) },
  });
});
