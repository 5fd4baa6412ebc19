import type { AppControl } from '@assistant-bridge/sandbox/workspace/panel/controls.ts';
import { type AppProcess, startAppProcess } from './app-process.ts';

/** `lines`: what the running process has logged. */
export type RealApp = AppControl & { readonly lines: readonly string[]; stop(): Promise<void> };

/** Starts the real app; it can be killed and started again with the same environment, hence on the same store. */
export async function startAppControl(environment: Record<string, string>): Promise<RealApp> {
  let app: AppProcess | undefined;
  let state: AppControl['state'] = 'stopped';

  async function start(): Promise<void> {
    if (state !== 'stopped') throw new Error(`the app is ${state} already`);
    state = 'starting';
    try {
      const started = await startAppProcess(environment);
      app = started;
      state = 'running';
      void started.ended.then(() => {
        if (app === started) state = 'stopped';
      });
    } catch (error) {
      state = 'stopped';
      throw error;
    }
  }

  await start();
  return {
    get state() {
      return state;
    },
    get pid() {
      return state === 'running' ? app?.pid : undefined;
    },
    get lines() {
      return app?.lines ?? [];
    },
    start,
    async kill() {
      await app?.kill('SIGKILL');
      state = 'stopped';
    },
    async stop() {
      if (state === 'running') await app?.kill('SIGTERM');
    },
  };
}
