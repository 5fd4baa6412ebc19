import { HOSTILE_DESCRIPTION } from '@assistant-bridge/sandbox/identity-provider/faults.ts';
import { describe, expect, it } from 'vitest';
import { passSignInPages } from '../app/sign-in.ts';
import { ANA_TICKET, shareLinkWorld, stopBeforeLastStep } from './link-world.ts';

const world = shareLinkWorld();

it('somebody else is not linked by a forwarded link', async () => {
  const victim = await world.openBrowser('U0BEN', 'ben');
  await victim.open(await world.flow.issueTicket(ANA_TICKET));

  const end = await passSignInPages(victim);

  expect(end).toMatchObject({ status: 403, heading: 'This link belongs to somebody else' });
  expect(end.text).toContain('Nothing was connected');
  expect(world.rows('link')).toEqual([]);
  expect(world.provider.ledger.authorizeRequests).toEqual([]);
  expect(world.results).toEqual(['wrong_person']);
});

describe('a callback', () => {
  it('counts once in this browser alone, however often and wherever it comes', async () => {
    const { url, open } = await stopBeforeLastStep(world);
    const other = await world.openBrowser('U0BEN', 'ben');

    const elsewhere = await other.open(url);
    const pages = await Promise.all([open(url), open(url)]);

    expect(elsewhere).toMatchObject({ status: 403, heading: 'This sign-in began in another browser' });
    expect(pages.map(({ status }) => status).sort()).toEqual([303, 410]);
    expect(await open(url)).toMatchObject({ status: 410, html: expect.stringContaining('This step is over') });
    expect(world.codeRequests()).toBe(1);
  });

  it('is refused where it names another issuer', async () => {
    const { url, open } = await stopBeforeLastStep(world);
    const changed = new URL(url);
    changed.searchParams.set('iss', 'https://elsewhere.example');

    const page = await open(changed.href);

    expect(page.html).toContain('The sign-in did not work');
    expect(world.codeRequests()).toBe(0);
  });
});

describe('a refusal of the identity provider', () => {
  it('becomes a page that shows nothing of its text', async () => {
    const browser = await world.openStart();
    world.provider.faults.next('access-denied');

    const end = await passSignInPages(browser);

    expect(end).toMatchObject({ status: 403, heading: 'The sign-in was cancelled' });
    expect(end.html).not.toContain(HOSTILE_DESCRIPTION);
    expect(end.html).not.toMatch(/<img|<script|owned/);
    expect(world.codeRequests()).toBe(0);
    expect(world.results).toEqual(['declined']);
  });

  it.each([
    ['consent_required', 403, 'Your organisation has to allow this first'],
    ['temporarily_unavailable', 503, 'The sign-in cannot be used right now'],
    ['<script>alert(1)</script>', 502, 'The sign-in did not work'],
  ])('that says %s has a page that says what to do', async (error, status, title) => {
    const { url, open } = await stopBeforeLastStep(world);
    const changed = new URL(url);
    changed.searchParams.delete('code');
    changed.searchParams.set('error', error);
    changed.searchParams.set('error_description', HOSTILE_DESCRIPTION);

    const page = await open(changed.href);

    expect(page.status).toBe(status);
    expect(page.html).toContain(`<h1>${title}</h1>`);
    expect(page.html).toContain('What to do:');
    expect(page.html).not.toMatch(/<script|<img|owned/);
    expect(world.logged.join('')).not.toContain('owned');
  });

  it.each([
    ['html-502', 503, 'The sign-in cannot be used right now', 'unavailable'],
    ['invalid-client', 500, 'The sign-in is not set up correctly', 'misconfigured'],
    ['invalid-grant', 502, 'The sign-in did not work', 'refused'],
  ] as const)('to redeem the code (%s) links nothing, and is counted', async (fault, status, title, result) => {
    const browser = await world.openStart();
    world.provider.faults.next(fault, { on: 'code' });

    const end = await passSignInPages(browser);

    expect(end).toMatchObject({ status, heading: title });
    expect(world.rows('link')).toEqual([]);
    expect(world.results).toEqual([result]);
  });
});
