import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountLink, LinkStore } from '../../src/identity/account-link.ts';
import { compareAccounts, createDirectory, type Directory, toAccount } from '../../src/identity/directory.ts';
import { aLink } from '../storage/a-link.ts';
import { createMemoryStore, type MemoryStore } from '../storage/memory-store.ts';

const OID = '8F4E2C1A-0000-4000-8000-000000000001';

let links: LinkStore;
let rows: MemoryStore['rows'];
let directory: Directory;

beforeEach(() => {
  const store = createMemoryStore(() => 0);
  ({ links, rows } = store);
  directory = createDirectory({ once: store.once, links, now: () => 0 });
});

async function signIn(values: Partial<AccountLink>): Promise<void> {
  const link = aLink({ team: 'T1', user: 'U1', account: toAccount({ iss: 'i', oid: OID }) ?? '', ...values });
  const stored = await links.get(link);
  await links.save(link, stored?.version ?? 0);
  await directory.remember(link);
}

describe('the directory', () => {
  it('finds who has signed in with an account, without regard to case', async () => {
    await signIn({});

    expect(await directory.find('T1', OID.toLowerCase())).toEqual({ team: 'T1', user: 'U1' });
    expect(await directory.find('T2', OID)).toBeUndefined();
    expect(await directory.find('T1', 'somebody-else')).toBeUndefined();
  });

  it('knows the account of who has signed in', async () => {
    await signIn({ purpose: 'admin' });

    expect(await directory.findId({ team: 'T1', user: 'U1' })).toBe(OID.toLowerCase());
    expect(await directory.findId({ team: 'T1', user: 'U2' })).toBeUndefined();
  });

  it('finds nobody who has signed out, or in with another account', async () => {
    await signIn({});
    await links.delete({ team: 'T1', user: 'U1', purpose: 'assistant' });
    expect(await directory.find('T1', OID)).toBeUndefined();

    await signIn({});
    await signIn({ account: 'i|oid|another-account' });
    expect(await directory.find('T1', OID)).toBeUndefined();
    expect(await directory.find('T1', 'another-account')).toEqual({ team: 'T1', user: 'U1' });
  });

  it('still finds who has signed out of one of two purposes', async () => {
    await signIn({ purpose: 'assistant' });
    await signIn({ purpose: 'admin' });
    await links.delete({ team: 'T1', user: 'U1', purpose: 'admin' });

    expect(await directory.find('T1', OID)).toEqual({ team: 'T1', user: 'U1' });
  });

  it('leaves nothing of who has signed out, and what somebody is still signed in with', async () => {
    await signIn({ purpose: 'assistant' });
    await signIn({ purpose: 'admin' });
    for (const purpose of ['admin', 'assistant'] as const) {
      expect(rows('once')).toHaveLength(1);
      const link = await links.get({ team: 'T1', user: 'U1', purpose });
      await links.delete({ team: 'T1', user: 'U1', purpose });
      if (link) await directory.forget(link);
    }

    expect(rows('once')).toEqual([]);
  });

  it('keeps no id of an account in the clear, and nothing of those without one', async () => {
    await signIn({});
    await directory.remember(aLink({ team: 'T1', user: 'U2', account: 'i|sub|ana' }));

    expect(JSON.stringify(rows('once'))).not.toContain(OID.toLowerCase());
    expect(rows('once')).toHaveLength(1);
  });
});

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
