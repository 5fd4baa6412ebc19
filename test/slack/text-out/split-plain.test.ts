import { describe, expect, it } from 'vitest';
import { countCharacters, cutPlain, splitPlain } from '../../../src/slack/text-out/message-budget.ts';

describe('plain text', () => {
  it('is cut at line ends, else at blanks, else anywhere but within a character', () => {
    expect(splitPlain('one two\nthree four', 12)).toEqual(['one two', 'three four']);
    expect(splitPlain('one two three', 9)).toEqual(['one two', 'three']);
    expect(splitPlain('😀😀😀', 3)).toEqual(['😀', '😀', '😀']);
    expect(splitPlain(' \n ', 10)).toEqual([]);
  });

  it('is measured as Slack counts it, with entities', () => {
    const pieces = splitPlain('&<>'.repeat(1_000), 100);

    expect(pieces.join('')).toBe('&<>'.repeat(1_000));
    expect(pieces.every((piece) => countCharacters(piece) <= 100)).toBe(true);
  });

  it('that has to be one piece shows that its end is cut off', () => {
    expect(cutPlain('short', 10)).toBe('short');
    expect(cutPlain('much too long', 6)).toBe('much …');
  });
});
