// What stands in the audit log of a decision: one entry before it is recorded, one afterwards.
import type { OverlayRecord } from '../register/overlay.ts';
import type { AuditEntry, LinkedEntry } from './audit-entry.ts';
import type { AuditStore } from './audit-store.ts';

export const DECISION_ACTIONS = {
  exception: 'exception_accepted',
  classification: 'environment_classified',
  agent_limit: 'limit_approved',
} as const satisfies Record<OverlayRecord['kind'], AuditEntry['what']>;

const WORDS: readonly string[] = Object.values(DECISION_ACTIONS);

/** Whether the entry is of something that is recorded in the overlay. */
export function isDecisionEntry({ what }: AuditEntry): boolean {
  return WORDS.includes(what);
}

const CHUNK = 100;

/** Who sends a form twice does so within minutes: what is further back than this is not looked for. */
const MAX_SEARCHED = 2_000;

/** Whether its end is in the log. Also true where that is too far back to be found. */
export async function isDecisionLogged(
  { id, kind }: Pick<OverlayRecord, 'id' | 'kind'>,
  audit: Pick<AuditStore, 'list'>,
): Promise<boolean> {
  let before: number | undefined;
  for (let searched = 0; searched < MAX_SEARCHED; searched += CHUNK) {
    const entries = await audit.list({ limit: CHUNK, before });
    // The latest first: the end of a decision comes before its begin here.
    const last = entries.find(
      ({ what, subject, outcome }) =>
        what === DECISION_ACTIONS[kind] && subject.changeId === id && outcome.kind !== 'failed',
    );
    if (last) return last.outcome.kind === 'done';
    if (entries.length < CHUNK) return false;
    before = entries.at(-1)?.seq;
  }
  return true;
}

/** Whether an entry soon after this one says how the same ended. */
export async function isEndedAfter(begun: LinkedEntry, audit: Pick<AuditStore, 'list'>): Promise<boolean> {
  const after = await audit.list({ limit: CHUNK, before: begun.seq + CHUNK + 1 });
  return after.some((entry) => isEndOf(entry, begun));
}

export function isEndOf(entry: LinkedEntry, begun: LinkedEntry): boolean {
  const { seq, what, subject, outcome } = entry;
  return (
    seq > begun.seq && what === begun.what && subject.changeId === begun.subject.changeId && outcome.kind !== 'begun'
  );
}

/** What was decided, without names: they stay out of the log. */
export function toDecided(record: OverlayRecord): object {
  const { registerHash } = record;
  switch (record.kind) {
    case 'exception':
      return { accepts: record.accepts, expiresOn: record.expiresOn, registerHash };
    case 'classification': {
      const { classification, owners, allocations } = record;
      return { classification, owners, allocations, registerHash };
    }
    case 'agent_limit':
      return { limit: record.limit, registerHash };
  }
}
