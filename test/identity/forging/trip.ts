// One sign-in on its way, of which an attacker may have seen or taken every part.
import { type Browser, createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import type { Purpose } from '../../../src/identity/account-link.ts';
import type { LinkWorld } from '../link-world.ts';

/** In the order of a sign-in. */
export const STAGES = ['start', 'slack', 'account', 'confirm'] as const;

export type Stage = (typeof STAGES)[number];

export const ENDPOINTS: Readonly<Record<Stage | 'undo', string>> = {
  start: '/link/start',
  slack: '/link/slack/callback',
  account: '/link/account/callback',
  confirm: '/link/confirm',
  undo: '/link/undo',
};

export type Someone = { user: string; account: string };

export type Trip = {
  who: Someone;
  purpose: Purpose;
  browser: Browser;
  stage: Stage;
  /** What each step is named by: ticket, states, draft, undo. */
  secrets: Partial<Record<Stage | 'undo', string>>;
  /** The authorization codes that came with the states. */
  codes: Partial<Record<Stage, string>>;
  cookie(): string | undefined;
};

/**
 * Begins the sign-in of `who` with their own link. `browserOf`: whose sessions at Slack and at the identity provider the
 * browser has; their own unless somebody planted another.
 */
export async function beginTrip(
  world: LinkWorld,
  { who, purpose, browserOf = who }: { who: Someone; purpose: Purpose; browserOf?: Someone },
): Promise<Trip> {
  const stopAt = { path: '' };
  const browser = createBrowser({
    stopBefore: (url) => stopAt.path !== '' && new URL(url).pathname === stopAt.path && url.startsWith(world.publicUrl),
  });
  await browser.open(`${world.slack.url}/sandbox/login?user=${browserOf.user}`);
  await browser.open(world.provider.loginUrl(browserOf.account));
  const person = { team: 'T0001', user: who.user };
  const url = await world.flow.issueTicket({ person, workspace: 'T0001', purpose });
  stops.set(browser, stopAt);
  return {
    ...{ who, purpose, browser, stage: 'start', codes: {} },
    secrets: { start: new URL(url).searchParams.get('ticket') ?? '' },
    cookie: () => browser.cookies.get(world.publicUrl, 'link')?.value,
  };
}

const stops = new WeakMap<Browser, { path: string }>();

/** Goes on to a later stage, and stops before the request that leads there. False: the sign-in was refused on the way. */
export async function walkTo(world: LinkWorld, trip: Trip, stage: Stage): Promise<boolean> {
  const stopAt = stops.get(trip.browser) ?? { path: '' };
  while (STAGES.indexOf(trip.stage) < STAGES.indexOf(stage)) {
    const next = STAGES[STAGES.indexOf(trip.stage) + 1] ?? 'confirm';
    stopAt.path = ENDPOINTS[next];
    const { browser } = trip;
    if (trip.stage === 'start') {
      stopAt.path = '';
      await browser.open(`${world.publicUrl}${ENDPOINTS.start}?ticket=${trip.secrets.start}`);
      stopAt.path = ENDPOINTS[next];
      if (browser.page.forms.length === 0) return false;
      await browser.submit();
    } else {
      const address = browser.page.url;
      stopAt.path = ENDPOINTS[next];
      await browser.open(address);
    }
    const { pathname, searchParams } = new URL(browser.page.url);
    if (browser.page.status !== 0 || pathname !== ENDPOINTS[next]) return false;
    const code = searchParams.get('code');
    if (code !== null) trip.codes[next] = code;
    trip.secrets[next] = searchParams.get(next === 'confirm' ? 'draft' : 'state') ?? '';
    trip.stage = next;
  }
  return true;
}

/** From the page with both names to the end: presses Connect, and gives the page. */
export async function connect(world: LinkWorld, trip: Trip): Promise<Browser['page']> {
  const stopAt = stops.get(trip.browser);
  if (stopAt) stopAt.path = '';
  await trip.browser.open(`${world.publicUrl}${ENDPOINTS.confirm}?draft=${trip.secrets.confirm}`);
  if (trip.browser.page.forms.length === 0) return trip.browser.page;
  const page = await trip.browser.submit(0, { decision: 'connect' });
  const undo = page.forms[0]?.fields.find(({ name }) => name === 'undo')?.value;
  if (undo !== undefined) trip.secrets.undo = undo;
  return page;
}
