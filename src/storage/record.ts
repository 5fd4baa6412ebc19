import type { WorkspaceRules } from '../conversation/channel-rules.ts';
import type { QuestionContent, ThreadConversation } from '../conversation/stores.ts';
import type { Stage, Turn } from '../conversation/turn.ts';
import { PermanentError } from '../errors.ts';
import type { LinkedEntry } from '../governance/audit/audit-log.ts';
import type { AllocationChange, Change, LimitChange } from '../governance/changes/change.ts';
import type { OverlayRecord } from '../governance/register/overlay.ts';
import type { ReviewSnapshot } from '../governance/review/review-diff.ts';
import type { AccountLink } from '../identity/account-link.ts';
import type { StoredInstallation } from '../slack/installation.ts';

/** What stores keep as JSON, by kind. */
type StoredRecords = {
  turn: Turn;
  conversation: ThreadConversation;
  link: AccountLink;
  change: Change;
  installation: StoredInstallation;
  audit: LinkedEntry;
  overlay: OverlayRecord;
  review: ReviewSnapshot;
  rules: WorkspaceRules;
};

type RecordKind = keyof StoredRecords;

/** The `schema` of each kind of record that this release writes. */
const NEWEST_SCHEMA: Record<RecordKind, number> = {
  turn: 1,
  conversation: 1,
  link: 1,
  change: 1,
  installation: 1,
  audit: 1,
  overlay: 1,
  review: 1,
  rules: 1,
};

/**
 * Reads a stored record. Consecutive releases may share a store, so this one may read records of the next one, which only
 * adds fields; they are kept and written back. Throws a PermanentError on anything newer.
 */
export function readRecord<K extends RecordKind>(kind: K, json: string): StoredRecords[K] {
  const newest = NEWEST_SCHEMA[kind];
  const record: StoredRecords[K] = JSON.parse(json);
  if (record.schema > newest + 1) {
    throw new PermanentError(
      'record_too_new',
      `a record has schema ${record.schema}, and this release reads ${newest + 1} at most: start the release that wrote it`,
    );
  }
  return record;
}

type Subject =
  | Pick<LimitChange, 'kind' | 'environmentId' | 'agentResourceId' | 'currencyType'>
  | Pick<AllocationChange, 'kind' | 'environmentId'>;

/**
 * The key under which stores list changes: `environment|agent`, or `environment|` for the environment itself. A limit in
 * another currency than the configured one has that at the end.
 */
export function toSubject(subject: Subject): string {
  const { environmentId } = subject;
  if (subject.kind === 'allocation') return `${environmentId}|`.toLowerCase();
  const { agentResourceId, currencyType } = subject;
  return `${environmentId}|${agentResourceId}${currencyType === undefined ? '' : `|${currencyType}`}`.toLowerCase();
}

/** Given up, for operators. `failed`: the person was told; `abandoned`: not even that worked. */
export function isDead({ stage, result }: Pick<Turn, 'stage' | 'result'>): boolean {
  return stage === 'done' && (result === 'failed' || result === 'abandoned');
}

const NOT_SENT: readonly Stage[] = ['accepted', 'waiting', 'parked'];

/** The turn with what it is to ask now: see `revise` of TurnStore. Undefined: it is too late. */
export function toRevised(turn: Turn, said: QuestionContent): Turn | undefined {
  if (!NOT_SENT.includes(turn.stage)) return undefined;
  const fence = turn.fence + 1;
  // Settled: the run that is fenced off did not die.
  return { ...turn, fence, settled: fence, question: { ...turn.question, ...said } };
}
