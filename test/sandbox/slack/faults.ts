/** Makes the Web API misbehave on request, at exact points of a call. */
import type { Json } from './records.ts';

export type Fault =
  /** An HTTP status with a plain body. `after: true` processes the call first. */
  | { kind: 'status'; status: number; after?: boolean; retryAfterSeconds?: number; times?: number }
  | { kind: 'rateLimited'; retryAfterSeconds?: number; times?: number }
  | { kind: 'resetBeforeProcessing'; times?: number }
  | { kind: 'resetAfterProcessing'; times?: number }
  | { kind: 'delay'; delayMs: number; after?: boolean; times?: number }
  | { kind: 'slackError'; error: string; response?: Json; times?: number }
  /** An HTML page where JSON was expected, as proxies send. */
  | { kind: 'html'; status?: number; after?: boolean; times?: number };

export type HookedCall = { method: string; arguments: Json; response?: Json };

/** Answering `drop` cuts the connection: before processing nothing is done, after it the answer is lost. */
type Hook = (call: HookedCall) => unknown;

export type FaultSource = ReturnType<typeof createFaults>;
export type Faults = Omit<FaultSource, 'take' | 'before' | 'after'>;

export function createFaults() {
  const queued = new Map<string, { fault: Fault; left: number }[]>();
  const standing = new Map<string, Fault>();
  const before = new Map<string, Set<Hook>>();
  const after = new Map<string, Set<Hook>>();

  function takeQueued(method: string): Fault | undefined {
    const queue = queued.get(method);
    const first = queue?.[0];
    if (!queue || !first) return undefined;
    first.left -= 1;
    if (first.left <= 0) queue.shift();
    return first.fault;
  }

  return {
    /** The next `times` (1) calls of the method (`*`: any) misbehave. Several faults queue up. */
    next(method: string, fault: Fault): void {
      const queue = queued.get(method) ?? [];
      queue.push({ fault, left: fault.times ?? 1 });
      queued.set(method, queue);
    },
    /** Every call of the method misbehaves until `clear`. */
    always: (method: string, fault: Fault) => void standing.set(method, fault),
    clear(method?: string): void {
      for (const table of [queued, standing, before, after])
        method === undefined ? table.clear() : table.delete(method);
    },
    /** Awaited before the call is processed. Returns a function that removes the hook. */
    onCall: (method: string, hook: Hook) => addHook(before, method, hook),
    /** Awaited after the call was processed and before it is answered. */
    onProcessed: (method: string, hook: Hook) => addHook(after, method, hook),
    take: (method: string) => takeQueued(method) ?? takeQueued('*') ?? standing.get(method) ?? standing.get('*'),
    before: (call: HookedCall) => runHooks(before, call),
    after: (call: HookedCall) => runHooks(after, call),
  };
}

function addHook(table: Map<string, Set<Hook>>, method: string, hook: Hook): () => void {
  const hooks = table.get(method) ?? new Set<Hook>();
  hooks.add(hook);
  table.set(method, hooks);
  return () => void hooks.delete(hook);
}

/** True: go on. False: a hook asked to drop the connection. */
async function runHooks(table: Map<string, Set<Hook>>, call: HookedCall): Promise<boolean> {
  if (table.size === 0) return true;
  for (const key of [call.method, '*']) {
    for (const hook of table.get(key) ?? []) {
      if ((await hook(call)) === 'drop') return false;
    }
  }
  return true;
}
