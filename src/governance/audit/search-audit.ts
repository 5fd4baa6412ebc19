// One page of the audit log, perhaps searched by a text, with the names that its ids have now: the log itself has none.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Agent, Environment } from '../../admin-api/inventory-wire.ts';
import type { ChangeStore } from '../changes/change.ts';
import { listRows, toComparable } from '../inventory/inventory.ts';
import type { OverlayStore } from '../register/overlay.ts';
import { optional } from '../shell/admin-failure.ts';
import { toSearchText } from '../shell/typed-text.ts';
import type { AuditEntry, AuditStore, LinkedEntry } from './audit-log.ts';
import { isDecisionEntry, isSettingEntry } from './decision-entries.ts';

export type AuditRow = {
  entry: LinkedEntry;
  /** It was begun, and did not end yet: it runs, or it broke off and nobody has looked since. */
  isOpen: boolean;
};

export type AuditPage = {
  rows: AuditRow[];
  /** For the next page: `before`; undefined where there is none. */
  next: number | undefined;
  /** Set if the search was stopped: how far back it has come (epoch ms). It goes on with `next`. */
  searchedTo: number | undefined;
};

export type AuditSearch = AuditPage & {
  query: string;
  names: AuditNames;
  /** The names could not be read, so that nothing was found by them either. */
  isGap: boolean;
};

/** Names as their makers gave them: untrusted. Undefined where there is none, or it could not be read. */
export type AuditNames = {
  environment(environmentId: string): string | undefined;
  agent(environmentId: string, agentResourceId: string): string | undefined;
};

export type AuditListPorts = {
  audit: Pick<AuditStore, 'list'>;
  changes: Pick<ChangeStore, 'get'>;
  /** What became of decisions is known by their records. */
  overlay: Pick<OverlayStore, 'list'>;
};

export type AuditSearchPorts = AuditListPorts & {
  session: Pick<AdminSession, 'findAgents' | 'findEnvironments'>;
};

const PAGE_SIZE = 10;

/**
 * Finds the text in names, ids and words. Names are best effort: where they cannot be read, only ids are searched. Throws
 * StoreUnavailableError, and the refusal `admin_unauthorized`.
 */
export async function searchAudit(
  { query = '', before, limit = PAGE_SIZE }: { query?: string; before?: number | undefined; limit?: number },
  { session, ...ports }: AuditSearchPorts,
): Promise<AuditSearch> {
  const [agents, environments] = await Promise.all([
    optional(session.findAgents()),
    optional(session.findEnvironments()),
  ]);
  const names = toNames(listRows(agents), listRows(environments));
  const text = toSearchText(query);
  const wanted = toComparable(text);
  const matches = wanted === '' ? undefined : (entry: LinkedEntry) => toHaystack(entry, names).includes(wanted);
  const page = await listAudit({ limit, before, matches }, ports);
  return { ...page, query: text, names, isGap: agents === 'gap' || environments === 'gap' };
}

type AuditListOptions = {
  limit: number;
  before?: number | undefined;
  /** What it is searched by. */
  matches?: ((entry: LinkedEntry) => boolean) | undefined;
};

const CHUNK = 100;

/** Per page: nobody waits for longer, and it is no more work than a few pages of a database. */
const MAX_SEARCHED = 5_000;

/** One row per change or decision: its end, or its begin while it has not ended. The latest comes first. */
export async function listAudit(
  { limit, before, matches = () => true }: AuditListOptions,
  { audit, changes, overlay }: AuditListPorts,
): Promise<AuditPage> {
  const rows: AuditRow[] = [];
  const settling: Settling = { audit, changes, ends: [], recorded: onlyOnce(() => listRecorded(overlay)) };
  let last = before;
  for (let searched = CHUNK; ; searched += CHUNK) {
    const entries = await audit.list({ limit: CHUNK, before: last });
    settling.ends.push(...entries.filter((entry) => isEndedByEntry(entry) && entry.outcome.kind !== 'begun'));
    const found = await Promise.all(entries.filter(matches).map((entry) => toRow(entry, settling)));
    rows.push(...found.filter((row) => row !== undefined));
    // One more than is shown: there is a next page.
    if (rows.length > limit)
      return { rows: rows.slice(0, limit), next: rows[limit - 1]?.entry.seq, searchedTo: undefined };
    const oldest = entries.at(-1);
    if (oldest === undefined || entries.length < CHUNK) return { rows, next: undefined, searchedTo: undefined };
    last = oldest.seq;
    if (searched >= MAX_SEARCHED) return { rows, next: last, searchedTo: oldest.at };
  }
}

