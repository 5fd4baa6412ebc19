// The strict reading of what is written: allocations and thresholds.
import { z } from 'zod';
import { toProblem } from './query-body.ts';

const INT32_MAX = 2_147_483_647;

/** The rules of the contract; an update sets all four of them. */
export const RULE_TYPES: readonly string[] = ['Alert', 'TenantPool', 'PayGo', 'Deny'];

const credits = z.int().min(0).max(INT32_MAX);
const allocationBody = z.strictObject({
  environmentId: z.string().min(1),
  currencyAllocations: z
    .array(
      z.strictObject({
        currencyType: z.string().min(1),
        allocated: credits,
        enforcementRules: z.array(z.strictObject({ ruleType: z.string().min(1), enabled: z.boolean() })),
      }),
    )
    .min(1),
});
// Every field may be left out, and is cleared then: the threshold is replaced as a whole.
const thresholdBody = z.strictObject({
  stopResource: z.boolean().default(false),
  limit: credits.default(0),
  stopIfOverCapacity: z.boolean().default(false),
  notifyIfOverCapacity: z.boolean().default(false),
  notificationThreshold: z.int().min(0).max(100).default(0),
});

export type AllocationBody = z.infer<typeof allocationBody>;
export type ThresholdBody = z.infer<typeof thresholdBody>;
export type BodyCheck<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export function parseAllocationBody(value: unknown): BodyCheck<AllocationBody> {
  const parsed = allocationBody.safeParse(value);
  if (!parsed.success) return { ok: false, problem: toProblem(parsed.error) };
  for (const { currencyType, enforcementRules } of parsed.data.currencyAllocations) {
    const names = enforcementRules.map(({ ruleType }) => ruleType);
    if (new Set(names).size !== names.length) return { ok: false, problem: `${currencyType}: a rule is there twice` };
  }
  return { ok: true, value: parsed.data };
}

export function parseThresholdBody(value: unknown): BodyCheck<ThresholdBody> {
  const parsed = thresholdBody.safeParse(value);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, problem: toProblem(parsed.error) };
}
