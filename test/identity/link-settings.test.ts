// Sign-ins of an app that is set up in another way, or with a wrong value.
import { afterEach, describe, expect, it } from 'vitest';
import { passSignInPages } from '../app/sign-in.ts';
import { ANA_TICKET, type LinkWorld, type LinkWorldOptions, startLinkWorld } from './link-world.ts';

let world: LinkWorld;

afterEach(() => world.close());

async function signIn(options: LinkWorldOptions, { account = 'ana', ticket = ANA_TICKET } = {}) {
  world = await startLinkWorld(options);
  return passSignInPages(await world.openStart(ticket, account));
}

describe('an account of another tenant', () => {
  const OTHER = '99999999-8888-4777-8666-555555555555';

  it('is refused where AUTH_TENANT_ID is an id, with a page and a line that names both tenants', async () => {
    const end = await signIn({}, { account: 'zoe' });

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
    ['example.com', 'ana', 'Your accounts are connected'],
    ['example.com', 'zoe', 'This account belongs to another organisation'],
    ['common', 'zoe', 'Your accounts are connected'],
    ['organizations', 'zoe', 'Your accounts are connected'],
    ['consumers', 'zoe', 'Your accounts are connected'],
  ])(
    'is known by the issuer where AUTH_TENANT_ID is a domain, and is none where it is a word: %s, %s',
    async (...row) => {
      const [tenant, account, heading] = row;

      expect(await signIn({ tenant }, { account })).toMatchObject({ heading });
    },
  );
});

describe('a wrong value of the configuration', () => {
  const ofAdmin = { ticket: { ...ANA_TICKET, purpose: 'admin' as const } };

  it.each<[string, LinkWorldOptions, object, { ticket?: typeof ANA_TICKET }?]>([
    [
      'AUTH_CLIENT_SECRET',
      { provider: { credential: { secret: 'wrong-secret' } } },
      { providerError: 'invalid_client', code: 'identity_provider_misconfigured' },
    ],
    ['SLACK_CLIENT_SECRET', { slackClient: { clientSecret: 'wrong-secret' } }, { slackError: 'bad_client_secret' }],
    [
      'ADMIN_SCOPE',
      { provider: { scopes: { assistant: 'api://a/b', admin: 'api://nobody/Admin' } } },
      { providerError: 'invalid_scope' },
      ofAdmin,
    ],
  ])('is counted and named in the log: %s', async (variable, options, fields, who) => {
    const { status } = await signIn(options, who);

    const lines = world.logged.map((line) => JSON.parse(line));
    const faults = lines.filter(({ msg }) => msg === 'sign-in stopped by the configuration');
    expect(status).toBeGreaterThanOrEqual(500);
    expect(world.results).toEqual(['misconfigured']);
    expect(faults).toEqual([expect.objectContaining({ level: 'error', variable, ...fields })]);
    expect(world.logged.join('')).not.toContain('wrong-secret');
  });
});
