import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTokenVault } from '../../src/identity/token-vault.ts';

const OLD = { id: 'k1', key: randomBytes(32) };
const NEW = { id: 'k2', key: randomBytes(32) };
const SECRET = 'refresh-token-of-ana';
const MALFORMED = 'token_malformed';

/** For Ana, with the old key. */
const sealed = (text: string) => createTokenVault([OLD]).seal(text, 'ana');

describe('createTokenVault', () => {
  it('opens what it sealed, for the same record', () => {
    const vault = createTokenVault([OLD]);

    const sealed = vault.seal(SECRET, 'ana');

    expect(vault.open(sealed, 'ana')).toBe(SECRET);
    expect(sealed).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]+$/);
    expect(sealed).not.toContain(SECRET);
  });

  it('never seals the same text to the same result', () => {
    const vault = createTokenVault([OLD]);

    const results = new Set(Array.from({ length: 1_000 }, () => vault.seal(SECRET, 'ana')));

    expect(results.size).toBe(1_000);
  });

  it.each<[string, () => string, { as?: string; keys?: (typeof OLD)[] }, code: string]>([
    ['that was moved to another record', () => sealed(SECRET), { as: 'ben' }, 'token_tampered'],
    [
      'that names another key than it was sealed with',
      () => sealed(SECRET).replace('.k1.', '.k9.'),
      { keys: [{ ...OLD, id: 'k9' }] },
      'token_tampered',
    ],
    ['with a shortened tag', () => sealed('').replace(/[^.]*$/, randomBytes(12).toString('base64url')), {}, MALFORMED],
    ['that is empty', () => '', {}, MALFORMED],
    ['that was never sealed', () => 'plain text', {}, MALFORMED],
    ['of another version', () => 'v2.k1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAA', {}, MALFORMED],
    ['without its parts', () => 'v1.k1..', {}, MALFORMED],
  ])('refuses a text %s', (_, text, { as = 'ana', keys = [OLD] }, code) => {
    expect(() => createTokenVault(keys).open(text(), as)).toThrow(expect.objectContaining({ code }));
  });

  it('refuses a text of which any single byte was changed', () => {
    const vault = createTokenVault([OLD]);
    const [version, id, iv, body] = vault.seal('x', 'ana').split('.');
    const bytes = Buffer.from(body ?? '', 'base64url');

    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const sealed = `${version}.${id}.${iv}.${changed.toString('base64url')}`;
      expect(() => vault.open(sealed, 'ana')).toThrow(expect.objectContaining({ code: 'token_tampered' }));
    }
  });

  it('reads with every key of the list and writes with the first', () => {
    const sealedBefore = createTokenVault([OLD]).seal(SECRET, 'ana');
    const vault = createTokenVault([NEW, OLD]);

    expect(vault.open(sealedBefore, 'ana')).toBe(SECRET);
    expect(vault.seal(SECRET, 'ana')).toMatch(/^v1\.k2\./);
  });

  it('names the key that is missing from the list', () => {
    const sealed = createTokenVault([OLD]).seal(SECRET, 'ana');
    const open = () => createTokenVault([NEW]).open(sealed, 'ana');

    expect(open).toThrow(expect.objectContaining({ code: 'token_key_unknown' }));
    expect(open).toThrow('k1');
  });

  it('refuses to start without a key', () => {
    expect(() => createTokenVault([])).toThrow(expect.objectContaining({ code: 'encryption_keys_invalid' }));
  });
});
