import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPath } from '../../src/admin-api/admin-client.ts';
import { parseAgent, parseEnvironment, toLiteral } from '../../src/admin-api/inventory-wire.ts';

describe('toLiteral', () => {
  it('wraps a text in single quotes and doubles those inside', () => {
    expect(toLiteral("Ana's")).toBe("'Ana''s'");
  });

  it.each(['a\nb', 'a\u0000', 'a\\', 'a\u2028b', '\ud800'])(
    'refuses what could end a literal in another way: %j',
    (text) => {
      expect(() => toLiteral(text)).toThrow(expect.objectContaining({ code: 'admin_rejected' }));
    },
  );

  it('never lets a text end its literal, and loses nothing of it', () => {
    const nasty = fc.string({ unit: fc.constantFrom("'", '"', '\\', '\n', ' ', '|', 'or', '==', 'x', '\u0000') });
    fc.assert(
      fc.property(fc.oneof(nasty, fc.string({ unit: 'grapheme' })), (text) => {
        const literal = tryLiteral(text);
        if (literal === undefined) return /[\p{Cc}\u2028\u2029\\]/u.test(text);
        const inside = literal.slice(1, -1);
        const isClosedOnlyAtTheEnd = !/'/.test(inside.replaceAll("''", ''));
        return (
          literal.at(0) === "'" &&
          literal.at(-1) === "'" &&
          isClosedOnlyAtTheEnd &&
          inside.replaceAll("''", "'") === text
        );
      }),
    );
  });
});

describe('toPath', () => {
  it('keeps every id in its place', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }).filter((id) => id !== '.' && id !== '..'),
        (id) => {
          const url = new URL(`http://admin.test${toPath('environments', id, 'entitlements')}?api-version=1`);
          const [, first, second, third, ...more] = url.pathname.split('/');
          expect([first, third, more]).toEqual(['environments', 'entitlements', []]);
          expect(decodeURIComponent(second ?? '')).toBe(id);
          expect(url.search).toBe('?api-version=1');
        },
      ),
    );
  });
});

function tryLiteral(text: string): string | undefined {
  try {
    return toLiteral(text);
  } catch {
    return undefined;
  }
}

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
