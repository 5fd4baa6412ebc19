import { mkdirSync } from 'node:fs';
import { launchChromium } from '@assistant-bridge/sandbox/chromium.ts';
import { type LoopbackServer, startLoopbackServer } from '@assistant-bridge/sandbox/loopback/loopback-server.ts';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page as BrowserPage } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildConfirmPage,
  buildLinkedPage,
  buildRefusalPage,
  buildStartPage,
  buildUndonePage,
  type Refusal,
} from '../../src/identity/pages/link-pages.ts';
import { buildPageHeaders, type Page, renderPage } from '../../src/identity/pages/page.ts';
import type { Texts } from '../../src/languages/english.ts';
import { LANGUAGES } from '../../src/languages/language.ts';
import { textsOf } from '../../src/languages/texts.ts';

/** A folder for photographs of the pages, for a person to look at. */
const PHOTOGRAPHS = process.env.PHOTOGRAPHS;

const NARROW = { width: 400, height: 800 };
const WIDE = { width: 1200, height: 800 };
const SLACK = 'https://slack.com/app_redirect?app=A0001&team=T0001';

/** Names as long as those of real people. */
const PERSON = 'Alexandra Hoffmann-Martínez (@alexandra.hoffmann) in Contoso Deutschland';
const ACCOUNT = 'Hoffmann-Martínez, Alexandra (alexandra.hoffmann@contoso.example)';

const REFUSALS = Object.keys(textsOf('en').refusals.pages) as Refusal[];

function listPages(texts: Texts): Record<string, Page> {
  const both = (['assistant', 'admin'] as const).flatMap((purpose): [string, Page][] => {
    const pair = { person: PERSON, account: ACCOUNT, purpose };
    const form = { action: '/link/confirm', draft: 'x', replaced: { accountName: 'Hoffmann (a.h@contoso.example)' } };
    const start = { ticket: 'x', action: '/link/start', channelAnswers: 'thread', formTargets: ["'self'"] } as const;
    return [
      [`start-${purpose}`, buildStartPage({ ...start, person: PERSON, purpose }, texts)],
      [`confirm-${purpose}`, buildConfirmPage({ ...pair, ...form }, texts)],
      [`linked-${purpose}`, buildLinkedPage(pair, { action: '/link/undo', secret: 'x' }, texts)],
      [`undone-${purpose}`, buildUndonePage(purpose, texts)],
    ];
  });
  // All are made in the same way, so the longest ones speak for the others.
  const refused = REFUSALS.map((reason): [string, Page] => [reason, buildRefusalPage(reason, undefined, texts)])
    .toSorted(([, one], [, other]) => JSON.stringify(other).length - JSON.stringify(one).length)
    .slice(0, PHOTOGRAPHS ? REFUSALS.length : 4);
  return Object.fromEntries([...both, ...refused]);
}

let server: LoopbackServer;
let browser: Browser;

beforeAll(async () => {
  server = await startLoopbackServer((request, response) => {
    const [, language, name = ''] = (request.url ?? '').split('/');
    const page = listPages(textsOf(language === 'de' ? 'de' : 'en'))[name];
    if (!page) return void response.writeHead(404).end();
    const frame = {
      language: language === 'de' ? 'de' : 'en',
      host: 'assistant.contoso.example',
      slackUrl: SLACK,
    } as const;
    response.writeHead(page.status, buildPageHeaders(page, false)).end(renderPage(page, frame));
  });
  browser = await launchChromium();
  if (PHOTOGRAPHS) mkdirSync(PHOTOGRAPHS, { recursive: true });
});
afterAll(async () => {
  await Promise.all([browser?.close(), server?.close()]);
});

/** Colours are the same in all languages. */
const CASES = LANGUAGES.map((language) => ({ language, colorScheme: language === 'en' ? 'dark' : 'light' }) as const);

describe.each(CASES)('the pages of a sign-in in $language, $colorScheme', ({ language, colorScheme }) => {
  let context: BrowserContext;
  let page: BrowserPage;
  const complaints: string[] = [];
  const names = Object.keys(listPages(textsOf(language)));
  /** Of several pages that are made in the same way, one is looked at as a whole: that takes seconds. */
  const whole = names.filter((name) => !name.endsWith('-admin')).slice(0, 5);

  beforeAll(async () => {
    context = await browser.newContext({ viewport: NARROW, colorScheme });
    page = await context.newPage();
    // The status of a refusal is a complaint, too.
    page.on('console', (message) => message.text().startsWith('Failed to load') || complaints.push(message.text()));
  });
  afterAll(() => context.close());

  it.each(names)('need no scrolling to the main button, which comes first, and are accessible: %s', async (name) => {
    await page.setViewportSize(NARROW);
    await page.goto(`${server.url}/${language}/${name}`);
    const main = page.locator('button:not(.quiet), a.button').first();
    const box = await main.boundingBox();
    const first = page.locator('main button, main a').first();
    const isFirst = (await first.textContent()) === (await main.textContent());
    const scrollWidth = await page.evaluate('document.documentElement.scrollWidth');
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const violations = whole.includes(name) ? (await axe.analyze()).violations : [];
    for (const viewport of PHOTOGRAPHS ? [NARROW, WIDE] : []) {
      await page.setViewportSize(viewport);
      await page.screenshot({ path: `${PHOTOGRAPHS}/${name}-${language}-${colorScheme}-${viewport.width}.png` });
    }

    expect(isFirst).toBe(true);
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(NARROW.height);
    expect(scrollWidth).toBeLessThanOrEqual(NARROW.width);
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
    expect(await page.textContent('header')).toContain('assistant.contoso.example');
    expect(await page.locator(`a[href="${SLACK.replaceAll('&', '\\&')}"]`).count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});
