// A run carries out one plan. Stored: fields are added, never renamed.
import type { Edit } from '../../policy/edit.ts';
import type { Why } from '../../policy/policy.ts';
import type { Plan } from '../plan/plan.ts';
import type { CreditsState, ThresholdState } from '../plan/seen.ts';
import type { Caller } from '../shell/admin-rules.ts';

/** The process that carries the run out. `until`: epoch ms; after that, another process goes on. */
export type Lease = { holder: string; until: number };

/** `why`: `done`, `stopped` by an admin, or the code of the reason why it ended before all items were tried. */
export type RunEnd = { at: number; why: string };

export type Run = {
  /** The id of its plan. */
  id: string;
  by: Caller;
  /** Who approved the plan. The run uses their rights. */
  approver?: Caller | undefined;
  why: Why;
  /** The revision of the policy that the run made. Without edits: the present one. */
  policy: number;
  edits: number;
  items: number;
  /** All items are stops, which wait for nothing. */
  isStop: boolean;
  /** Where the outcome is posted: see click-place.ts. */
  replyTo: string;
  /** Epoch ms. */
  begunAt: number;
  lease: Lease;
  /** Since when the rights of its admin cannot be checked. Epoch ms. */
  waitingSince?: number | undefined;
  /** The `ts` of the progress message, in the direct messages of the person who confirmed the plan. */
  messageTs?: string | undefined;
  /** The Slack user who stopped the rest. */
  stoppedBy?: string | undefined;
  /** How often it failed with an unexpected error. */
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
  /** A stable code for the reason, if there is one. */
  reason?: string | undefined;
  /** The service's own words: untrusted. */
  said?: string | undefined;
  /** What the service showed instead. */
  found?: ThresholdState | CreditsState | undefined;
  /** What was sent in the end, if it differs from the plan: see stop-item.ts. */
  after?: ThresholdState | undefined;
  requestIds: string[];
  /** Epoch ms. */
  at: number;
};

/** `sending`: since when the item may have been sent (epoch ms). `seen`: see carry-out-item.ts. */
export type ItemRecord = {
  index: number;
  sending: number;
  seen?: ThresholdState | CreditsState | undefined;
  result?: ItemResult | undefined;
};

/** `results`: of all items, by their index. */
export type EndedRun = { run: Run; content: RunContent; results: ReadonlyMap<number, ItemResult>; why: string };
