import { describe, expect, it } from 'vitest';
import { compareAccounts, toAccount } from '../../src/identity/directory-account.ts';

const ISSUER = 'https://login.example.com/t/v2.0';

describe('an account', () => {
  it('is the issuer with the oid, in one case, or else with the subject', () => {
    expect(toAccount({ iss: ISSUER, oid: 'AB-1', sub: 's' })).toBe(`${ISSUER}|oid|ab-1`);
    expect(toAccount({ iss: ISSUER, sub: 'Sub|1' })).toBe(`${ISSUER}|sub|Sub|1`);
    expect(toAccount({ iss: ISSUER, oid: ' ', sub: 'Sub' })).toBe(`${ISSUER}|sub|Sub`);
  });

  it.each([{}, { iss: ISSUER }, { oid: 'ab-1', sub: 's' }, { iss: ISSUER, oid: 7, sub: 'x'.repeat(256) }])(
    'is unknown from %j',
    (claims) => {
      expect(toAccount(claims)).toBeUndefined();
    },
  );

  it('is compared only with one of the same issuer that is known by the same claim', () => {
    const [kim, ben] = [`${ISSUER}|oid|kim`, `${ISSUER}|oid|ben`];

    expect(compareAccounts(kim, kim)).toBe('same');
    expect(compareAccounts(kim, ben)).toBe('different');
    expect(compareAccounts(kim, `${ISSUER}|sub|ben`)).toBe('unknown');
    expect(compareAccounts(kim, 'https://other.example|oid|ben')).toBe('unknown');
    expect([compareAccounts(kim, undefined), compareAccounts(undefined, undefined)]).toEqual(['unknown', 'unknown']);
  });
});
