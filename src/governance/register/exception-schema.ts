// An exception in the register's file: which setting may stand at which value, why, by whom, until when.
import { z } from 'zod';
import { RULE_TYPES } from '../allocation/credit-rules.ts';
import { isDay } from './expiry.ts';
import { block, id, line, onOff, ruleState } from './form.ts';
import { LIMIT_SETTINGS } from './register.ts';

const SETTING = `Write setting: and one of allocated, ${RULE_TYPES.join(', ')}; or, with agent:, one of ${LIMIT_SETTINGS.join(', ')}.`;
const EXPIRES = 'Write expires: and the last day on which the exception holds, as in 2027-03-31.';
const CREDITS = 'Write value: and the number of credits that is accepted.';
const LIMIT = 'Write value: and the monthly limit that is accepted, or value: none.';
const PERCENT = 'Write value: and the percentage that is accepted, or value: off.';

const currency = line('Write currency: and the currency that the exception is about, for example ServiceMessages.');
const agent = id('agent');
const decision = {
  reason: line('Write reason: and why this is accepted, on one line.'),
  approver: line('Write approver: and who approved it.'),
  expires: z.string({ error: EXPIRES }).refine(isDay, { error: EXPIRES }),
};

/** What a deployment shows may be finer than what can be set, so numbers are not held to whole ones here. */
const amount = (error: string) => z.number({ error }).min(0, { error });

const allocatedException = block(
  { setting: z.literal('allocated'), currency, value: amount(CREDITS), ...decision },
  SETTING,
);
const ruleException = block(
  {
    setting: z.enum(RULE_TYPES),
    currency,
    value: ruleState('Write value: on, value: off or value: platform-default.'),
    ...decision,
  },
  SETTING,
);
const limitException = block(
  {
    setting: z.literal('monthlyLimit'),
    agent,
    value: z.union([amount(LIMIT), z.literal('none')], { error: LIMIT }),
    ...decision,
  },
  SETTING,
);
const alertException = block(
  {
    setting: z.literal('alertAt'),
    agent,
    value: z.union([amount(PERCENT), onOff(PERCENT).pipe(z.literal('off', { error: PERCENT }))], { error: PERCENT }),
    ...decision,
  },
  SETTING,
);
const stopException = block(
  {
    setting: z.literal('stopWhenReached'),
    agent,
    value: onOff('Write value: on, or value: off.'),
    ...decision,
  },
  SETTING,
);

export const exceptionSchema = z.discriminatedUnion(
  'setting',
  [allocatedException, ruleException, limitException, alertException, stopException],
  { error: SETTING },
);

export type ExceptionForm = z.infer<typeof exceptionSchema>;
