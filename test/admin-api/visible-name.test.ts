import { describe, expect, it } from 'vitest';
import { parseAgent, parseEnvironment } from '../../src/admin-api/inventory-wire.ts';

const readName = (displayName: unknown) =>
  parseAgent({ name: 'agent-1', properties: { displayName } })?.row.displayName;

describe('a name', () => {
  it.each(['', '   ', '\u200b\u200b', '\u3164', '\u00ad\ufeff', '\u2800', '\u200d', '\u0301', '\u202e'])(
    'that shows nothing is none: %j',
    (displayName) => {
      expect(readName(displayName)).toBeUndefined();
      expect(parseEnvironment({ name: 'e', properties: { displayName } })?.row.displayName).toBeUndefined();
    },
  );

  it.each([
    ['Pro\u200bduc\u00adtion\u2060', 'Production'],
    ['Pro\u200dduction', 'Production'],
    ['Team 👩\u200d💻 👩🏽\u200d💻 ❤\ufe0f\u200d🔥', 'Team 👩\u200d💻 👩🏽\u200d💻 ❤\ufe0f\u200d🔥'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['🤖', '🤖'],
  ])('is kept but for what shows nothing: %j', (displayName, shown) => {
    expect(readName(displayName)).toBe(shown);
  });
});
