/** Collects what is wrong with a message or view, in the manner of Slack's `response_metadata.messages`. */
import type { Json } from '../records.ts';

export type Problems = {
  readonly messages: string[];
  add(pointer: string, problem: string): void;
  /** A required text of at most `max` characters. */
  text(value: unknown, pointer: string, max: number): void;
  /** The same where the value may be missing. */
  optionalText(value: unknown, pointer: string, max: number): void;
  /** A text object: `{ type, text }`. */
  textObject(value: unknown, pointer: string, rule: { max: number; plainOnly?: boolean }): void;
  /** A list of `min` to `max` entries; answers its entries. */
  list(value: unknown, pointer: string, range: { min: number; max: number }): Json[];
  /** A value that must be used once only. */
  unique(kind: 'block_id' | 'action_id', value: unknown, pointer: string): void;
};

export function createProblems(): Problems {
  const messages: string[] = [];
  const seen = new Set<string>();
  const add = (pointer: string, problem: string) => void messages.push(`[ERROR] ${problem} [json-pointer:${pointer}]`);

  function text(value: unknown, pointer: string, max: number): void {
    if (typeof value !== 'string') add(pointer, value === undefined ? 'missing required field' : 'must be a string');
    else if (value.length === 0) add(pointer, 'must be more than 0 characters');
    else if (value.length > max) add(pointer, `must be less than ${max + 1} characters`);
  }

  return {
    messages,
    add,
    text,
    optionalText(value, pointer, max) {
      if (value !== undefined && value !== null && value !== '') text(value, pointer, max);
    },
    textObject(value, pointer, rule) {
      if (!isObject(value)) return add(pointer, 'missing required field: a text object');
      if (value.type !== 'plain_text' && (rule.plainOnly || value.type !== 'mrkdwn')) {
        add(`${pointer}/type`, rule.plainOnly ? 'must be plain_text' : 'must be plain_text or mrkdwn');
      }
      if (value.type === 'mrkdwn' && value.emoji !== undefined) add(`${pointer}/emoji`, 'is only for plain_text');
      text(value.text, `${pointer}/text`, rule.max);
    },
    list(value, pointer, range) {
      if (!Array.isArray(value)) {
        add(pointer, 'must be an array');
        return [];
      }
      if (value.length < range.min) add(pointer, `no fewer than ${range.min} items allowed`);
      if (value.length > range.max) add(pointer, `no more than ${range.max} items allowed`);
      return value.filter((entry, index) => isObject(entry) || void add(`${pointer}/${index}`, 'must be an object'));
    },
    unique(kind, value, pointer) {
      if (typeof value !== 'string') return;
      if (seen.has(`${kind} ${value}`)) add(pointer, `\`${kind}\` ${value} already exists`);
      seen.add(`${kind} ${value}`);
    },
  };
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
