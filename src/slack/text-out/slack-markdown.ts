import { parseMarkdown } from './markdown-tree.ts';
import { type Budget, countCharacters } from './message-budget.ts';
import { dropOverrides } from './neutralise.ts';
import { type Part, packLeaves } from './pack-leaves.ts';
import { writeBlocks } from './write-blocks.ts';

/** Added to twice the number that the length alone requires: many headings or small tables could need thousands. */
const MORE_MESSAGES = 20;

/**
 * The service's Markdown as texts for Slack's `markdown` blocks, one for each message. They are safe whatever the service
 * wrote: they mention nobody, only http(s) links remain, each with its host shown, and images and HTML become text.
 * Tables, lists, headings, quotes and code keep their form. Undefined where nothing or too many messages would be shown. Throws
 * RenderTimeoutError.
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
