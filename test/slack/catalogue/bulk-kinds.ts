// What administrators see of a bulk change: as usual, and at its worst.

import { buildBulkForm } from '../../../src/governance/bulk/bulk-form-views.ts';
import type { BulkItem } from '../../../src/governance/bulk/bulk-item.ts';
import {
  buildBulkEnded,
  buildBulkFinished,
  buildBulkProgress,
  buildBulkReport,
  type ShownBulk,
} from '../../../src/governance/bulk/bulk-messages.ts';
import {
  buildBulkBegun,
  buildBulkPreview,
  buildNothingInBulk,
} from '../../../src/governance/bulk/bulk-preview-views.ts';
import type { ItemEnd } from '../../../src/governance/bulk/bulk-records.ts';
import { toPlannedBulk } from '../../../src/governance/bulk/slack-bulk-approval.ts';
import { buildApprovalRequest } from '../../../src/governance/confirmation/approval-views.ts';
import { toPending } from '../../../src/governance/confirmation/pending-change.ts';
import { buildLimitAllForm, describeLimitAll, type Listed } from '../../../src/governance/lists/limit-all-views.ts';
import { CANDIDATE_KINDS } from '../../../src/governance/review/bulk-candidates.ts';
import { REVIEW_TOPICS } from '../../../src/governance/review/review-buttons.ts';
import { aListFilter } from '../../governance/lists/list-samples.ts';
import { AGENT, aDeployedLimit, aPlan, NOW } from '../../governance/shell/samples.ts';
import { BAD, type Kind, toKinds } from './kind.ts';

const ID = 'e'.repeat(256);

const STATE = {
  id: 'a1b2c3d4e5f6',
  place: { report: 'a1b2c3d4e5f6', page: 0, key: '' },
  replyTo: `https://hooks.slack.com/actions/${'T'.repeat(200)}`,
};

const CHANGE = { kind: 'limit' as const, plan: aPlan(aDeployedLimit()) };

const WORST = {
  ...CHANGE,
  plan: {
    ...CHANGE.plan,
    agent: { ...AGENT, environmentId: ID, agentResourceId: ID, name: ID, displayName: BAD, environmentName: BAD },
  },
};

const LEFT_OUT = Array.from({ length: 30 }, (_, index) => ({
  why: `${index}${'&amp;'.repeat(80)}`,
  count: 900,
  names: Array.from({ length: 5 }, () => `*${'&amp;'.repeat(160)}*`),
}));

const CLASSIFICATION: BulkItem = {
  ...{ kind: 'classification', classification: 'funded-production', registerHash: 'hash-1' },
  ...{ environmentId: 'env-1', name: '&'.repeat(200) },
};

const BULK = { schema: 1 as const, id: STATE.id, by: { team: 'T1', workspace: 'T1', user: 'U1' }, plannedAt: NOW };

const ENDS: ItemEnd[] = [
  { kind: 'verified' },
  { kind: 'applied_not_verified', reason: 'not_offered' },
  { kind: 'conflict', reason: 'before_write', by: 'U0BEN' },
  { kind: 'failed', reason: 'admin_rejected', sentence: BAD },
  { kind: 'failed', reason: `unheard ${BAD}` },
  { kind: 'skipped', reason: 'stopped' },
];

const LIMIT = { limit: 1_000, notify: true, notificationThreshold: 80, stopWhenReached: true };

const LISTED: Listed = {
  filter: aListFilter({ name: BAD, environment: BAD, owner: BAD, none: true, over: 80 }),
  ...{ environmentName: BAD, count: 9_999, truncated: true },
};

const CURRENCIES = Array.from({ length: 100 }, (_, index) => `${index}${BAD}`.slice(0, 150));

const NOTHING = describeLimitAll(LISTED, { wanted: LIMIT, currencyType: undefined }).nothing;

