import { parseMarkdown } from './markdown-tree.ts';
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
