import { describe, expect, it } from 'vitest';
import { openTokens } from '../../src/identity/token-vault.ts';
import { passSignInPages } from '../app/sign-in.ts';
import { ANA_TICKET, shareLinkWorld, startLinkWorld } from './link-world.ts';

const world = shareLinkWorld();
const ANA = { ...ANA_TICKET.person, purpose: 'assistant' } as const;

describe('signing in', () => {
  it('links the person who asked with the account signed in with, and names both', async () => {
    const browser = await world.openBrowser('U0ANA', 'ana');

    const start = await browser.open(await world.flow.issueTicket(ANA_TICKET));
    const end = await passSignInPages(browser);

    expect(start.heading).toBe('Connect your account');
    expect(start.text).toContain('@ana (Acme)');
    expect(end.status).toBe(200);
    expect(end.text).toContain('@ana (Acme)');
    expect(end.text).toContain('Ana Alvarez (ana@example.com)');
    expect(world.rows('link')).toHaveLength(1);
    expect(await world.links.get(ANA)).toMatchObject({
      ...ANA,
      schema: 1,
      workspace: 'T0001',
      accountName: 'Ana Alvarez (ana@example.com)',
      account: `${world.provider.issuer}|oid|${world.provider.people.get('ana')?.oid}`,
    });
  });

  it('stores tokens that work for this account and this purpose, sealed', async () => {
    const browser = await world.openBrowser('U0KIM', 'kim');
    const kim = { team: 'T0001', user: 'U0KIM' };
    await browser.open(await world.flow.issueTicket({ person: kim, workspace: 'T0001', purpose: 'admin' }));

    await passSignInPages(browser);

    const link = await world.links.get({ ...kim, purpose: 'admin' });
    const tokens = link && openTokens(world.vault, link);
    expect(await world.provider.verifyToken(tokens?.accessToken ?? '')).toMatchObject({
      subject: 'kim',
      roles: ['admin'],
    });
    expect(tokens?.refreshToken).toBeTruthy();
    expect(tokens?.expiresAt).toBeGreaterThan(world.now() + 3_500_000);
    expect(JSON.stringify(link)).not.toContain(tokens?.accessToken);
    expect(link?.account).toBe(`${world.provider.issuer}|oid|${world.provider.people.get('kim')?.oid}`);
    expect(await world.links.get({ ...kim, purpose: 'assistant' })).toBeUndefined();
    await world.flow.unlink(kim);
  });

  it('proves both identities with state, nonce and PKCE before it announces the link', async () => {
    const browser = await world.openStart();

    const end = await browser.submit();
    await browser.submit(0, { decision: 'connect' });

    expect(end.visited.map((url) => new URL(url).pathname)).toEqual([
      '/link/start',
      '/openid/connect/authorize',
      '/link/slack/callback',
      expect.stringContaining('/oauth2/v2.0/authorize'),
      ...end.visited.slice(4, -2).map(() => expect.any(String)),
      '/link/account/callback',
      '/link/confirm',
    ]);
    expect(world.provider.ledger.authorizeRequests).toMatchObject([
      { hasState: true, hasNonce: true, codeChallengeMethod: 'S256', scope: expect.stringContaining('offline_access') },
    ]);
    expect(world.linked).toMatchObject([{ link: { user: 'U0ANA' } }]);
  });

  it('keeps the choice of where answers go, and proposes it the next time', async () => {
    const browser = await world.openBrowser('U0ANA', 'ana');
    const first = await browser.open(await world.flow.issueTicket(ANA_TICKET));
    const proposed = first.forms[0]?.fields.find((field) => field.isChecked)?.value;

    await passSignInPages(browser, { channelAnswers: 'private' });
    const second = await browser.open(await world.flow.issueTicket(ANA_TICKET));

    expect(proposed).toBe('thread');
    expect(await world.links.get(ANA)).toMatchObject({ channelAnswers: 'private' });
    expect(second.forms[0]?.fields.find((field) => field.isChecked)?.value).toBe('private');
  });

  it('does not ask for admin sign-ins where answers go', async () => {
    const browser = await world.openBrowser('U0ANA', 'ana');

    const page = await browser.open(await world.flow.issueTicket({ ...ANA_TICKET, purpose: 'admin' }));

    expect(page.text).toContain('your own admin rights');
    expect(page.forms[0]?.fields.map(({ name }) => name)).toEqual(['ticket']);
  });

  it('replaces an earlier link, says which, and knows nobody by it any more', async () => {
    const first = await world.openStart();
    await passSignInPages(first);
    const find = (account: string) => world.directory.find('T0001', world.provider.people.get(account)?.oid ?? '');
    await expect.poll(() => find('ana')).toEqual(ANA_TICKET.person);
    const keys = () => world.rows('once').filter(({ key }) => String(key).startsWith('once:directory:')).length;
    const before = keys();
    const second = await world.openStart(ANA_TICKET, 'ben');

    await passSignInPages(second);

    expect(world.linked.at(-1)).toMatchObject({
      link: { accountName: 'Ben Brandt (ben@example.com)' },
      previous: { accountName: 'Ana Alvarez (ana@example.com)' },
    });
    await expect.poll(() => find('ben')).toEqual(ANA_TICKET.person);
    await expect.poll(keys).toBe(before);
  });

  it('stores a link even where the announcement fails', async () => {
    const other = await startLinkWorld();
    other.linked.push = () => {
      throw new Error('Slack is down');
    };
    const browser = await other.openStart();

    const end = await passSignInPages(browser);

    expect(end.status).toBe(200);
    expect(other.rows('link')).toHaveLength(1);
    await other.close();
  });

  it('writes no secret into its log', async () => {
    const browser = await world.openBrowser('U0ANA', 'ana');
    const url = await world.flow.issueTicket(ANA_TICKET);
    await browser.open(url);
    const { visited, forms } = await browser.submit();
    await browser.submit(0, { decision: 'connect' });
    const callback = new URL(visited.find((each) => each.includes('/link/account/callback')) ?? '').searchParams;
    const link = await world.links.get(ANA);
    const tokens = link && openTokens(world.vault, link);

    const log = world.logged.join('');

    expect(log).toContain('account linked');
    expect(log).not.toContain('sign-in stopped by the configuration');
    const secrets = [
      ...[new URL(url).searchParams.get('ticket'), tokens?.accessToken, tokens?.refreshToken],
      ...[callback.get('code'), callback.get('state'), forms[0]?.fields[0]?.value],
    ];
    for (const secret of secrets) {
      expect(secret).toBeTruthy();
      expect(log).not.toContain(secret);
    }
  });
});

