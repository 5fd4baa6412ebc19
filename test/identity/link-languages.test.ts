import type { Browser } from '@assistant-bridge/sandbox/browser.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ticket } from '../../src/identity/link-ticket.ts';
import { german } from '../../src/languages/german.ts';
import { ANA_TICKET, type LinkWorld, startLinkWorld } from './link-world.ts';

/** Ben reads German, Ana English. */
const BEN_TICKET: Ticket = { ...ANA_TICKET, person: { team: 'T0001', user: 'U0BEN' } };

const { refusals } = german;

let world: LinkWorld;

beforeAll(async () => {
  world = await startLinkWorld({ languages: { U0BEN: 'de' } });
});
afterAll(() => world.close());

/** A page as the person reads it: the language it says it is in, and its heading. */
const read = ({ page: { html, heading } }: Pick<Browser, 'page'>) => [/<html lang="(\w+)">/.exec(html)?.[1], heading];

async function openLink(ticket: Ticket, { slackUser = 'U0BEN', account = 'ben' } = {}): Promise<Browser> {
  const browser = await world.openBrowser(slackUser, account);
  await browser.open(await world.flow.issueTicket(ticket));
  return browser;
}

describe('the pages of somebody who reads German', () => {
  it.each<[string, keyof typeof refusals.pages, Parameters<typeof openLink>[1]]>([
    ['the account is of another organisation', 'other_tenant', { account: 'zoe' }],
    ['somebody else opens it, who reads English: it is not their sign-in', 'wrong_person', { slackUser: 'U0ANA' }],
  ])('are German where %s', async (_, refusal, who) => {
    const browser = await openLink(BEN_TICKET, who);
    await browser.submit();

    expect(read(browser)).toEqual(['de', refusals.pages[refusal].title]);
  });
});

describe('the page of a sign-in that nobody knows', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.5', 'de', refusals.pages.ticket_unknown.title],
    ['en-GB,en;q=0.9,de;q=0.5', 'en', 'This link does not work any more'],
    ['fr-FR', 'en', 'This link does not work any more'],
  ])('is in the language that the browser wants: %s', async (wanted, language, title) => {
    const headers = { 'accept-language': wanted };
    const answer = await fetch(`${world.publicUrl}/link/start?ticket=made-up`, { headers });
    const html = await answer.text();

    expect(answer.status).toBe(410);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(`<h1>${title}</h1>`);
  });

  it('is in the default language where the browser wants nothing', async () => {
    const answer = await fetch(`${world.publicUrl}/link/nowhere`, { headers: { 'accept-language': '' } });

    expect(await answer.text()).toContain('<html lang="en">');
  });
});
