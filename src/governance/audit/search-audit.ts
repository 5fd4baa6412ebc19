// One page of the audit log, perhaps searched by a text, with the names that its ids have now: the log itself has none.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Agent, Environment } from '../../admin-api/inventory-wire.ts';
import { toComparable } from '../inventory/inventory.ts';
import { orGap } from '../or-gap.ts';
import { toSearchText } from '../search-text.ts';
import type { AuditEntry, LinkedEntry } from './audit-entry.ts';
import { type AuditListPorts, type AuditPage, listAudit } from './list-audit.ts';

/** Names as their makers gave them: untrusted. Undefined where there is none, or it could not be read. */
export type AuditNames = {
  environment(environmentId: string): string | undefined;
  agent(environmentId: string, agentResourceId: string): string | undefined;
};

export type AuditSearch = AuditPage & {
  query: string;
  names: AuditNames;
  /** The names could not be read, so that nothing was found by them either. */
  isGap: boolean;
};

export type AuditSearchPorts = AuditListPorts & {
  session: Pick<AdminSession, 'findAgents' | 'findEnvironments'>;
};

const PAGE_SIZE = 10;

/**
 * Found is what has the text in one of its names, ids or words. Names are a comfort: where the service does not tell them
 * to this account either, ids do. Throws StoreUnavailableError, and the refusal `admin_unauthorized`.
 */
export async function searchAudit(
  { query = '', before }: { query?: string; before?: number | undefined },
  { session, audit, changes, overlay }: AuditSearchPorts,
): Promise<AuditSearch> {
  const [agents, environments] = await Promise.all([orGap(session.findAgents()), orGap(session.findEnvironments())]);
  const names = toNames(agents === 'gap' ? [] : agents.rows, environments === 'gap' ? [] : environments.rows);
  const text = toSearchText(query);
  const wanted = toComparable(text);
  const matches = wanted === '' ? undefined : (entry: LinkedEntry) => toHaystack(entry, names).includes(wanted);
  const page = await listAudit({ limit: PAGE_SIZE, before, matches }, { audit, changes, overlay });
  return { ...page, query: text, names, isGap: agents === 'gap' || environments === 'gap' };
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
    ...requestIds,
  ];
  return toComparable(parts.filter((part) => part !== undefined).join('\n'));
}
