// The strict reading of what is written: allocations and thresholds.
import { z } from 'zod';
import { toProblem } from './query-body.ts';

/** The rules of the contract; an update sets all four of them. */
export const RULE_TYPES: readonly string[] = ['Alert', 'TenantPool', 'PayGo', 'Deny'];

// The contract names no bounds.
const credits = z.int().min(0);
const amount = z.number().min(0);
// Fields beyond the contract's are looked at where it is known which of them there are.
const allocationBody = z.looseObject({
  environmentId: z.string().min(1),
  currencyAllocations: z
    .array(
      z.looseObject({
        currencyType: z.string().min(1),
        allocated: credits,
        autoAllocated: z.never({ error: 'is read only' }).optional(),
        enforcementRules: z.array(z.looseObject({ ruleType: z.string().min(1), enabled: z.boolean() })),
      }),
    )
    .min(1),
});
// Every field may be left out, and is cleared then: the threshold is replaced as a whole.
const thresholdBody = z.strictObject({
  stopResource: z.boolean().default(false),
  limit: amount.default(0),
  stopIfOverCapacity: z.boolean().default(false),
  notifyIfOverCapacity: z.boolean().default(false),
  notificationThreshold: amount.default(0),
});

export type AllocationBody = z.infer<typeof allocationBody>;
export type ThresholdBody = z.infer<typeof thresholdBody>;
export type BodyCheck<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export function parseAllocationBody(value: unknown): BodyCheck<AllocationBody> {
  const parsed = allocationBody.safeParse(value);
  if (!parsed.success) return { ok: false, problem: toProblem(parsed.error) };
  const { currencyAllocations } = parsed.data;
  if (hasTwins(currencyAllocations.map(({ currencyType }) => currencyType))) {
    return { ok: false, problem: 'a currency is there twice' };
  }
  for (const { currencyType, enforcementRules } of currencyAllocations) {
    if (hasTwins(enforcementRules.map(({ ruleType }) => ruleType))) {
      return { ok: false, problem: `${currencyType}: a rule is there twice` };
    }
  }
  return { ok: true, value: parsed.data };
}

export function parseThresholdBody(value: unknown): BodyCheck<ThresholdBody> {
  const parsed = thresholdBody.safeParse(value);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, problem: toProblem(parsed.error) };
}

function hasTwins(names: readonly string[]): boolean {
  return new Set(names).size !== names.length;
}
