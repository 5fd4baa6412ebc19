/** Reads values of which nothing is known but that they came as JSON. */
import type { Json } from './records.ts';

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; none where it is no list. */
export function toObjects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The words of a text object; undefined where there is none. */
export function wordsOf(value: unknown): string | undefined {
  return isObject(value) ? String(value.text) : undefined;
}

/** Undefined where the text is no JSON object. */
export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
