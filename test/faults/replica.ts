import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';

/** One process of the real app, which keeps its name and its port over any number of deaths. */
export type Replica = {
  readonly name: string;
  readonly port: number;
  /** `starting`: nobody listens yet. `frozen`: its port takes connections, and nothing answers. */
  readonly state: 'down' | 'starting' | 'up' | 'frozen' | 'stopping';
  /** 0 while it is down. */
  readonly pid: number;
  /** Deaths that nobody here asked for, each with the last lines that it logged. */
  readonly crashes: readonly string[];
  start(): Promise<void>;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with its exit code once it has ended. */
  stop(): Promise<number | null>;
  freeze(): void;
  thaw(): void;
  /** The last lines that it logged, over all its lives. */
  lastLines(): string;
};

const KEPT_LINES = 40;

/** What it logs is kept in a file of its name in `logFolder`, where there is one, each time it has ended. */
export function createReplica(name: string, environment: Record<string, string>, logFolder?: string): Replica {
  let app: AppProcess | undefined;
  let state: Replica['state'] = 'down';
  let earlierLines: string[] = [];
  const crashes: string[] = [];

  function noteCrash(ended: AppProcess): void {
    if (app !== ended || (state !== 'up' && state !== 'frozen')) return;
    end();
    crashes.push(`${name} ended by itself:\n${earlierLines.join('\n')}`);
  }

  function end(): void {
    if (logFolder && app) appendFileSync(join(logFolder, `${name}.log`), `${app.lines.join('\n')}\n`);
    earlierLines = lines();
    app = undefined;
    state = 'down';
  }

  function lines(): string[] {
    return [...earlierLines, ...(app?.lines ?? [])].slice(-KEPT_LINES);
  }

  return {
    name,
    port: Number(environment.PORT),
    get state() {
      return state;
    },
    crashes,
    get pid() {
      return app?.pid ?? 0;
    },
    async start() {
      if (state !== 'down') throw new Error(`${name} is ${state} and cannot be started`);
      state = 'starting';
      try {
        const started = await startAppProcess(environment);
        app = started;
        state = 'up';
        void started.ended.then(() => noteCrash(started));
      } catch (error) {
        state = 'down';
        crashes.push(`${name} did not start: ${error instanceof Error ? error.message : error}`);
        throw error;
      }
    },
    async kill() {
      const killed = app;
      state = 'down';
      await killed?.kill('SIGKILL');
      end();
    },
    async stop() {
      const stopped = app;
      if (!stopped) return null;
      state = 'stopping';
      await stopped.kill('SIGTERM');
      end();
      return stopped.ended;
    },
    freeze() {
      if (!app || state !== 'up') throw new Error(`${name} is ${state} and cannot be frozen`);
      process.kill(app.pid, 'SIGSTOP');
      state = 'frozen';
    },
    thaw() {
      if (!app || state !== 'frozen') return;
      process.kill(app.pid, 'SIGCONT');
      state = 'up';
    },
    lastLines: () => lines().join('\n'),
  };
}
