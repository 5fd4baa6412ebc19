import { createWorkerRun } from '../../run-in-worker.ts';
import { RenderTimeoutError } from './markdown-tree.ts';
import type { Budget } from './message-budget.ts';
import type { Part } from './pack-leaves.ts';
import { toSlackMarkdown } from './slack-markdown.ts';

/** Measured: 0.3 ms for an ordinary text of 3,000 characters, and 60 ms for the worst of this length. */
export const LONGEST_AT_ONCE = 20_000;

export type Rendering = { text: string; budget: Budget };

const renderInWorker = createWorkerRun<Rendering, Part[] | undefined>({
  script: new URL('./render-worker.ts', import.meta.url),
  // Many times what the worst answer of the greatest length takes.
  limitMs: 5_000,
  waitLimitMs: 10_000,
  idleMs: 60_000,
  maxHeapMb: 512,
  toError: (why, options) => new RenderTimeoutError(why, options),
});

/** As toSlackMarkdown, but long texts are rendered in a worker, one after the other. Rejects with RenderTimeoutError. */
export async function renderMarkdown(
  text: string,
  budget: Budget,
  options: { limitMs?: number } = {},
): Promise<Part[] | undefined> {
  return text.length > LONGEST_AT_ONCE ? renderInWorker({ text, budget }, options) : toSlackMarkdown(text, budget);
}
