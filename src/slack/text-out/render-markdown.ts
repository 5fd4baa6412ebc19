import { PermanentError } from '../../errors.ts';
import { createWorkerRun } from '../../run-in-worker.ts';
import { toSlackMarkdownAtOnce } from './slack-markdown.ts';

/** The text could not be rendered in time. Show it as plain escaped text. */
export class RenderTimeoutError extends PermanentError {
  constructor(why: string, options?: ErrorOptions) {
    super('render_timeout', `the text was not rendered: ${why}`, options);
  }
}

/** Longer than any answer: such texts always go to the worker. */
const LONGEST_AT_ONCE = 200_000;

const renderInWorker = createWorkerRun<string, string>({
  script: new URL('./render-worker.ts', import.meta.url),
  // The worst text that is parsed takes 1.3 s (measured), several times that on a busy machine.
  limitMs: 5_000,
  waitLimitMs: 10_000,
  idleMs: 60_000,
  maxHeapMb: 512,
  toError: (why, options) => new RenderTimeoutError(why, options),
});

/** As toSlackMarkdown, but long texts are rendered in a worker, one after the other. Rejects with RenderTimeoutError. */
export async function renderMarkdown(text: string, options: { limitMs?: number } = {}): Promise<string> {
  const rendered = text.length > LONGEST_AT_ONCE ? undefined : toSlackMarkdownAtOnce(text);
  return rendered ?? renderInWorker(text, options);
}
