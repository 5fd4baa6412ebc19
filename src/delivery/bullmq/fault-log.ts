import type { Log } from '../../log.ts';

const EVERY_MS = 10_000;

/** A Redis that is away fails thousands of calls: each kind of fault gets one line in 10 s, with how many went unsaid. */
export function createFaultLog(log: Log): (error: unknown) => void {
  const kinds = new Map<string, { saidAt: number; unsaid: number }>();
  return (error) => {
    const kind = toKind(error);
    const last = kinds.get(kind);
    if (last && performance.now() - last.saidAt < EVERY_MS) {
      last.unsaid++;
      return;
    }
    kinds.set(kind, { saidAt: performance.now(), unsaid: 0 });
    log.warn({ err: error, unsaid: last?.unsaid ?? 0 }, 'queue fault');
  };
}

function toKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error ? String(error.code) : error.name;
}
