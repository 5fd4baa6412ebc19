import type { Log } from './log.ts';

const EVERY_MS = 10_000;

/** Logs each kind of fault once in `everyMs`, with the number of suppressed lines: an outage fails thousands of calls. */
export function createFaultLog(log: Log, message: string, everyMs = EVERY_MS): (kind: string, fields: object) => void {
  const kinds = new Map<string, { saidAt: number; unsaid: number }>();
  return (kind, fields) => {
    const last = kinds.get(kind);
    if (last && performance.now() - last.saidAt < everyMs) {
      last.unsaid++;
      return;
    }
    kinds.set(kind, { saidAt: performance.now(), unsaid: 0 });
    log.warn({ ...fields, unsaid: last?.unsaid ?? 0 }, message);
  };
}
