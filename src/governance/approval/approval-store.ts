// What one admin asked for and another has to approve, as it is kept between the two.
import { amend, type Kernel, read } from '../../storage/kernel.ts';
import type { Plan } from '../plan/plan.ts';
import { changeDocument } from '../run/run-store.ts';
import type { Caller } from '../shell/admin-rules.ts';

/** A plan that waits for a second administrator. Stored: fields are added, never renamed. */
export type Approval = {
  /** That of the plan: approved twice it is carried out once. */
  id: string;
  plan: Plan;
  /** What it does that nobody may overlook: mrkdwn, as both are shown it. */
  warnings: string[];
  by: Caller;
  /** The account of the directory that they asked with: see AccountLink. */
  account: string;
  /** The Slack user id of the admin who is to decide. */
  approver: string;
  /** In the words of who asked. */
  reason: string;
  /** See click-place.ts. */
  replyTo: string;
  /** Epoch ms. */
  askedAt: number;
  expiresAt: number;
  /** `asking`: the approver is not known to have the message yet. */
  state: 'asking' | 'asked' | 'approved' | 'rejected' | 'withdrawn';
  decidedAt?: number | undefined;
  /** Why it was rejected, in the approver's own words. */
  said?: string | undefined;
};

/** Whoever presses an old button hears what became of it. */
const REMEMBERED_MS = 90 * 24 * 3_600_000;

/** Throws StoreUnavailableError. */
export type ApprovalStore = {
  get(id: string): Promise<Approval | undefined>;
  /** False: it is there already, and not withdrawn. */
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
