import { describe, expect, it } from 'vitest';
import { compareAccounts, readRefreshedAccount, toAccount } from '../../src/identity/directory-account.ts';

const ISSUER = 'https://login.example.com/t/v2.0';
const EXPECTED = { issuer: ISSUER, clientId: 'app' };

const toToken = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

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

  it('is read from the id token of a refresh', () => {
    const claims = { iss: ISSUER, aud: ['app'], oid: 'kim', sub: 's' };

    expect(readRefreshedAccount(toToken(claims), EXPECTED)).toBe(`${ISSUER}|oid|kim`);
  });

  it.each([
    ['of another issuer', toToken({ iss: 'https://other.example', aud: 'app', sub: 's' })],
    ['for another client', toToken({ iss: ISSUER, aud: 'other', sub: 's' })],
    ['that is none', 'not a token'],
    ['of null', toToken(null as unknown as object)],
    ['that is missing', undefined],
  ])('is unknown from an id token %s', (_, token) => {
    expect(readRefreshedAccount(token, EXPECTED)).toBeUndefined();
  });
});
