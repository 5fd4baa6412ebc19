// The parts that both kinds of file are made of. Each comes with the sentence that says what to write.
import { z } from 'zod';
import { isDay } from '../policy/policy.ts';
import { RULE_TYPES, type RuleType } from '../policy/values.ts';
import { describeUnknownKey } from './document-problems.ts';

/** A block that takes these keys and no others; for those it does not take, the message has one line each. */
export function block<Shape extends z.core.$ZodShape>(shape: Shape, error: string) {
  const keys = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => describeUnknownKey(key, keys)).join('\n') : error,
  });
}

export function list<Item extends z.ZodType>(item: Item, error: string) {
  return z.array(item, { error }).default(() => []);
}

const MAX_TEXT = 500;

/** One line of text. */
export function line(error: string) {
  const isLine = (value: string) => value.trim() !== '' && value.length <= MAX_TEXT && !/\p{Cc}/u.test(value);
  return z.string({ error }).refine(isLine, { error });
}

export function amount(error: string) {
  return z.number({ error }).min(0, { error });
}

export function credits(error: string) {
  return z.int({ error }).min(0, { error });
}

/** What YAML makes of `on` and `off` depends on its version: both readings are taken. */
export function onOff(error: string) {
  return z
    .union([z.boolean(), z.enum(['on', 'off'])], { error })
    .transform((value) => value === true || value === 'on');
}

/** A percentage, or off. */
export function percent(error: string) {
  const number = z.number({ error }).min(0, { error }).max(100, { error });
  const off = z.union([z.literal(false), z.literal('off')], { error }).transform(() => 'off' as const);
  return z.union([number, off], { error });
}

export function day(error: string) {
  return z.string({ error }).refine(isDay, { error });
}

export const OWNER = 'Write an owner as an e-mail address, an id of the directory or a Slack user id.';

/** A block of the four rules, each with the same kind of value. */
export function rules<Value extends z.ZodType>(toValue: (error: string) => Value, words: string) {
  const named = (rule: RuleType) => toValue(`Write ${rule}: ${words}.`).optional();
  const [Alert, TenantPool, PayGo, Deny] = [named('Alert'), named('TenantPool'), named('PayGo'), named('Deny')];
  return block({ Alert, TenantPool, PayGo, Deny }, `Write under rules: ${RULE_TYPES.join(', ')}, each ${words}.`);
}
