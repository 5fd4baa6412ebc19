// Loaded into each measured process (`node --import`) to report its usage. The process itself needs no code for that. The
// processor time is in microseconds, while /proc has ticks of ten milliseconds.
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

export type Usage = Commits & {
  /** Processor time since the start, of all threads, user and system, in ms. */
  cpuMs: number;
  memoryBytes: number;
  /** Written to the disk. Undefined if the system has no /proc. */
  writtenBytes: number | undefined;
  /** In the answer to `end watch`: what was watched since `watch`. */
  watched: Watched | undefined;
};

/** Watching costs a little. */
export type UsageRequest = 'read' | 'watch' | 'end watch';

let endWatch: (() => Watched) | undefined;

process.on('message', (request: UsageRequest) => {
  const { user, system } = process.cpuUsage();
  const usage: Usage = {
    cpuMs: (user + system) / 1000,
    memoryBytes: process.memoryUsage.rss(),
    writtenBytes: readWritten(),
    ...{ commits, pages },
    watched: request === 'end watch' ? endWatch?.() : undefined,
  };
  if (request === 'watch') endWatch = watchProcess();
  process.send?.(usage);
});
// Listening must not keep the process alive, and a bench that is killed must leave no process behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.channel?.unref();

function readWritten(): number | undefined {
  try {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

// What SQLite writes to disk, whatever the tables are.

type Commits = {
  /** Transactions that were committed and flushed, so not those with `synchronous = NORMAL`. Undefined if there were none. */
  commits: number | undefined;
  /** Pages that all transactions wrote to the write-ahead log. */
  pages: number | undefined;
};

let commits: number | undefined;
let pages: number | undefined;
let isFlushed = true;
/** Gets the time that each commit took (ms). */
let onCommit: ((ms: number) => void) | undefined;

/** The pages in the log of each database. From time to time SQLite begins the log again. */
const logs = new WeakMap<DatabaseSync, { length: StatementSync; last: number }>();

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  if (sql.startsWith('PRAGMA synchronous')) isFlushed = sql.endsWith('FULL');
  if (sql !== 'COMMIT') return exec.call(this, sql);
  const begunAt = performance.now();
  exec.call(this, sql);
  if (isFlushed) onCommit?.(performance.now() - begunAt);
  commits = (commits ?? 0) + (isFlushed ? 1 : 0);
  pages = (pages ?? 0) + countNewPages(this);
};

function countNewPages(database: DatabaseSync): number {
  // Only reads the size of the log: https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
  const log = logs.get(database) ?? { length: database.prepare('PRAGMA wal_checkpoint(NOOP)'), last: 0 };
  logs.set(database, log);
  const length = Number(log.length.get()?.log);
  const added = length >= log.last ? length - log.last : length;
  log.last = length;
  return added;
}

// What a process measures of itself between two moments.

/** All in ms. */
export type Watched = {
  /** The longest time for which the event loop was blocked. */
  blocked: number;
  /** From the head of each event of Slack until its acknowledgement was written. */
  acknowledged: number[];
  /** Each commit of SQLite, or each script that Redis ran, from the call until its answer. */
  commits: number[];
};

const EVENTS_PATH = '/slack/events';

/** Node's diagnostics channels for each request that a server gets, and for its answer. */
const STARTED = 'http.server.request.start';
const ANSWERED = 'http.server.response.finish';

/** The Redis client's tracing channel for each command. */
const REDIS = 'node-redis:command';

/** The histogram includes its own interval. */
const LOOK_MS = 1;

/** Begins to watch. Returns a function that ends it. */
function watchProcess(): () => Watched {
  const commits: number[] = [];
  const delays = monitorEventLoopDelay({ resolution: LOOK_MS });
  delays.enable();
  onCommit = (ms) => void commits.push(ms);
  const endScripts = watchScripts(commits);
  const { acknowledged, endRequests } = watchRequests();
  return () => {
    delays.disable();
    onCommit = undefined;
    endScripts();
    endRequests();
    return { blocked: delays.max / 1e6 - LOOK_MS, acknowledged, commits };
  };
}

function watchRequests() {
  const startedAt = new WeakMap<IncomingMessage, number>();
  const acknowledged: number[] = [];
  const noteStart = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.url === EVENTS_PATH) startedAt.set(request, performance.now());
  };
  const noteAnswer = (message: unknown) => {
    const at = startedAt.get((message as { request: IncomingMessage }).request);
    if (at !== undefined) acknowledged.push(performance.now() - at);
  };
  subscribe(STARTED, noteStart);
  subscribe(ANSWERED, noteAnswer);
  const endRequests = () => {
    unsubscribe(STARTED, noteStart);
    unsubscribe(ANSWERED, noteAnswer);
  };
  return { acknowledged, endRequests };
}

function watchScripts(durations: number[]): () => void {
  const startedAt = new WeakMap<object, number>();
  const channel = tracingChannel<unknown, { command: string }>(REDIS);
  const listeners = {
    start(call: { command: string }) {
      if (/^(eval|fcall)/i.test(call.command)) startedAt.set(call, performance.now());
    },
    asyncStart(call: object) {
      const at = startedAt.get(call);
      if (at !== undefined) durations.push(performance.now() - at);
    },
    end() {},
    asyncEnd() {},
    error() {},
  };
  channel.subscribe(listeners);
  return () => void channel.unsubscribe(listeners);
}
