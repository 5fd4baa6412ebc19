import type { BullmqDispatcher, BullmqOptions } from './bullmq-dispatcher.ts';

const loadBullmq = () => import('./bullmq-dispatcher.ts');

/**
 * The dispatcher of BullMQ, which is loaded and connected on first use. Everything before that waits for it: what is woken
 * is in the store already, so a crash in between loses nothing.
 */
export function createLateDispatcher(options: BullmqOptions): BullmqDispatcher {
  let loading: Promise<BullmqDispatcher> | undefined;

  function loaded(): Promise<BullmqDispatcher> {
    loading ??= loadBullmq().then(({ createBullmqDispatcher }) => createBullmqDispatcher(options));
    return loading;
  }

  return {
    wake: async (lane, at) => (await loaded()).wake(lane, at),
    remind: (lane) => void loaded().then((dispatcher) => dispatcher.remind(lane)),
    start: async (run, tell) => (await loaded()).start(run, tell),
    // Without any use there is nothing to end, and no reason to load it.
    drain: async (deadlineMs) => (await loading)?.drain(deadlineMs) ?? true,
    close: async () => (await loading)?.close(),
  };
}
