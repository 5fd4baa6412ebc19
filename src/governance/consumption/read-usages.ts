// What many environments have used of one currency, a few of them at a time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Entitlement } from '../../admin-api/licensing-wire.ts';
import { isSameWord } from '../allocations/allocation.ts';
import { type CreditUsage, toCreditUsage } from '../allocations/consumption.ts';
import type { Keep } from '../inventory/inventory-cache.ts';
import { isUnreadable } from '../review/finding.ts';
import { createPatientReader } from '../review/patient-reader.ts';
import { endsReading, optional } from '../shell/admin-failure.ts';
import { mapConcurrently } from '../shell/concurrency.ts';

/** 'none': the service tells of no consumption of these credits in it, which does not say that there are none. */
export type FoundUsage = CreditUsage | 'none' | 'unreadable';

/** `readAt`: epoch ms. */
export type ReadUsage<Row> = Row & { usage: FoundUsage; readAt: number };

export type UsageReadPorts = {
  session: Pick<AdminSession, 'readEntitlements'>;
  /** The credit currency that agents use. */
  currency: string;
  now: () => number;
  /** What was read for the page before, where one is turned. */
  keep?: Keep | undefined;
  /** A service that asks to wait is waited for, until this is aborted. Undefined: then it is unreadable. */
  patience?: AbortSignal | undefined;
};

const CONCURRENCY = 4;

/** In the order of the rows. Throws what ends all reading (see endsReading), and the reason of `patience`. */
export async function readUsages<Row extends { environmentId: string }>(
  rows: readonly Row[],
  { session, currency, now, keep = readAnew(now), patience }: UsageReadPorts,
): Promise<ReadUsage<Row>[]> {
  const read = toReader(patience);
  return mapConcurrently(rows, CONCURRENCY, async (row) => {
    const { environmentId } = row;
    const { value, readAt } = await keep(environmentId, () => read(() => session.readEntitlements(environmentId)));
    return { ...row, usage: value === 'gap' ? 'unreadable' : findUsage(value, currency, readAt), readAt };
  });
}

type Read = <T extends object>(attempt: () => Promise<T>) => Promise<T | 'gap'>;

/** See `patience` of UsageReadPorts. Each reader keeps the waits of its own reads together. */
export function toReader(patience: AbortSignal | undefined): Read {
  return patience === undefined ? readAtOnce : readPatiently(patience);
}

const readAtOnce: Read = (attempt) => optional(attempt());

/** One wait for all that are read with it. */
function readPatiently(signal: AbortSignal): Read {
  const wait = (ms: number) => sleep(ms, undefined, { signal });
  const patiently = createPatientReader({ wait, signal, onUnexpected: () => undefined });
  return async (attempt) => {
    const outcome = await patiently(() => attempt().then(toValue, toFatal));
    if (isUnreadable(outcome)) return 'gap';
    if ('fatal' in outcome) throw outcome.fatal;
    return outcome.value;
  };
}

function toValue<T>(value: T): { value: T } {
  return { value };
}

/** What no patience helps against; all else is thrown on to it. */
function toFatal(error: unknown): { fatal: unknown } {
  if (endsReading(error)) return { fatal: error };
  throw error;
}

function readAnew(now: () => number): Keep {
  return async (_, read) => ({ value: await read(), readAt: now() });
}

function findUsage(entitlements: readonly Entitlement[], currency: string, now: number): CreditUsage | 'none' {
  return toCreditUsage(entitlements, now).find(({ currencyType }) => isSameWord(currencyType, currency)) ?? 'none';
}
