import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCanonicalJson } from '../src/canonical-json.ts';

describe('canonical JSON', () => {
  it('has names in order at every depth, and lists as they are', () => {
    expect(toCanonicalJson({ b: [{ d: 1, c: null }, 2], a: 'ä' })).toBe('{"a":"ä","b":[{"c":null,"d":1},2]}');
  });

  it('is the same for equal values, through any number of stores', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const stored: unknown = JSON.parse(toCanonicalJson(value));
        return toCanonicalJson(stored) === toCanonicalJson(value);
      }),
    );
  });

  it('is another for other values', () => {
    expect(toCanonicalJson({ a: 1 })).not.toBe(toCanonicalJson({ a: '1' }));
    expect(toCanonicalJson([1, 2])).not.toBe(toCanonicalJson([2, 1]));
  });
});
