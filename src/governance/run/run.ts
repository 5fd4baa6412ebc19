// A run: the carrying out of one plan. Stored: fields are added, never renamed.
import type { Plan } from '../plan/plan.ts';
import type { CreditsState, ThresholdState } from '../plan/seen.ts';
import type { Edit } from '../policy/edit.ts';
import type { Why } from '../policy/policy.ts';
import type { Caller } from '../shell/admin-rules.ts';

/** Whose process is at it. `until`: epoch ms; after that another one goes on with it. */
export type Lease = { holder: string; until: number };

/** `why`: `done`, `stopped` by an admin, or the code of what ended it before all items were tried. */
export type RunEnd = { at: number; why: string };

export type Run = {
  /** That of its plan. */
  id: string;
  by: Caller;
  /** Who approved it: it is carried out in their name. */
  approver?: Caller | undefined;
  why: Why;
  /** The revision of the policy that it made, or that it brings the service to. */
  policy: number;
  edits: number;
  items: number;
  /** All items are stops: nothing waits for anything. */
  isStop: boolean;
  /** See click-place.ts: where its outcome is said. */
  replyTo: string;
  /** Epoch ms. */
  begunAt: number;
  lease: Lease;
  /** Since when nobody could tell whether its admin may go on. Epoch ms. */
  waitingSince?: number | undefined;
  /** The message that shows how far it is: its ts in the direct messages of who confirmed it. */
  messageTs?: string | undefined;
  /** The Slack user who stopped the rest. */
  stoppedBy?: string | undefined;
  /** How often it failed for a fault of ours. */
  faults?: number | undefined;
  ended?: RunEnd | undefined;
};

/** Written once. `reverse`: puts the policy back as it was. */
export type RunContent = { plan: Plan; reverse: Edit[] };

/**
 * `verified`: the service shows it. `sent_not_shown`: sent, and the service does not show it. `conflict`: somebody else
 * changed it. `left`: not tried.
 */
export type ResultKind = 'verified' | 'sent_not_shown' | 'conflict' | 'failed' | 'left';

/** Whether the service holds what was sent. */
type Written = 'yes' | 'no' | 'perhaps';

export type ItemResult = {
  kind: ResultKind;
  written: Written;
  /** A stable code; none where nothing more is to be said. */
  reason?: string | undefined;
  /** The service's own words: untrusted. */
  said?: string | undefined;
  /** Of a conflict: what was there instead. */
  found?: ThresholdState | CreditsState | undefined;
  /** What was sent in the end, where that is not what the plan has: see stop-item.ts. */
  after?: ThresholdState | undefined;
  requestIds: string[];
  /** Epoch ms. */
  at: number;
};

/** `sending`: it may be on its way to the service since then (epoch ms). `seen`: see carry-out-item.ts. */
export type ItemRecord = {
  index: number;
  sending: number;
  seen?: ThresholdState | CreditsState | undefined;
  result?: ItemResult | undefined;
};

/** `results`: of all items, by their index. */
export type EndedRun = { run: Run; content: RunContent; results: ReadonlyMap<number, ItemResult>; why: string };
