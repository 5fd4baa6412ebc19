// Rows and pages of the lists for the views. A test names the values it looks at.
import type { CreditUsage } from '../../../src/governance/allocations/consumption.ts';
import type { AuditEntry } from '../../../src/governance/audit/audit-log.ts';
import type { AuditRow, AuditSearch } from '../../../src/governance/audit/search-audit.ts';
import type { Trend } from '../../../src/governance/consumption/consumption-history.ts';
import type { InventoryRow } from '../../../src/governance/inventory/inventory.ts';
import type { AgentPage } from '../../../src/governance/lists/list-agents.ts';
import type { EnvironmentPage, EnvironmentRow } from '../../../src/governance/lists/list-environments.ts';
import type { ListFilter } from '../../../src/governance/lists/list-filter.ts';
import type { UsageOverview, UsageRow } from '../../../src/governance/lists/list-usage.ts';
import { toDay } from '../../../src/usage/usage.ts';
import { anEntry } from '../audit/samples.ts';
import { AGENT, NOW } from '../shell/samples.ts';

const ONE_PAGE = { page: 0, pageCount: 1, truncated: false, asOf: NOW };

export function aListFilter(values: Partial<ListFilter> = {}): ListFilter {
  return { name: '', environment: '', owner: '', harness: 'any', ...values };
}

export function anInventoryRow(values: Partial<InventoryRow> = {}): InventoryRow {
  return { ...AGENT, ownerId: 'owner-1', isHarness: true, ...values };
}

export function anAgentPage(values: Partial<AgentPage> = {}): AgentPage {
  const rows = values.rows ?? [anInventoryRow()];
  const filter = aListFilter(values.filter);
  const harness = { yes: 1, no: 0, unknown: 0 };
  return {
    ...ONE_PAGE,
    total: rows.length,
    environmentName: undefined,
    harness,
    isGap: false,
    ...values,
    rows,
    filter,
  };
}

export function anEnvironmentRow(values: Partial<EnvironmentRow> = {}): EnvironmentRow {
  const agents = { all: 12, harness: 4, unknown: 1 };
  return { environmentId: 'env-1', name: 'Contoso Production', ownerId: 'owner-1', agents, ...values };
}

export function anEnvironmentPage(values: Partial<EnvironmentPage> = {}): EnvironmentPage {
  const rows = values.rows ?? [anEnvironmentRow()];
  const filter = aListFilter({ name: values.query ?? '' });
  const counts = { agents: 12 * rows.length, agentGap: undefined, strayAgents: 0 };
  return { ...ONE_PAGE, rows, total: rows.length, query: '', filter, ...counts, ...values };
}

export function aCreditUsage(values: Partial<CreditUsage> = {}): CreditUsage {
  return {
    currencyType: 'ServiceMessages',
    unit: 'Credit',
    consumed: 18_250,
    capacity: 25_000,
    share: 0.73,
    payGoConsumed: 0,
    asOf: NOW,
    isStale: false,
    forecast: undefined,
    ...values,
  };
}

export function aUsageRow(values: Partial<UsageRow> = {}): UsageRow {
  return { environmentId: 'env-1', name: 'Contoso Production', ownerId: 'o', usage: aCreditUsage(), ...values };
}

export function aUsageOverview(values: Partial<UsageOverview> = {}): UsageOverview {
  const rows = values.rows ?? [aUsageRow()];
  const filter = aListFilter({ name: values.query ?? '' });
  const unreadable = rows.filter(({ usage }) => usage === 'unreadable').length;
  const sums = { totals: undefined, unreadable, currency: 'ServiceMessages' };
  return { ...ONE_PAGE, rows, total: rows.length, query: '', filter, ...sums, ...values };
}

/** The month of NOW, half a month after the one before. */
export function aTrend(values: Partial<Trend> = {}): Trend {
  const today = toDay(NOW);
  return {
    latest: { day: today, credits: 1_200 },
    before: { day: today - 28, credits: 1_000 },
    lastBefore: { day: today - 4, credits: 9_000 },
    days: Array.from({ length: 14 }, (_, index) => ({
      day: today - 13 + index,
      used: index === 3 ? undefined : index * 100,
    })),
    ...values,
  };
}

export function anAuditRow(values: Partial<AuditEntry> = {}, isOpen = false): AuditRow {
  return { entry: { ...anEntry({ at: NOW, team: 'T1', ...values }), seq: 7, previousHash: 'a', hash: 'b' }, isOpen };
}

export function anAuditSearch(rows: AuditRow[], values: Partial<AuditSearch> = {}): AuditSearch {
  const names = { environment: () => undefined, agent: () => undefined };
  return { rows, next: undefined, searchedTo: undefined, query: '', names, isGap: false, ...values };
}
