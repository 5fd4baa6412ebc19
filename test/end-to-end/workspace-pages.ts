// The workspace of a live world in a real browser, which notes whatever its pages complain about.
import { launchChromium } from '@assistant-bridge/sandbox/chromium.ts';
import { startWorkspace, type Workspace } from '@assistant-bridge/sandbox/workspace/start-workspace.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { LiveWorld } from './live-world.ts';

export type WorkspacePages = {
  url: string;
  /** The same for all tests, without cookies at the beginning of each. */
  context: BrowserContext;
  /** What any page complained about, and requests that left this machine. */
  complaints: string[];
  /** `channel`: perhaps with the thread that is open. The page is there until the end of the test. */
  openAs(person: string, channel: string): Promise<Page>;
};

const VIEWPORT = { width: 1280, height: 800 };

/** For a whole file. Pages are used again: a new one is a process of its own, and takes three times as long. */
export function shareWorkspacePages(world: LiveWorld): WorkspacePages {
  let workspace: Workspace;
  let browser: Browser;
  const complaints: string[] = [];
  const known = new Set<Page>();
  let free: Page[] = [];
  const pages = {
    complaints,
    async openAs(person, channel) {
      const page = free.pop() ?? (await pages.context.newPage());
      known.add(page);
      await page.goto(`${pages.url}/#${person}/${channel}`);
      return page;
    },
  } as WorkspacePages;
  beforeAll(async () => {
    browser = await launchChromium();
    workspace = await startWorkspace(world);
    pages.url = workspace.url;
    const context = await browser.newContext({ viewport: VIEWPORT });
    context.setDefaultTimeout(60_000);
    context.on('console', (message) => complaints.push(message.text()));
    context.on('weberror', (error) => complaints.push(error.error().message));
    context.on('request', (request) => {
      if (!/^(?:http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) complaints.push(request.url());
    });
    pages.context = context;
  });
  afterEach(async () => {
    for (const page of pages.context.pages()) {
      // Also before it is closed: Chromium may drop the request to close a page that is about to show its next document.
      await page.goto('about:blank');
      if (!known.has(page)) await page.close();
    }
    free = [...known];
    for (const page of free) {
      await page.emulateMedia({ colorScheme: null });
      await page.setViewportSize(VIEWPORT);
    }
    await pages.context.clearCookies();
    // A modal stays open for its person, and stands in front of everything.
    await world.closeWindows();
  });
  afterAll(async () => {
    await browser.close();
    await workspace.close();
  });
  return pages;
}
