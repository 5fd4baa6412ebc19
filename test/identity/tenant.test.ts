import { afterEach, describe, expect, it } from 'vitest';
import { passSignInPages } from '../app/sign-in.ts';
import { ANA_TICKET, type LinkWorld, type LinkWorldOptions, startLinkWorld } from './link-world.ts';

const OTHER = '99999999-8888-4777-8666-555555555555';

let world: LinkWorld;

afterEach(() => world.close());

async function signIn(account: string, options: LinkWorldOptions = {}) {
  world = await startLinkWorld(options);
  return passSignInPages(await world.openStart(ANA_TICKET, account));
}

describe('an account of another tenant', () => {
  it('is refused where AUTH_TENANT_ID is an id, with a page and a line that names both tenants', async () => {
    const end = await signIn('zoe');

    expect(end).toMatchObject({ status: 403, heading: 'This account belongs to another organisation' });
    expect(end.text).toContain('Nothing was connected');
    expect(end.text).toContain('/assistant sign-in');
    expect(world.rows('link')).toEqual([]);
    expect(JSON.stringify(world.rows('once'))).not.toContain('link-draft:');
    const line = world.logged.find((each) => each.includes('link_other_tenant')) ?? '';
    expect(line).toContain(OTHER);
    expect(line).toContain(world.provider.tenant);
    expect(line).not.toContain('Zoe');
    expect(world.results).toEqual(['refused']);
  });

  it.each([
    ['ana', 'Your accounts are connected'],
    ['zoe', 'This account belongs to another organisation'],
  ])('is known by the issuer where AUTH_TENANT_ID is a domain: %s', async (account, heading) => {
    expect(await signIn(account, { tenant: 'example.com' })).toMatchObject({ heading });
  });

  it.each(['common', 'organizations', 'consumers'])('is as good as any where AUTH_TENANT_ID is %s', async (tenant) => {
    expect(await signIn('zoe', { tenant })).toMatchObject({ heading: 'Your accounts are connected' });
  });
});
