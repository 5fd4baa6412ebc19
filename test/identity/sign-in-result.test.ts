import type { IdentityFault } from '@assistant-bridge/sandbox/identity-provider/faults.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { passSignInPages } from '../app/sign-in.ts';
import { ANA_TICKET, type LinkWorld, type LinkWorldOptions, startLinkWorld } from './link-world.ts';

let world: LinkWorld;

afterEach(() => world.close());

async function start(options: LinkWorldOptions = {}): Promise<void> {
  world = await startLinkWorld(options);
}

async function signIn(slackUser = 'U0ANA', ticket = ANA_TICKET) {
  const browser = await world.openBrowser(slackUser, 'ana');
  await browser.open(await world.flow.issueTicket(ticket));
  await passSignInPages(browser);
  return browser;
}

/** What the log says of the configuration. */
function faults(): Record<string, unknown>[] {
  return world.logged
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'sign-in stopped by the configuration');
}

describe('how a sign-in ends is counted', () => {
  it('where it succeeds', async () => {
    await start();

    await signIn();

    expect(world.results).toEqual(['signed_in']);
    expect(faults()).toEqual([]);
  });

  it.each([
    ['access-denied', 'declined'],
    ['html-502', 'unavailable'],
    ['invalid-grant', 'refused'],
    ['invalid-client', 'misconfigured'],
  ] as [IdentityFault, string][])('where the identity provider answers %s', async (fault, result) => {
    await start();
    world.provider.faults.next(fault);

    await signIn();

    expect(world.results).toEqual([result]);
  });

  it('where somebody else opens the link, and where it is over', async () => {
    await start();

    const browser = await signIn('U0BEN');
    await browser.open(`${world.publicUrl}/link/start?ticket=used-or-made-up`);

    expect(world.results).toEqual(['wrong_person', 'expired']);
  });
});

describe('a wrong value of the configuration', () => {
  it.each<[string, LinkWorldOptions, object]>([
    [
      'AUTH_CLIENT_SECRET',
      { provider: { credential: { secret: 'wrong-secret' } } },
      { variable: 'AUTH_CLIENT_SECRET', providerError: 'invalid_client', code: 'identity_provider_misconfigured' },
    ],
    [
      'SLACK_CLIENT_SECRET',
      { slackClient: { clientSecret: 'wrong-secret' } },
      { variable: 'SLACK_CLIENT_SECRET', slackError: 'bad_client_secret' },
    ],
  ])('is counted and named in the log: %s', async (_, options, fields) => {
    await start(options);

    const { page } = await signIn();

    expect(page.status).toBeGreaterThanOrEqual(500);
    expect(world.results).toEqual(['misconfigured']);
    expect(faults()).toEqual([expect.objectContaining({ level: 'error', ...fields })]);
    expect(world.logged.join('')).not.toContain('wrong-secret');
  });

  it('is named for the administrative interface by its own scope', async () => {
    await start({ provider: { scopes: { assistant: 'api://a/b', admin: 'api://nobody/Admin' } } });

    await signIn('U0ANA', { ...ANA_TICKET, purpose: 'admin' });

    expect(faults()).toMatchObject([{ variable: 'ADMIN_SCOPE', providerError: 'invalid_scope' }]);
  });
});
