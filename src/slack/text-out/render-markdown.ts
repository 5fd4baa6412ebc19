import { createWorkerRun } from '../../run-in-worker.ts';
import { parseMarkdown, RenderTimeoutError } from './markdown-tree.ts';
import { type Budget, countCharacters } from './message-budget.ts';
import { dropOverrides } from './neutralise.ts';
import { type Part, packLeaves } from './pack-leaves.ts';
import { writeBlocks } from './write-blocks.ts';

/** In addition to twice as many messages as the length requires: many headings or small tables could need thousands. */
const MORE_MESSAGES = 20;

/**
 * The service's Markdown as texts for Slack's `markdown` blocks, one for each message. They are safe whatever the service
 * wrote: they mention nobody, only http(s) links remain, each with its host shown, images become links, and HTML becomes
 * text. Tables, lists, headings, quotes and code keep their form. Undefined if there would be no messages, or too many.
 * Throws RenderTimeoutError.
 */
export function toSlackMarkdown(text: string, budget: Budget): Part[] | undefined {
  const source = dropOverrides(text)
    .replace(/^\uFEFF+/, '')
    .replace(/\r\n?/g, '\n');
  const leaves = writeBlocks(parseMarkdown(source), source);
  const most = MORE_MESSAGES + Math.ceil((2 * countCharacters(source)) / budget.characters);
  const parts = packLeaves(leaves, budget, most);
  const shown = parts.filter(({ text }) => text.trim() !== '');
  return shown.length === 0 || parts.length > most ? undefined : shown;
}

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
