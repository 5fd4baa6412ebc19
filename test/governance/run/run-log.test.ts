import { expect, it } from 'vitest';
import { createAuditLog } from '../../../src/audit/chained-log.ts';
import { createPlan } from '../../../src/governance/plan/plan.ts';
import { createRunLog } from '../../../src/governance/run/run-log.ts';
import { applyEdits, type Edit, setEdit, toReverse } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY } from '../../../src/policy/policy.ts';
import { createModel } from '../../storage/kernel-model.ts';
import { KIM } from './run-world.ts';

const AT = Date.parse('2026-12-01T09:00:00Z');
const WHY = { by: KIM.user, reason: 'because of the trial', at: AT };

/** The log of a run of these edits. `reads`: how often it was read to see what is missing. */
function aLog(edits: Edit[], policy = EMPTY_POLICY) {
  const audit = createAuditLog(createModel(() => AT));
  const counted = { reads: 0 };
  const list: typeof audit.list = (options) => {
    counted.reads += 1;
    return audit.list(options);
  };
  const plan = createPlan('aaaaaaaaaaaa', { policy: policy.revision, basis: '', edits, items: [], leftOut: [] });
  const counts = { edits: edits.length, items: 0 };
  const run = { ...counts, id: plan.id, by: KIM, why: WHY, policy: policy.revision + 1, begunAt: AT };
  const content = { plan, reverse: toReverse(policy, edits) };
  const services = { audit: { ...audit, list }, now: () => AT };
  return { audit, counted, open: (isResumed: boolean) => createRunLog(run, content, services, { isResumed }) };
}

it('has a line of its own for each installation that has a channel of the same id, once', async () => {
  const targets = ['T1', 'T2'].map((workspace) => ({ workspace, channel: 'C1' }));
  const { audit, open } = aLog(targets.map((target) => setEdit('webSearch', target, false)));

  for (const isResumed of [false, true]) await open(isResumed).addDecision();

  const set = (await audit.list({ limit: 10 })).filter(({ what }) => what === 'policy_set');
  expect(set.map(({ subject }) => subject).toReversed()).toEqual(
    targets.map((target) => ({ ...target, planId: 'aaaaaaaaaaaa' })),
  );
});

it('is not read before something is added', async () => {
  const { counted, open } = aLog([]);
  const log = open(true);
  expect(counted.reads).toBe(0);

  await log.addDecision();

  expect(counted.reads).toBe(1);
});

it('has what was approved before, and not an exception that was over', async () => {
  const target = { environmentId: 'e', agentId: 'a', currency: 'C' };
  const toLimit = (credits: number) => ({ credits, noticeAt: 'off' as const, stopAtLimit: true });
  const before = [setEdit('limit', target, toLimit(500)), setEdit('limit', target, toLimit(800), '2026-11-30')];
  const { audit, open } = aLog([setEdit('limit', target, toLimit(600))], applyEdits(EMPTY_POLICY, before, WHY));

  await open(false).addDecision();

  expect(await audit.list({ limit: 1 })).toMatchObject([
    { before: { setting: 'limit', value: toLimit(500) }, after: { setting: 'limit', value: toLimit(600) } },
  ]);
});
