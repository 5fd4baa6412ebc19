import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseEncryptionKeys } from '../../src/identity/encryption-keys.ts';

const KEY = randomBytes(32);
const TEXT = KEY.toString('base64');

describe('parseEncryptionKeys', () => {
  it('reads several keys in order, in both spellings of base64', () => {
    const keys = parseEncryptionKeys(`new:${KEY.toString('base64url')}, old:${TEXT}`);

    expect(keys).toEqual([
      { id: 'new', key: KEY },
      { id: 'old', key: KEY },
    ]);
  });

  it.each([
    ['nothing', '', 'entry 1 is not of the form'],
    ['a key without an id', TEXT, 'entry 1 is not of the form'],
    ['a second entry without a key', `a:${TEXT},b:`, 'entry 2 is not of the form'],
    ['16 bytes', `a:${randomBytes(16).toString('base64')}`, 'entry 1 has 16 bytes instead of 32'],
    ['an id twice', `a:${TEXT},a:${TEXT}`, 'the same key id twice'],
  ])('refuses %s with a sentence that does not repeat the text', (_what, text, sentence) => {
    const parse = () => parseEncryptionKeys(text);

    expect(parse).toThrow(expect.objectContaining({ code: 'encryption_keys_invalid' }));
    expect(parse).toThrow(sentence);
    expect(parse).not.toThrow(TEXT);
  });
});
