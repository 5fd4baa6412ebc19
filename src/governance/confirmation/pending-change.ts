// What one admin asked for and another has to approve, as it is kept between the two.

import type { PlannedChange } from '../../slack/views/admin/planned-change.ts';
import type { Caller } from '../is-admin.ts';
import type { OverlayRecord } from '../register/overlay.ts';
import type { RegisterDefaults } from '../register/register.ts';
import type { Finding } from '../review/finding.ts';

/** A decision about a finding of a review, which nobody has recorded yet. */
export type PlannedDecision = {
  kind: 'decision';
  /** As it is to be, but for who approves it and when. */
  record: OverlayRecord;
  /** As it was reviewed. */
  finding: Finding;
  /** Of an agent's environment, where it is known; untrusted. */
  environmentName?: string | undefined;
  /** What a classification approves by default. */
  defaults?: RegisterDefaults | undefined;
};

export type Pending<Planned extends PlannedChange | PlannedDecision = PlannedChange | PlannedDecision> = {
  schema: 1;
  /** The id of the change or decision, too: approved twice it is carried out once. */
  id: string;
  /** Who asked for it. */
  by: Caller;
  /** The Slack user id of the admin who is to decide. */
  approver: string;
  /** In the words of who asked for it. */
  reason: string;
  planned: Planned;
  /** Epoch ms. */
  askedAt: number;
  expiresAt: number;
};

export type PendingChange = Pending<PlannedChange>;
export type PendingDecision = Pending<PlannedDecision>;

export function isDecision(pending: Pending): pending is PendingDecision {
  return pending.planned.kind === 'decision';
}

/** Long enough for another time zone and a night; by then the plan has to be made anew. */
const OPEN_MS = 24 * 60 * 60 * 1000;

export function toPending<Planned extends PlannedChange | PlannedDecision>(
  request: Pick<Pending<Planned>, 'id' | 'by' | 'approver' | 'reason' | 'planned'>,
  now: number,
): Pending<Planned> {
  return { schema: 1, ...request, askedAt: now, expiresAt: now + OPEN_MS };
}

/** Why somebody cannot decide about what somebody else asked for; undefined where they can. */
export function findObjection(
  { by, approver }: Pick<Pending, 'by' | 'approver'>,
  clicker: Pick<Caller, 'team' | 'user'>,
): 'own_request' | 'not_named' | undefined {
  if (clicker.team === by.team && clicker.user === by.user) return 'own_request';
  return clicker.team === by.team && clicker.user === approver ? undefined : 'not_named';
}
