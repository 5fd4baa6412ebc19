import type { Browser } from '@assistant-bridge/sandbox/browser.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../src/errors.ts';
import type { AccountLink } from '../../src/identity/account-link.ts';
import { passSignInPages } from '../app/sign-in.ts';
import { ANA_TICKET, shareLinkWorld, startLinkWorld } from './link-world.ts';

const world = shareLinkWorld();
const ANA = { ...ANA_TICKET.person, purpose: 'assistant' } as const;
const BEN_TICKET = { ...ANA_TICKET, person: { team: 'T0001', user: 'U0BEN' } };

beforeEach(() => world.flow.unlink(BEN_TICKET.person));

/** As far as the page with both names. */
async function reachConfirm(ticket = ANA_TICKET, account = 'ana'): Promise<Browser> {
  const browser = await world.openStart(ticket, account);
  await browser.submit();
  return browser;
}

/** `account`: its id in the directory. Empty: not known. */
async function changeLink({ account, accountName }: Partial<AccountLink>): Promise<void> {
  const link = await world.links.get(ANA);
  if (!link) throw new Error('there is no link');
  const { version, ...before } = link;
  const after = { ...before, ...(accountName !== undefined && { accountName }) };
  const namespace = before.account?.replace(/[^|]*$/, '');
  if (account) after.account = `${namespace}${account}`;
  if (account === '') delete after.account;
  if (accountName === '') delete after.accountName;
  await world.links.save(after, version);
}