export function listBulkKinds(): Kind[] {
  const items = CANDIDATE_KINDS.flatMap((kind) => Array.from({ length: 9 }, () => ({ kind, change: WORST })));
  const changes = items.map(({ change }) => change);
  const counts = { first_limit: 2_900, limit: 1, allocation: 40, untold_limit: 7, unnamed: 3 };
  const many: ShownBulk = {
    bulk: { ...BULK, total: 60, leftOut: LEFT_OUT, ended: { at: NOW, why: 'stopped' } },
    items: Array.from({ length: 60 }, () => WORST),
    ends: Array.from({ length: 10 }, () => ENDS).flat(),
  };
  const one: ShownBulk = {
    bulk: { ...BULK, total: 1, leftOut: [], ended: { at: NOW, why: 'done' } },
    items: [CHANGE],
    ends: ENDS.slice(0, 1),
  };
  const clock = { now: NOW, timeZone: 'Europe/Berlin' };
  const views = {
    'all kinds of a review': buildBulkForm({ counts, cut: 12 }, STATE, [
      'Left as it is: 8 not in the register, 2 gone.',
    ]),
    'one kind of a review': buildBulkForm({ counts: { allocation: 2 }, cut: 0 }, STATE, []),
    'a bulk change': buildBulkPreview({
      plan: { items: [{ kind: 'limit', change: CHANGE }], leftOut: [] },
      ...{ state: STATE, headline: 'back to what is approved.', notes: [], reason: 'Drift found', loosening: 0 },
    }),
    'a bulk change of which a few can be left out, and that needs an approver': buildBulkPreview({
      plan: { items: items.slice(0, 10), leftOut: [] },
      ...{ state: STATE, headline: 'back to what is approved.', notes: [], reason: 'Drift found', loosening: 10 },
    }),
    'a bulk change, at its worst': buildBulkPreview({
      plan: { items, leftOut: LEFT_OUT },
      ...{ state: STATE, ...describeLimitAll(LISTED, { wanted: LIMIT, currencyType: BAD }) },
      ...{ reason: 'x'.repeat(500), loosening: 7 },
    }),
    'one limit for all': buildLimitAllForm({ ...LISTED, filter: aListFilter(), truncated: false }, ['Credits'], {
      ...STATE,
      query: 'none',
    }),
    'one limit for all, at its worst': buildLimitAllForm(LISTED, CURRENCIES, { ...STATE, query: 'x'.repeat(1_900) }),
    'nothing for a bulk change': buildNothingInBulk(NOTHING, LEFT_OUT),
    'a bulk change that begins': buildBulkBegun(REVIEW_TOPICS.classify_many, 3_000, 0),
    'a bulk change that waits': buildBulkBegun(REVIEW_TOPICS.classify_many, 3_000, 2),
  };
  return [
    ...Object.entries(views).map(([kind, view]): Kind => ({ kind: `the window of ${kind}`, view })),
    ...toKinds('how far a bulk change is', [
      buildBulkProgress(BULK, { counts: {}, total: 3_000, isStopping: false }, clock),
      buildBulkProgress(BULK, { counts: { verified: 2_000, failed: 3 }, total: 3_000, isStopping: true }, clock),
      buildBulkFinished(95_000),
    ]),
    ...toKinds('a bulk change to approve', [
      buildApprovalRequest(
        toPending(
          { id: STATE.id, by: BULK.by, approver: 'U2', reason: BAD, planned: toPlannedBulk({}, changes, changes) },
          NOW,
        ),
        clock,
      ),
      buildBulkEnded({ ...many.bulk, total: 1 }, buildBulkReport(many)),
    ]),
    ...toKinds('how a bulk change ended', [
      buildBulkReport(one),
      buildBulkReport(many),
      buildBulkReport(many, 3),
      buildBulkReport({ ...one, items: [CLASSIFICATION], ends: [{ kind: 'recorded' }] }),
      buildBulkReport({ ...one, items: [CLASSIFICATION], ends: [{ kind: 'conflict', reason: 'named_meanwhile' }] }),
      buildBulkReport({ ...many, bulk: { ...many.bulk, ended: { at: NOW, why: 'admin_unauthorized' } } }, 1),
    ]),
  ];
}
