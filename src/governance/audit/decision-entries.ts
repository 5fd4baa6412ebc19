// The entries of a decision beside the register: one before it is recorded, one afterwards.
import type { OverlayRecord } from '../register/overlay.ts';
import type { AuditEntry, AuditStore, SettingAction } from './audit-log.ts';

export const DECISION_ACTIONS = {
  exception: 'exception_accepted',
  classification: 'environment_classified',
  agent_limit: 'limit_approved',
} as const satisfies Record<OverlayRecord['kind'], AuditEntry['what']>;

const ACTIONS: readonly string[] = Object.values(DECISION_ACTIONS);

/** Whether the entry is of something that is recorded in the overlay. */
export function isDecisionEntry({ what }: AuditEntry): boolean {
  return ACTIONS.includes(what);
}

/** What was decided. Names stay out of the log. */
export function toDecided(record: OverlayRecord): object {
  const { registerHash } = record;
  switch (record.kind) {
    case 'exception':
      return { accepts: record.accepts, expiresOn: record.expiresOn, registerHash };
    case 'classification': {
      const { classification, owners, allocations, unnamedAgents, isWithdrawn } = record;
      return { classification, owners, allocations, unnamedAgents, isWithdrawn, registerHash };
    }
    case 'agent_limit':
      return { limit: record.limit, registerHash };
  }
}

const SETTING_ACTIONS: readonly string[] = [
  'channel_rules_changed',
  'workspace_paused',
  'workspace_resumed',
] satisfies SettingAction[];

/** Whether the entry is of something that administrators set for questions. */
export function isSettingEntry({ what }: AuditEntry): boolean {
  return SETTING_ACTIONS.includes(what);
}

const CHUNK = 100;

/** A form is sent twice within minutes, so further back nothing is searched. */
const MAX_SEARCHED = 2_000;

/** Whether its end is in the log. Also true if that is too far back to be found. */
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
