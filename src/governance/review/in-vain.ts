import { findAdditions } from '../register/find-additions.ts';
import type { ExceptionRecord } from '../register/overlay.ts';
import type { ReadyRegister } from './approved-state.ts';

/** The sentence that says why accepting this would change nothing; undefined: it would. */
export function findInVain(record: ExceptionRecord, { own, records }: ReadyRegister): string | undefined {
  const { exceptions } = findAdditions(own, [...records, record]);
  const added = exceptions.find(({ id }) => id === record.id);
  return added !== undefined && added.accepts.length === record.accepts.length ? undefined : IN_FILE;
}

const IN_FILE =
  "The register's file has an exception for some of this with a last day of its own, and what the file says counts. Change the last day there, and review again.";