describe('the ticket', () => {
  it('is left as it is by opening its page, however often', async () => {
    const browser = await world.openBrowser('U0ANA', 'ana');
    const url = await world.flow.issueTicket(ANA_TICKET);
    const before = world.rows('once');

    await browser.open(url);
    await fetch(url);
    await fetch(url, { method: 'HEAD' });

    expect(world.rows('once')).toEqual(before);
    await passSignInPages(browser);
    expect(world.rows('link')).toHaveLength(1);
  });

  it('is stored so that the store does not give it away', async () => {
    const url = await world.flow.issueTicket(ANA_TICKET);

    const stored = JSON.stringify(world.rows('once'));

    expect(stored).not.toContain(new URL(url).searchParams.get('ticket'));
  });
});

describe('Slack', () => {
  it('that says no ends the sign-in before the identity provider is asked', async () => {
    world.slack.openId.autoAllow = false;
    const browser = await world.openStart();
    await passSignInPages(browser);

    const end = await browser.submit(0, { decision: 'cancel' });

    expect(end).toMatchObject({ status: 403, heading: 'The sign-in was cancelled' });
    expect(world.provider.ledger.authorizeRequests).toEqual([]);
    world.slack.openId.autoAllow = true;
  });

  it('that refuses the code ends the sign-in', async () => {
    const browser = await world.openStart();
    world.slack.faults.next('openid.connect.token', { kind: 'slackError', error: 'invalid_code' });

    const end = await passSignInPages(browser);

    expect(end).toMatchObject({ status: 502, heading: 'Slack did not confirm who you are' });
    expect(world.provider.ledger.authorizeRequests).toEqual([]);
  });
});

it('unlink deletes what there is and says what that was', async () => {
  const browser = await world.openStart();
  await passSignInPages(browser);

  expect(await world.flow.unlink(ANA_TICKET.person, 'admin')).toEqual([]);
  expect(await world.flow.unlink(ANA_TICKET.person)).toEqual(['assistant']);
  expect(world.rows('link')).toEqual([]);
  expect(world.ended).toEqual([ANA]);
});
