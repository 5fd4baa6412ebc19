// Slack's marks as a terminal shows them: bold and dim in place of asterisks and underscores, lines broken at words.
import { stripVTControlCharacters, styleText } from 'node:util';

const WIDEST = 100;

/** A rendered message or modal, as lines that fit `width` columns (those of the terminal, 100 at most). */
export function toTerminalText(text: string, width = Math.min(process.stdout.columns ?? WIDEST, WIDEST)): string {
  let isCode = false;
  const lines = text.split('\n').flatMap((line) => {
    if (line.startsWith('```')) {
      isCode = !isCode;
      return [];
    }
    // Code and tables mean what their columns say.
    if (isCode || line.startsWith('|')) return [line];
    // A mark may begin on one line of the terminal and end on the next, so marks go first.
    return wrapLine(paintMarks(line), width);
  });
  return lines.join('\n');
}

/** Lines that go on keep the indent of the first one, and stand under the words of a list item. */
function wrapLine(line: string, width: number): string[] {
  const indent = /^\s*(?:(?:[-•·>]|\d+\.)\s+)?/.exec(stripVTControlCharacters(line))?.[0].length ?? 0;
  const lines = [''];
  for (const word of line.split(/(?<=\S)(?= )/)) {
    const last = lines.at(-1) ?? '';
    const length = stripVTControlCharacters(last + word).length;
    if (last.trim() !== '' && length > width) lines.push(' '.repeat(indent) + word.trimStart());
    else lines[lines.length - 1] = last + word;
  }
  return lines;
}

const EDGE = '(?<![\\w*_~])';
const END = '(?![\\w*_~])';
const BOLD = new RegExp(`${EDGE}(\\*\\*|\\*)(?=\\S)([^*\\n]*?\\S)\\1${END}`, 'g');
const DIM = new RegExp(`${EDGE}_(?=\\S)([^_\\n]*?\\S)_${END}`, 'g');

/** Where the output is no terminal, or wants no colours, the marks only go. */
function paintMarks(line: string): string {
  const heading = /^#{1,6} (.*)$/.exec(line)?.[1];
  if (heading !== undefined) return paint('bold', heading);
  const painted = line
    .replace(BOLD, (_, _mark, words: string) => paint('bold', words))
    .replace(DIM, (_, words: string) => paint('dim', words));
  return line.startsWith('  · ') ? paint('dim', painted) : painted;
}

export function paint(style: 'bold' | 'dim' | 'cyan', text: string): string {
  return styleText(style, text, { stream: process.stdout });
}
