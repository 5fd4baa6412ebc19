import type { ThreadConversation } from '../conversation/stores.ts';
import type { Turn } from '../conversation/turn.ts';
import { PermanentError } from '../errors.ts';
import type { AllocationChange, LimitChange } from '../governance/changes/change.ts';

/** The `schema` of each kind of record that this release writes. */
export const NEWEST_SCHEMA = {
  turn: 1,
  conversation: 1,
  link: 1,
  change: 1,
  installation: 1,
  audit: 1,
  overlay: 1,
  review: 1,
} as const;

/**
 * Reads a stored record. Consecutive releases may share a store, so this one may read records of the next one, which only
 * adds fields; they are kept and written back. Throws a PermanentError on anything newer.
 */
export function readRecord<T extends { schema: number }>(json: string, newest: number): T {
  const record: T = JSON.parse(json);
  if (record.schema > newest + 1) {
    throw new PermanentError(
      'record_too_new',
      `a record has schema ${record.schema}, and this release reads ${newest + 1} at most: start the release that wrote it`,
    );
  }
  return record;
}

type Subject =
  | Pick<LimitChange, 'kind' | 'environmentId' | 'agentResourceId'>
  | Pick<AllocationChange, 'kind' | 'environmentId'>;

/** The key under which stores list changes: `environment|agent`, or `environment|` for the environment itself. */
export function toSubject(subject: Subject): string {
  const agent = subject.kind === 'agent_limit' ? subject.agentResourceId : '';
  return `${subject.environmentId}|${agent}`.toLowerCase();
}

/** Given up, for operators. `failed`: the person was told; `abandoned`: not even that worked. */
export function isDead({ stage, result }: Pick<Turn, 'stage' | 'result'>): boolean {
  return stage === 'done' && (result === 'failed' || result === 'abandoned');
}

/** The installing team of a conversation. For records of the first release: the team in the thread key. */
export function toWorkspace(thread: string, { workspace }: ThreadConversation): string {
  return workspace ?? thread.split(':', 1)[0] ?? '';
}
