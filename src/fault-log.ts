import type { Log } from './log.ts';

const EVERY_MS = 10_000;

/** Further kinds of one fault are logged as `other`. */
const MAX_KINDS = 50;

type Options = { everyMs?: number; level?: 'info' | 'warn' | 'error' };

/**
 * Logs each kind of fault once in `everyMs`, with the number of suppressed lines. An outage fails thousands of calls,
 * and some faults can be caused by anybody, any number of times.
 */
export function createFaultLog(
  log: Log,
  message: string,
  { everyMs = EVERY_MS, level = 'warn' }: Options = {},
): (kind: string, fields: object) => void {
  const kinds = new Map<string, { saidAt: number; unsaid: number }>();
  const forgetBefore = (at: number) => {
    for (const [kind, { saidAt }] of kinds) if (saidAt <= at) kinds.delete(kind);
  };
  return (named, fields) => {
    if (kinds.size >= MAX_KINDS) forgetBefore(performance.now() - everyMs);
    const kind = kinds.has(named) || kinds.size < MAX_KINDS ? named : 'other';
    const last = kinds.get(kind);
    if (last && performance.now() - last.saidAt < everyMs) {
      last.unsaid++;
      return;
    }
    kinds.set(kind, { saidAt: performance.now(), unsaid: 0 });
    log[level]({ ...fields, unsaid: last?.unsaid ?? 0 }, message);
  };
}
