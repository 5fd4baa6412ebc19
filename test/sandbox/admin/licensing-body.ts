// The strict reading of what is written: allocations and thresholds.
import { z } from 'zod';

/** The rules of the contract; an update sets all four of them. */
export const RULE_TYPES: readonly string[] = ['Alert', 'TenantPool', 'PayGo', 'Deny'];

// The contract names no bounds.
const credits = z.int().min(0);
const amount = z.number().min(0);
// Fields beyond the contract's are looked at where it is known which of them there are.
export const ALLOCATION_BODY = z.looseObject({
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
export const THRESHOLD_BODY = z.strictObject({
  stopResource: z.boolean().default(false),
  limit: amount.default(0),
  stopIfOverCapacity: z.boolean().default(false),
  notifyIfOverCapacity: z.boolean().default(false),
  notificationThreshold: amount.default(0),
});

export type AllocationBody = z.infer<typeof ALLOCATION_BODY>;
function hasNoTwins(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
