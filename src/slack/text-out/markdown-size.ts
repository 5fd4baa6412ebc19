import { type Fence, type Inside, readBlock, toFenceAfter } from './markdown-lines.ts';
import { BLOCK_COST, countCharacters, type Size } from './message-budget.ts';

/** What is measured of a text that is only appended to. `rest`: what of it the next line may change. */
export type Measured = Counted & { characters: number; known: Counted; rest: string };

type Counted = { blocks: number; tables: number; inside: Inside; fence: Fence | undefined };

const NOTHING: Counted = { blocks: 0, tables: 0, inside: 'nothing', fence: undefined };

export const NOTHING_MEASURED: Measured = { ...NOTHING, characters: 0, known: NOTHING, rest: '' };

/** The size of Slack Markdown in a message, after Slack has turned it into blocks. */
export function measureMarkdown(markdown: string): Size {
  return toSize(measureMore(NOTHING_MEASURED, markdown));
}

export function toSize({ blocks, tables, characters }: Measured): Size {
  return { blocks, tables, characters: characters + blocks * BLOCK_COST };
}

/** Measures what follows. Read again are only the last line and the one before, which the next line may change. */
export function measureMore({ characters, known, rest }: Measured, text: string): Measured {
  const lines = (rest + text).split(/(?<=\n)/);
  let counted = known;
  let first = 0;
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    counted = countLine(counted, line, next ?? '');
    if (!next?.endsWith('\n')) continue;
    known = counted;
    first = index + 1;
  }
  return { ...counted, characters: characters + countCharacters(text), known, rest: lines.slice(first).join('') };
}

function countLine({ blocks, tables, inside, fence }: Counted, text: string, next: string): Counted {
  const after = toFenceAfter(text, fence);
  const step = readBlock(inside, { text, next, before: fence, after });
  const isTable = step.row === 'first';
  return { blocks: blocks + step.blocks, tables: tables + (isTable ? 1 : 0), inside: step.inside, fence: after };
}
