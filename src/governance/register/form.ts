// The values that the register's file is made of. Each takes the sentence that says what to write, whether the value
// is missing or wrong.
import { z } from 'zod';
import { MAX_WHOLE_NUMBER } from '../shell/values.ts';
import { findNearestKey } from './nearest-key.ts';

const MAX_TEXT_LENGTH = 500;

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

/** One line of text. */
export function line(error: string) {
  const isLine = (value: string) => value.trim() !== '' && value.length <= MAX_TEXT_LENGTH && !/\p{Cc}/u.test(value);
  return z.string({ error }).refine(isLine, { error });
}

export function id(of: string) {
  return line(`Write the id of the ${of}, in quotes where it consists of digits.`);
}

export function credits(error: string) {
  return z.int({ error }).min(0, { error }).max(MAX_WHOLE_NUMBER, { error });
}

/** What YAML makes of `on` and `off` depends on its version: both readings are taken. */
export function onOff(error: string) {
  return z.union([z.boolean(), z.enum(['on', 'off'])], { error }).transform(toOnOff);
}

export function ruleState(error: string) {
  return z.union([z.boolean(), z.enum(['on', 'off', 'platform-default'])], { error }).transform(toOnOff);
}

function toOnOff<Word extends string>(value: boolean | Word): 'on' | 'off' | Word {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value;
}

function describeUnknownKey(key: string, keys: readonly string[]): string {
  const nearest = findNearestKey(key, keys);
  const shown = JSON.stringify(key);
  if (nearest !== undefined) return `${shown} is not a key here. Write ${nearest} instead, or remove it.`;
  return `${shown} is not a key here. Remove it, or write one of: ${keys.join(', ')}.`;
}
