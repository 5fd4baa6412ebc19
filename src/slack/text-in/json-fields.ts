/** What comes from Slack is read field by field: a field that is missing or of another type is as good as empty. */
export type JsonObject = { [field: string]: unknown };

export function toObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function readObjects(object: JsonObject, field: string): JsonObject[] {
  const value = object[field];
  return Array.isArray(value) ? value.map(toObject) : [];
}

export function readString(object: JsonObject, field: string): string {
  const value = object[field];
  return typeof value === 'string' ? value : '';
}

export function readNumber(object: JsonObject, field: string): number {
  const value = object[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