/** Posts a form as this browser would, again if need be. */
async function post(browser: Browser, path: string, fields: Record<string, string>, headers = {}) {
  const cookie = browser.cookies.list(world.publicUrl).map(({ name, value }) => `${name}=${value}`);
  const answer = await fetch(`${world.publicUrl}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'sec-fetch-site': 'same-origin', cookie: cookie.join('; '), ...headers },
    redirect: 'manual',
  });
  return { status: answer.status, html: await answer.text() };
}

function readField(browser: Browser): string {
  return browser.page.forms[0]?.fields[0]?.value ?? '';
}

describe('the page with both names', () => {
  it('comes before anything is linked', async () => {
    const { page } = await reachConfirm();

    expect(page).toMatchObject({ status: 200, heading: 'Connect these two accounts?' });
    expect(page.text).toContain('Slack account\n@ana (Acme)\nWork account\nAna Alvarez (ana@example.com)');
    expect(page.forms[0]?.buttons.map(({ text }) => text)).toEqual(['Connect', 'Cancel']);
    expect(world.rows('link')).toEqual([]);
    expect(world.linked).toEqual([]);
    expect(world.results).toEqual([]);
  });

  it('names another account that is connected now, and only another', async () => {
    await (await reachConfirm()).submit(0, { decision: 'connect' });

    const same = await reachConfirm();
    const other = await reachConfirm(ANA_TICKET, 'lee');

    expect(same.page.text).not.toContain('is connected now');
    expect(other.page.text).toContain('Ana Alvarez (ana@example.com) is connected now, and will be disconnected.');
  });

  it.each<[string, Partial<AccountLink>, string | undefined]>([
    ['of the same name', { account: 'the account of another Ana' }, 'Another account is connected now'],
    ['without a known name', { account: 'somebody', accountName: '' }, 'Another account is connected now'],
    ['that was renamed since', { accountName: 'Ana Smith' }, undefined],
    ['that is not known but for its name', { account: '' }, undefined],
    ['that is not known, with another name', { account: '', accountName: 'Ana Smith' }, 'Ana Smith is connected now'],
  ])('tells accounts apart by their ids in the directory: one %s', async (_, change, words) => {
    await (await reachConfirm()).submit(0, { decision: 'connect' });
    await changeLink(change);

    const { page } = await reachConfirm();

    expect(/(?:Another account|Ana \w+) is connected now/.exec(page.text)?.[0]).toBe(words);
  });

  it('can be loaded again, and changes nothing', async () => {
    const browser = await reachConfirm();
    const before = world.rows('once');

    const again = await browser.open(browser.page.url);

    expect(again.heading).toBe('Connect these two accounts?');
    expect(world.rows('once')).toEqual(before);
    expect((await browser.submit(0, { decision: 'connect' })).heading).toBe('Your accounts are connected');
  });

  it('sends its form to its own site alone, and has no script', async () => {
    const { page } = await reachConfirm();

    expect(page.headers['content-security-policy']).toContain("form-action 'self';");
    expect(page.headers['referrer-policy']).toBe('same-origin');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.html).not.toContain('<script');
  });

  it('is for no other browser', async () => {
    const { page } = await reachConfirm();
    const other = await reachConfirm(BEN_TICKET, 'ben');

    const shown = await other.open(page.url);

    expect(shown).toMatchObject({ status: 403, heading: 'This sign-in began in another browser' });
    expect(shown.text).not.toContain('Ana');
  });
});

describe('Connect', () => {
  it('links, once', async () => {
    const browser = await reachConfirm();
    const draft = readField(browser);

    const end = await browser.submit(0, { decision: 'connect' });
    const again = await post(browser, '/link/confirm', { draft, decision: 'connect' });

    expect(end.heading).toBe('Your accounts are connected');
    expect(again).toMatchObject({ status: 410, html: expect.stringContaining('This step is over') });
    expect(await world.links.get(ANA)).toMatchObject({ accountName: 'Ana Alvarez (ana@example.com)' });
    expect(world.linked).toHaveLength(1);
    expect(world.results).toEqual(['signed_in', 'expired']);
  });

  it.each(['', 'yes'])('is not meant by a form without that button: %j', async (decision) => {
    const browser = await reachConfirm();

    const refused = await post(browser, '/link/confirm', { draft: readField(browser), decision });

    expect(refused.status).toBe(400);
    expect(world.rows('link')).toEqual([]);
  });

  it('waits with tokens that are sealed, and with nothing that finds or opens them', async () => {
    const browser = await reachConfirm();

    const stored = JSON.stringify(world.rows('once'));

    expect(stored).toContain('link-draft:');
    expect(stored).not.toContain('accessToken');
    expect(stored).not.toContain(readField(browser));
    expect(stored).not.toContain(browser.cookies.get(world.publicUrl, 'link')?.value);
  });
});

it('Cancel forgets the sign-in', async () => {
  const browser = await reachConfirm();
  const draft = readField(browser);
  const countDrafts = () => JSON.stringify(world.rows('once')).split('link-draft:').length;
  const before = countDrafts();

  const end = await browser.submit(0, { decision: 'cancel' });
  const late = await post(browser, '/link/confirm', { draft, decision: 'connect' });

  expect(end).toMatchObject({ status: 200, heading: 'Cancelled' });
  expect(end.text).toContain('Nothing was connected');
  expect(late.status).toBe(410);
  expect(world.rows('link')).toEqual([]);
  expect(countDrafts()).toBe(before - 1);
  expect(browser.cookies.list(world.publicUrl)).toEqual([]);
  expect(world.results[0]).toBe('declined');
});

describe('Undo', () => {
  it.each(['assistant', 'admin'] as const)('removes the link that was made: %s', async (purpose) => {
    const browser = await reachConfirm({ ...ANA_TICKET, purpose });
    await browser.submit(0, { decision: 'connect' });
    const undo = readField(browser);
    expect(world.rows('link')).toHaveLength(1);

    const end = await browser.submit();
    const again = await post(browser, '/link/undo', { undo });

    expect(end).toMatchObject({ status: 200, heading: 'The connection is removed' });
    expect(end.text).toContain(purpose === 'admin' ? '/assistant-admin sign-in' : '/assistant sign-in');
    expect(world.rows('link')).toEqual([]);
    expect(again.status).toBe(410);
  });

  it('leaves a later sign-in alone, and restores no earlier one', async () => {
    const first = await reachConfirm();
    await first.submit(0, { decision: 'connect' });
    world.clock.skewMs = 1000;
    const second = await reachConfirm(ANA_TICKET, 'ben');
    await second.submit(0, { decision: 'connect' });

    const late = await first.submit();
    const kept = await world.links.get(ANA);
    const undone = await second.submit();

    expect(late).toMatchObject({ status: 410, heading: 'This cannot be undone here any more' });
    expect(kept).toMatchObject({ accountName: 'Ben Brandt (ben@example.com)' });
    expect(undone.status).toBe(200);
    expect(world.rows('link')).toEqual([]);
  });

  it('leaves a sign-in alone that comes at the same moment', async () => {
    const browser = await reachConfirm();
    await browser.submit(0, { decision: 'connect' });
    const { get } = world.links;
    world.links.get = async (key) => {
      world.links.get = get;
      const found = await get(key);
      if (found) await world.links.save({ ...found, linkedAt: found.linkedAt + 1 }, found.version);
      return found;
    };

    expect((await browser.submit()).status).toBe(410);

    expect(world.rows('link')).toHaveLength(1);
  });

  it('leaves the link for the other purpose alone', async () => {
    await passSignInPages(await world.openStart({ ...ANA_TICKET, purpose: 'admin' }));
    const browser = await reachConfirm();
    await browser.submit(0, { decision: 'connect' });

    await browser.submit();

    expect(await world.links.get({ ...ANA, purpose: 'admin' })).toBeTruthy();
    expect(await world.links.get(ANA)).toBeUndefined();
  });

  it('is over after ten minutes', async () => {
    const browser = await reachConfirm();
    await browser.submit(0, { decision: 'connect' });
    world.clock.skewMs = 10 * 60_000 + 1;

    const late = await browser.submit();

    expect(late).toMatchObject({ status: 410, heading: 'This cannot be undone here any more' });
    expect(world.rows('link')).toHaveLength(1);
  });
});

it('a link is not called off where the answer of the store was lost', async () => {
  const browser = await reachConfirm();
  const { save } = world.links;
  world.links.save = async (...saved) => {
    world.links.save = save;
    await save(...saved);
    throw new StoreUnavailableError('no answer');
  };

  const end = await browser.submit(0, { decision: 'connect' });

  expect(end.heading).toBe('The sign-in cannot be used right now');
  expect(end.text).toContain('If Slack says that you are signed in, all is well.');
  expect(end.text).not.toContain('Nothing was connected');
  expect(await world.links.get(ANA)).toBeTruthy();
});

it('a link is reported as made even where the undo cannot be kept', async () => {
  const other = await startLinkWorld();
  const { put } = other.once;
  const browser = await other.openStart();
  await browser.submit();
  other.once.put = (key, value, expiresAt) =>
    key.startsWith('link-undo:') ? Promise.reject(new Error('disk full')) : put(key, value, expiresAt);

  const end = await browser.submit(0, { decision: 'connect' });

  expect(end.heading).toBe('Your accounts are connected');
  expect(other.rows('link')).toHaveLength(1);
  expect(other.logged.join('')).toContain('undo of a new link not possible');
  await other.close();
});
