// The workspace of a live world in a real browser, which notes whatever its pages complain about.
import { launchChromium } from '@assistant-bridge/sandbox/chromium.ts';
import { startWorkspace, type Workspace } from '@assistant-bridge/sandbox/workspace/start-workspace.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { LiveWorld } from './live-world.ts';

export type WorkspacePages = {
  url: string;
  /** A new one for each test. */
  context: BrowserContext;
  /** What any page complained about, and requests that left this machine. */
  complaints: string[];
  /** `channel`: perhaps with the thread that is open. */
  openAs(person: string, channel: string): Promise<Page>;
};

/** For a whole file. */
export function shareWorkspacePages(world: LiveWorld): WorkspacePages {
  let workspace: Workspace;
  let browser: Browser;
  const complaints: string[] = [];
  const pages = {
    complaints,
    async openAs(person, channel) {
      const page = await pages.context.newPage();
      await page.goto(`${pages.url}/#${person}/${channel}`);
      return page;
    },
  } as WorkspacePages;
  beforeAll(async () => {
    browser = await launchChromium();
    workspace = await startWorkspace(world);
    pages.url = workspace.url;
  });
  beforeEach(async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(60_000);
    context.on('console', (message) => complaints.push(message.text()));
    context.on('weberror', (error) => complaints.push(error.error().message));
    context.on('request', (request) => {
      if (!/^(?:http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) complaints.push(request.url());
    });
    pages.context = context;
  });
  afterEach(async () => {
    // The context, not its pages: Chromium may drop the request to close a page that is about to show its next document.
    await pages.context.close();
    // A modal stays open for its person, and stands in front of everything.
    await world.closeWindows();
  });
  afterAll(async () => {
    await browser.close();
    await workspace.close();
  });
  return pages;
}
