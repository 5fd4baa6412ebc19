import { isMap, isSeq, LineCounter, parseDocument } from 'yaml';
import { toIdKey } from './register.ts';

/**
 * Of the text of a register, the entries of these environments (by toIdKey) as they stand there, each with the comments
 * right above it: for whoever puts them into a file that is too long to be handed over whole.
 */
export function cutEntries(text: string, environmentKeys: ReadonlySet<string>): string[] {
  const lineCounter = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter });
  const list = isMap(contents) ? contents.get('environments', true) : undefined;
  if (!isSeq(list)) return [];
  const lines = text.split('\n');
  const lineAt = (offset: number) => lineCounter.linePos(offset).line - 1;
  return list.items.flatMap((item) => {
    if (!isMap(item) || !environmentKeys.has(toIdKey(String(item.get('id'))))) return [];
    const [start, end] = item.range ?? [0, 0];
    let first = lineAt(start);
    while (first > 0 && /^\s*#/.test(lines[first - 1] ?? '')) first -= 1;
    return [
      lines
        .slice(first, lineAt(Math.max(start, end - 1)) + 1)
        .join('\n')
        .trimEnd(),
    ];
  });
}
