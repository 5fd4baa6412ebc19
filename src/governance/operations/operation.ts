// The description of a setting of the policy. Add a new one to the table in operations.ts.
import type { z } from 'zod';
import type { SettingId, Values } from '../../policy/values.ts';

export type Operation<Setting extends SettingId> = {
  /** The name in a sentence, as in *the monthly limit of X*. */
  noun: string;
  /** What it can be set for. */
  targets: readonly ('class' | 'environment' | 'agent' | 'channel')[];
  /** Whether entries are kept for each currency. */
  hasCurrency: boolean;
  /** The stored form, also used in an exported policy. */
  schema: z.ZodType<Values[Setting]>;
  /** Plain words, for messages and the log: *2,000 credits · notice at 80 % · stops at the limit*. */
  describe(value: Values[Setting]): string;
  /** What to say when an entry ends, such as *is inherited*. Default: that the entry ends. */
  ended?: string;
};
