// Plans, what waits for a second administrator, and how runs ended: as usual, and at their worst.
import type { ModalView } from '@slack/types';
import { REJECT_FORM } from '../../../src/governance/approval/approval-buttons.ts';
import type { Approval } from '../../../src/governance/approval/approval-store.ts';
import {
  buildApprovalRequest,
  buildAsked,
  buildAskedModal,
  buildDecidedRequest,
  buildOutdated,
  buildRejectEnd,
  buildRejected,
  buildRejectForm,
} from '../../../src/governance/approval/approval-views.ts';
import {
  type CreditsItem,
  createPlan,
  type Item,
  type LeftOut,
  type Plan,
  type ThresholdItem,
} from '../../../src/governance/plan/plan.ts';
import type { Proposal } from '../../../src/governance/run/engine.ts';
import { buildPlanWindow, PLAN_FORM } from '../../../src/governance/run/plan-form.ts';
import {
  buildFinished,
  buildInBackground,
  buildOutcome,
  buildProgress,
} from '../../../src/governance/run/run-message.ts';
import type { ItemResult, ResultKind, Run } from '../../../src/governance/run/run-store.ts';
import { type Edit, setEdit } from '../../../src/policy/edit.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { NOW } from '../../governance/lists/list-world.ts';
import { CURRENCY } from '../../governance/samples.ts';
import { KIM } from '../../governance/world.ts';
import { AGENT, BAD, type Kind, LIMIT, LONG_ID, toKinds, toWindow, toWindowKinds, WORST_AGENT, ZONE } from './kind.ts';

const NAMES = { ...ZONE, name: () => `*${'&amp;'.repeat(600)}* in ${'&amp;'.repeat(600)}` };
const WARNING = '&amp;'.repeat(200);

const toThreshold = (agent: ThresholdItem['agent'] = AGENT): ThresholdItem => ({
  ...{ resource: 'threshold', agent, currency: CURRENCY, way: 'more', isStop: false },
  ...{ before: { limit: 'none', stopped: true }, after: { limit: LIMIT, stopped: false } },
});

const WORST_CREDITS: CreditsItem = {
  ...{ resource: 'credits', environmentId: LONG_ID, environmentName: BAD, way: 'more', before: {} },
  after: Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `${index}${BAD}`,
      { allocated: 1e15, rules: { Alert: true, TenantPool: true, PayGo: true, Deny: true } },
    ]),
  ),
};

const LEFT_OUT: LeftOut[] = (['unreadable', 'maybe_stopped', 'stopped', 'no_amount', 'changed'] as const).flatMap(
  (reason) => Array.from({ length: 30 }, () => ({ environmentId: LONG_ID, agent: WORST_AGENT, currency: BAD, reason })),
);

function aPlan(items: readonly Item[], leftOut: LeftOut[] = []): Plan {
  const edits = items.flatMap((item): Edit[] =>
    item.resource === 'threshold'
      ? [setEdit('limit', { ...toIds(item), currency: CURRENCY }, LIMIT, '2026-12-31')]
      : [setEdit('class', { environmentId: item.environmentId }, 'maker')],
  );
  return createPlan('7f3a00000000', { basis: 'b', policy: 42, edits, items: [...items], leftOut });
}

const toIds = ({ agent: { environmentId, agentId } }: ThresholdItem) => ({ environmentId, agentId });

const ONE = aPlan([toThreshold()]);
const WORST = aPlan([...Array.from({ length: 99 }, () => toThreshold(WORST_AGENT)), WORST_CREDITS], LEFT_OUT);

/** Changes of the policy alone, as an import has them. */
const IMPORTED: Plan = {
  ...aPlan([]),
  edits: Array.from({ length: 12_000 }, (_, index) =>
    setEdit('owners', { environmentId: `env-${index}` }, Array(20).fill('o'.repeat(320))),
  ),
};

export const listAdminRunKinds = (): Kind[] => [
  ...toKinds({ ...APPROVALS(), ...OUTCOMES() }),
  ...toWindowKinds(WINDOWS()),
];

function anApproval(plan: Plan, values: Partial<Approval> = {}): Approval {
  return {
    ...{ id: plan.id, plan, warnings: [], by: KIM, account: 'kim', approver: 'U0ANA', reason: 'Closing of the year' },
    ...{ replyTo: 'D1', askedAt: NOW, expiresAt: NOW + 86_400_000, state: 'asked', ...values },
  };
}

