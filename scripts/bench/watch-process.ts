// What a process measures of itself between two moments.
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { timeCommits } from './count-commits.ts';

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
export function watchProcess(): () => Watched {
  const commits: number[] = [];
  const delays = monitorEventLoopDelay({ resolution: LOOK_MS });
  delays.enable();
  timeCommits((ms) => void commits.push(ms));
  const endScripts = watchScripts(commits);
  const { acknowledged, endRequests } = watchRequests();
  return () => {
    delays.disable();
    timeCommits(undefined);
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
