// What an entry changed, and what was found instead, as far as an entry tells it.
import { z } from 'zod';
import type { Allocation, CurrencyAllocation } from '../../admin-api/licensing-wire.ts';
import { findCurrency, readRule, type WantedCredits } from '../allocations/allocation.ts';
import { buildAllocationRows } from '../allocations/allocation-plan.ts';
import type { PlanRow } from '../changes/change.ts';
import { agentLimitSchema, type KnownLimit, knownLimitSchema } from '../inventory/agent-limit.ts';
import { buildPlanRows } from '../limits/limit-plan.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';
import type { AuditEntry } from './audit-log.ts';

/** `currencyType` comes from outside; undefined for an agent's limit. */
export type AuditedRow = PlanRow & { currencyType?: string };

/** Old → new, only what changed. Undefined if the entry holds neither a limit nor an allocation. */
export function readAuditedRows({ before, after }: Pick<AuditEntry, 'before' | 'after'>): AuditedRow[] | undefined {
  const known = knownLimitSchema.safeParse(before).data;
  const limit = agentLimitSchema.safeParse(after).data;
  if (known && limit) return onlyChanged(buildPlanRows(known, limit));
  const [old, next] = [before, after].map(parseAllocation);
  return old && next && onlyChanged(compare(old, next));
}

export type FoundInstead = { limit: KnownLimit } | { expected: Allocation; allocation: Allocation | 'none' };

/** Of a conflict: what was found instead of what was expected. */
export function readFoundInstead({ before, after, outcome }: AuditEntry): FoundInstead | undefined {
  const { found, reason } = outcome;
  const limit = knownLimitSchema.safeParse(found).data;
  if (limit) return { limit };
  // Before the write, the old values were expected.
  const expected = parseAllocation(reason === 'before_write' ? before : after);
  const allocation = found === 'none' ? found : parseAllocation(found);
  return expected && allocation && { expected, allocation };
}

function parseAllocation(value: unknown): Allocation | undefined {
  return allocationSchema.safeParse(value).data as Allocation | undefined;
}

const fieldsSchema = z.record(z.string(), z.unknown());

const allocationSchema = z.object({
  environmentId: z.string(),
  currencyAllocations: z.array(
    z.object({
      currencyType: z.string(),
      allocated: z.number().optional(),
      autoAllocated: z.number().optional(),
      enforcementRules: z.array(
        z.object({
          ruleType: z.string(),
          enabled: z.union([z.boolean(), z.literal('unknown')]),
          others: fieldsSchema,
        }),
      ),
      others: fieldsSchema,
    }),
  ),
  others: fieldsSchema,
});

function compare(before: Allocation, after: Allocation): AuditedRow[] {
  return after.currencyAllocations.flatMap((currency) => {
    const old = findCurrency(before, currency.currencyType);
    return toCanonicalJson(old) === toCanonicalJson(currency) ? [] : buildAllocationRows(old, toCredits(currency));
  });
}

/** A change states all four rules of the currencies that it is about. */
function toCredits(currency: CurrencyAllocation): WantedCredits {
  const { currencyType, allocated = 0 } = currency;
  const isOn = (rule: keyof WantedCredits['rules']) => readRule(currency, rule) === 'on';
  return {
    currencyType,
    allocated,
    rules: { Alert: isOn('Alert'), TenantPool: isOn('TenantPool'), PayGo: isOn('PayGo'), Deny: isOn('Deny') },
  };
}

function onlyChanged<Row extends PlanRow>(rows: readonly Row[]): Row[] {
  return rows.filter(({ isChanged }) => isChanged);
}