const WORST_APPROVAL = anApproval(WORST, { warnings: [WARNING, WARNING], reason: BAD, said: BAD });

const IMPORTED_APPROVAL = anApproval(IMPORTED, { warnings: Array(6).fill(WARNING.repeat(2)) });

const APPROVALS = (): Record<string, Content> => {
  const { content: request } = buildApprovalRequest(anApproval(ONE), { ...NAMES, isInFile: false });
  return {
    'a request for approval': request,
    'a request for approval, at its worst': buildApprovalRequest(WORST_APPROVAL, { ...NAMES, isInFile: true }).content,
    'a request for approval of an import': buildApprovalRequest(IMPORTED_APPROVAL, { ...NAMES, isInFile: true })
      .content,
    'what waits for approval': buildAsked(anApproval(ONE), { ...NAMES, isApproverSignedIn: false }),
    'what waits for approval, at its worst': buildAsked(WORST_APPROVAL, { ...NAMES, isApproverSignedIn: false }),
    'a request that was approved': buildDecidedRequest(WORST_APPROVAL, 'You approved this.', NAMES.name),
    'what was rejected': buildRejected(WORST_APPROVAL, NAMES.name),
    'what was approved too late': buildOutdated(WORST_APPROVAL, NAMES.name),
  };
};

function anEnd(plan: Plan, kinds: readonly ResultKind[], values: Partial<ItemResult> = {}) {
  const run: Run = {
    ...{ id: plan.id, by: KIM, why: { by: KIM.user, reason: BAD, at: NOW }, policy: 42, isStop: false },
    ...{ edits: plan.edits.length, items: plan.items.length, replyTo: 'D1', begunAt: NOW },
    lease: { holder: 'x', until: NOW },
  };
  const results = plan.items.map((_, index): [number, ItemResult] => {
    const kind = kinds[index % kinds.length] ?? 'verified';
    return [index, { kind, written: 'yes', requestIds: [], at: NOW, ...values }];
  });
  return { run, content: { plan, reverse: plan.edits }, results: new Map(results), why: 'done' };
}

const ALL: readonly ResultKind[] = ['failed', 'conflict', 'sent_not_shown', 'left', 'verified'];

const OUTCOMES = (): Record<string, Content> => {
  const bad = { reason: 'admin_rejected', said: BAD, found: { limit: 'none', stopped: true } } as const;
  const progress = anEnd(WORST, ['verified']);
  return {
    'a run of one change': buildOutcome(anEnd(ONE, ['verified']), NAMES.name),
    'a run that is not shown': buildOutcome(anEnd(ONE, ['sent_not_shown']), NAMES.name),
    'a run that failed': buildOutcome(anEnd(ONE, ['failed'], bad), NAMES.name),
    'a run of nothing': buildOutcome(anEnd(aPlan([]), []), NAMES.name),
    'a run, at its worst': buildOutcome({ ...anEnd(WORST, ALL, bad), why: 'stopped' }, NAMES.name),
    'a run of an import': buildOutcome(anEnd(IMPORTED, []), NAMES.name),
    'a run that goes on': buildProgress({ run: progress.run, done: 30, total: 100 }),
    'a run that is done': buildFinished(progress),
  };
};

const WINDOWS = (): Record<string, ModalView> => {
  const proposal: Proposal = { plan: ONE, warnings: [], isGrave: false, typed: undefined, needsApprover: false };
  const worst = { plan: WORST, warnings: [WARNING, WARNING], isGrave: true, typed: 100, needsApprover: true };
  const nothing = { ...proposal, plan: aPlan([]) };
  return {
    'a plan': toWindow(PLAN_FORM, buildPlanWindow(proposal, NAMES.name)),
    'a plan, at its worst': toWindow(PLAN_FORM, buildPlanWindow(worst, NAMES.name, BAD)),
    'a plan of an import': toWindow(PLAN_FORM, buildPlanWindow({ ...worst, plan: IMPORTED }, NAMES.name, BAD)),
    'a plan of nothing': toWindow(PLAN_FORM, buildPlanWindow(nothing, NAMES.name)),
    'a run in the background': buildInBackground(anEnd(WORST, ['verified']).run),
    'what was asked for': buildAskedModal(buildAsked(WORST_APPROVAL, { ...NAMES, isApproverSignedIn: true })),
    'a rejection': toWindow(REJECT_FORM, buildRejectForm(WORST_APPROVAL)),
    'the end of a rejection': buildRejectEnd('Rejected.'),
  };
};
