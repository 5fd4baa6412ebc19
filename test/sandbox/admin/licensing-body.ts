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
        enforcementRules: z
          .array(z.looseObject({ ruleType: z.string().min(1), enabled: z.boolean() }))
          .refine((rules) => hasNoTwins(rules.map(({ ruleType }) => ruleType)), 'a rule is there twice'),
      }),
    )
    .min(1)
    .refine((all) => hasNoTwins(all.map(({ currencyType }) => currencyType)), 'a currency is there twice'),
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
export type BodyCheck<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export const parseAllocationBody = (value: unknown) => check(allocationBody, value);
export const parseThresholdBody = (value: unknown) => check(thresholdBody, value);

function check<T>(schema: z.ZodType<T>, value: unknown): BodyCheck<T> {
  const parsed = schema.safeParse(value);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, problem: toProblem(parsed.error) };
}

function hasNoTwins(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