type Settling = Pick<AuditListPorts, 'audit' | 'changes'> & {
  /** Of decisions, as far as they were listed. */
  ends: LinkedEntry[];
  /** The ids of all decisions that are recorded. */
  recorded(): Promise<Set<string>>;
};

async function toRow(entry: LinkedEntry, settling: Settling): Promise<AuditRow | undefined> {
  if (entry.outcome.kind !== 'begun') return { entry, isOpen: false };
  const { changeId } = entry.subject;
  if (changeId !== undefined && isEndedByEntry(entry)) return toDecisionRow(entry, changeId, settling);
  const change = changeId === undefined ? undefined : await settling.changes.get(changeId);
  return change?.outcome === undefined ? { entry, isOpen: true } : undefined;
}

/** How it ended says another entry, and no record of a change. */
function isEndedByEntry(entry: AuditEntry): boolean {
  return isDecisionEntry(entry) || isSettingEntry(entry);
}

async function toDecisionRow(
  entry: LinkedEntry,
  id: string,
  { audit, ends, recorded }: Settling,
): Promise<AuditRow | undefined> {
  // If a page begins between the two entries, the end is on the page before.
  if (ends.some((one) => isEndOf(one, entry)) || (await isEndedAfter(entry, audit))) return undefined;
  if (!(await recorded()).has(id)) return { entry, isOpen: true };
  // It broke off after it was recorded: it counts.
  return { entry: { ...entry, outcome: { kind: 'done' } }, isOpen: false };
}

/** Whether an entry soon after this one says how the same ended. */
async function isEndedAfter(begun: LinkedEntry, audit: Pick<AuditStore, 'list'>): Promise<boolean> {
  const after = await audit.list({ limit: CHUNK, before: begun.seq + CHUNK + 1 });
  return after.some((entry) => isEndOf(entry, begun));
}

function isEndOf(entry: LinkedEntry, begun: LinkedEntry): boolean {
  const { seq, what, subject, outcome } = entry;
  return (
    seq > begun.seq && what === begun.what && subject.changeId === begun.subject.changeId && outcome.kind !== 'begun'
  );
}

async function listRecorded(overlay: AuditListPorts['overlay']): Promise<Set<string>> {
  return new Set((await overlay.list()).map(({ id }) => id));
}

function onlyOnce<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

function toNames(agents: readonly Agent[], environments: readonly Environment[]): AuditNames {
  const byEnvironment = new Map(environments.map(({ name, displayName }) => [name.toLowerCase(), displayName]));
  const toKey = (environmentId: string, id: string) => `${environmentId}\n${id}`.toLowerCase();
  const byAgent = new Map(
    agents.flatMap(({ environmentId = '', name, agentResourceId, displayName }) =>
      [name, agentResourceId].map((id) => [toKey(environmentId, id), displayName] as const),
    ),
  );
  return {
    environment: (environmentId) => byEnvironment.get(environmentId.toLowerCase()),
    agent: (environmentId, agentResourceId) => byAgent.get(toKey(environmentId, agentResourceId)),
  };
}

function toHaystack({ what, who, subject, reason, outcome, requestIds }: AuditEntry, names: AuditNames): string {
  const { environmentId, agentResourceId, changeId } = subject;
  const parts = [
    what.replaceAll('_', ' '),
    outcome.kind.replaceAll('_', ' '),
    who.user,
    who.approver,
    environmentId,
    environmentId && names.environment(environmentId),
    agentResourceId,
    environmentId && agentResourceId && names.agent(environmentId, agentResourceId),
    changeId,
    reason,
    outcome.said,
    ...requestIds,
  ];
  return toComparable(parts.filter((part) => part !== undefined).join('\n'));
}
