import { PermanentError } from '../errors.ts';

/** The newest shape of each kind of record that this release writes, as its `schema` says. */
export const NEWEST_SCHEMA = {
  turn: 1,
  conversation: 1,
  link: 1,
  change: 1,
  installation: 1,
  audit: 1,
  overlay: 1,
  review: 1,
} as const;

/**
 * Reads a stored record. Two neighbouring releases share a store: ours may meet records of the next one, which only adds
 * fields. They stay in the record, and go back with it. Throws a PermanentError on anything newer.
 */
export function readRecord<T extends { schema: number }>(json: string, newest: number): T {
  const record: T = JSON.parse(json);
  if (record.schema > newest + 1) {
    throw new PermanentError(
      'record_too_new',
      `a record has schema ${record.schema}, and this release reads ${newest + 1} at most: start the release that wrote it`,
    );
  }
  return record;
}
