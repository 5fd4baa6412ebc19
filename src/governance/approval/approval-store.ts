// Stores what one admin asked for and another has to approve.
import { amend, type Kernel, read } from '../../storage/kernel.ts';
import type { Plan } from '../plan/plan.ts';
import { changeDocument } from '../run/run-store.ts';
import type { Caller } from '../shell/admin-rules.ts';

/** A plan that waits for a second administrator. Stored: fields are added, never renamed. */
export type Approval = {
  /** The id of the plan, so that a plan approved twice is carried out once. */
  id: string;
  plan: Plan;
  /** Important effects, as both people see them: mrkdwn. */
  warnings: string[];
  by: Caller;
  /** The directory account of the requester when they asked: see AccountLink. */
  account: string;
  /** The Slack user id of the admin who is to decide. */
  approver: string;
  /** In the requester's words. */
  reason: string;
  /** See click-place.ts. */
  replyTo: string;
  /** Epoch ms. */
  askedAt: number;
  expiresAt: number;
  /** `asking`: it is not known yet whether the approver has the message. */
  state: 'asking' | 'asked' | 'approved' | 'rejected' | 'withdrawn';
  decidedAt?: number | undefined;
  /** Why it was rejected, in the approver's own words. */
  said?: string | undefined;
};

/** For this long, an old button still says how its request ended. */
const REMEMBERED_MS = 90 * 24 * 3_600_000;

/** Throws StoreUnavailableError. */
export type ApprovalStore = {
  get(id: string): Promise<Approval | undefined>;
  /** False: the approver has the request already, or has decided it. */
  add(approval: Approval): Promise<boolean>;
  /** Undefined, and nothing is changed: there is none, or `change` returns undefined. */
  change(id: string, change: (approval: Approval) => Approval | undefined): Promise<Approval | undefined>;
};

export function createApprovalStore(kernel: Kernel): ApprovalStore {
  const toWrite = (approval: Approval) => ({
    put: toKey(approval.id),
    body: approval,
    expiresAt: approval.expiresAt + REMEMBERED_MS,
  });
  return {
    get: async (id) => (await read<Approval>(kernel, toKey(id)))?.body,
    add: (approval) =>
      amend<Approval>(kernel, [toKey(approval.id)], ([found]) =>
        found && found.body.state !== 'withdrawn' && found.body.state !== 'asking' ? undefined : [toWrite(approval)],
      ),
    change: (id, decide) => changeDocument(kernel, toKey(id), toWrite, decide),
  };
}

function toKey(id: string): string {
  return `approval:${id}`;
}
