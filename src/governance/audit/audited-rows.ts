// What an entry of the audit log changed, in the words of plans. Entries were written by this release or an older one.
import { z } from 'zod';
import type { Allocation, CurrencyAllocation } from '../../admin-api/licensing-wire.ts';
import { buildAllocationRows } from '../allocation/allocation-rows.ts';
import { findCurrency, readRule } from '../allocation/credit-rules.ts';
import type { WantedCredits } from '../allocation/with-credits.ts';
import { toCanonicalJson } from '../canonical-json.ts';
import type { KnownLimit } from '../inventory/agent-limit.ts';
import { buildPlanRows, type PlanRow } from '../plan-rows.ts';
import type { AuditEntry } from './audit-entry.ts';

/** `currencyType` comes from outside; undefined where the row is of an agent's limit. */
export type AuditedRow = PlanRow & { currencyType?: string };

const limitSchema = z.object({
  limit: z.number(),
  notify: z.boolean(),
  notificationThreshold: z.number(),
  stopWhenReached: z.boolean(),
  stopped: z.union([z.boolean(), z.literal('unknown')]),
});

const knownSchema = z.discriminatedUnion('source', [
  z.object({ source: z.literal('deployment'), limit: limitSchema, readAt: z.number() }),
  z.object({ source: z.literal('none'), readAt: z.number() }),
  z.object({ source: z.literal('last_set'), limit: limitSchema, setAt: z.number(), setBy: z.string() }),
  z.object({ source: z.literal('unknown'), stopped: z.boolean().optional() }),
]);

const fieldsSchema = z.record(z.string(), z.unknown()).default({});

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

/** Old → new, only what changed. Undefined where the entry holds neither a limit nor an allocation. */
export function readAuditedRows({ before, after }: Pick<AuditEntry, 'before' | 'after'>): AuditedRow[] | undefined {
  const limits = z.object({ before: knownSchema, after: limitSchema }).safeParse({ before, after }).data;
  if (limits) return onlyChanged(buildPlanRows(limits.before, limits.after));
  const allocations = z.object({ before: allocationSchema, after: allocationSchema }).safeParse({ before, after }).data;
  return allocations && onlyChanged(compare(allocations.before as Allocation, allocations.after as Allocation));
}

export type FoundInstead = { limit: KnownLimit } | { expected: Allocation; allocation: Allocation | 'none' };

/** What was there in place of what was to be, where that was the conflict. */
export function readFoundInstead({ before, after, outcome }: AuditEntry): FoundInstead | undefined {
  const { found, reason } = outcome;
  const limit = knownSchema.safeParse(found).data;
  if (limit) return { limit };
  // Before the write it was still to be as the plan had found it.
  const expected = allocationSchema.safeParse(reason === 'before_write' ? before : after).data as
    | Allocation
    | undefined;
  const allocation = found === 'none' ? found : (allocationSchema.safeParse(found).data as Allocation | undefined);
  return expected && allocation && { expected, allocation };
}

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
