import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { toTerminalText as toStyledText } from './terminal-text.ts';

/** Whether there are colours depends on where the tests run. */
const toTerminalText = (...input: Parameters<typeof toStyledText>) => stripVTControlCharacters(toStyledText(...input));
const { FORCE_COLOR } = process.env;

afterEach(() => {
  if (FORCE_COLOR === undefined) delete process.env.FORCE_COLOR;
  else process.env.FORCE_COLOR = FORCE_COLOR;
});

describe('text for the terminal', () => {
  it('breaks lines at words, and indents what goes on', () => {
    expect(toTerminalText('one two three four', 9)).toBe('one two\nthree\nfour');
    expect(toTerminalText('- one two three', 9)).toBe('- one two\n  three');
    expect(toTerminalText('https://a.example/a/long/address is long', 9)).toBe(
      'https://a.example/a/long/address\nis long',
    );
  });

  it('shows no marks of bold, italic and headings, and leaves all else', () => {
    expect(toTerminalText('**bold** and *bold* and _slanted_, 2 * 3 * 4, snake_case_name', 80)).toBe(
      'bold and bold and slanted, 2 * 3 * 4, snake_case_name',
    );
    expect(toTerminalText('## Where we are')).toBe('Where we are');
  });

  it('paints bold and dim where there are colours, over a break of the line, too', () => {
    process.env.FORCE_COLOR = '1';
    expect(toStyledText('a **bold one** b', 8)).toBe('a \u001b[1mbold\none\u001b[22m b');
    expect(toStyledText('_slanted_')).toBe('\u001b[2mslanted\u001b[22m');
  });

  it('leaves tables and code as they are', () => {
    const table = '| a very long cell | another *one* |';
    expect(toTerminalText(table, 10)).toBe(table);
    expect(toTerminalText('```ts\nconst a = b ** c ** d;\n```', 10)).toBe('const a = b ** c ** d;');
  });
});
