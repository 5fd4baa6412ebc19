// A small scripted browser: cookies, redirects and forms of real pages, without scripts.
import type { IncomingHttpHeaders } from 'node:http';
import { type CookieJar, createCookieJar } from './browser/cookie-jar.ts';
import { fillForm } from './browser/form-content.ts';
import { isFormTargetAllowed } from './browser/form-policy.ts';
import { type HtmlPage, type PageForm, parseHtmlPage } from './browser/html-page.ts';
import { isCrossSite, type Step, type StepAnswer, sendStep } from './browser/navigate.ts';

type BrowserPage = HtmlPage & {
  readonly url: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly html: string;
  /** Every address of the navigation that ended here, the last one included. */
  readonly visited: readonly string[];
};

export type Browser = ReturnType<typeof createBrowser>;

export type BrowserOptions = {
  /** Navigation stops before such an address: the page then has its `url`, status 0, and nothing else. */
  readonly stopBefore?: (url: string) => boolean;
};

const MOST_REDIRECTS = 20;

export function createBrowser(options: BrowserOptions = {}) {
  const cookies = createCookieJar();
  let shown: BrowserPage | undefined;
  const current = (): BrowserPage => {
    if (!shown) throw new Error('The browser shows no page yet.');
    return shown;
  };
  const go = async (step: Step, formPage?: BrowserPage): Promise<BrowserPage> => {
    shown = await navigate(step, { cookies, formPage, isStop: options.stopBefore ?? (() => false) });
    return shown;
  };
  const from = () => toInitiator(current());
  return {
    cookies,
    /** The page that is shown; throws before the first one. */
    get page(): BrowserPage {
      return current();
    },
    /** Types an address: nothing is said about where the person came from. */
    open: (url: string) => go({ url: new URL(url), method: 'GET', body: undefined, from: undefined, hasLeft: false }),
    /** Follows a link of the page, found by its text or address. */
    async click(text: string): Promise<BrowserPage> {
      const link = current().links.find((one) => one.text === text || one.href === text);
      if (!link) throw new Error(`The page has no link “${text}”.`);
      const url = new URL(link.href, current().url);
      return go({ url, method: 'GET', body: undefined, from: from(), hasLeft: false });
    },
    /**
     * Submits a form of the page: the first one, or the one with this index or id. `values` fill its fields; one that
     * names a button presses it, otherwise the first button is pressed. An unknown name or a value that is not on offer
     * throws.
     */
    async submit(which: number | string = 0, values: Readonly<Record<string, string>> = {}): Promise<BrowserPage> {
      const page = current();
      const form = page.forms.find((one, index) => index === which || one.id === which);
      if (!form) throw new Error(`The page “${page.title}” has no such form: ${which}`);
      return go(toFormStep(form, values, page), page);
    },
  };
}

type Navigation = {
  readonly cookies: CookieJar;
  readonly formPage: BrowserPage | undefined;
  readonly isStop: (url: string) => boolean;
};

async function navigate(first: Step, { cookies, formPage, isStop }: Navigation): Promise<BrowserPage> {
  const visited: string[] = [];
  let step = first;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    if (formPage) refuseBlocked(formPage, step.url);
    visited.push(step.url.href);
    if (isStop(step.url.href)) return buildPage(step.url, { status: 0, headers: {}, html: '' }, visited);
    const request = { url: step.url, method: step.method, isCrossSite: isCrossSite(step) };
    const answer = await sendStep(step, cookies.header(request));
    cookies.store(step.url, answer.headers['set-cookie'] ?? []);
    const next = toNextStep(step, answer);
    if (!next) return buildPage(step.url, answer, visited);
    step = next;
  }
  throw new Error(`Too many redirects: ${visited.slice(0, 3).join(' → ')} …`);
}

function toNextStep(step: Step, { status, headers }: StepAnswer): Step | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) return undefined;
  const url = new URL(headers.location, step.url);
  const keepsMethod = status >= 307 || step.method === 'GET';
  const hasLeft = step.hasLeft || url.origin !== step.url.origin;
  return {
    ...step,
    url,
    hasLeft,
    method: keepsMethod ? step.method : 'GET',
    body: keepsMethod ? step.body : undefined,
  };
}

function refuseBlocked(page: BrowserPage, target: URL): void {
  const policy = page.headers['content-security-policy'];
  const text = Array.isArray(policy) ? policy.join('; ') : policy;
  if (!isFormTargetAllowed(text, new URL(page.url), target)) {
    throw new Error(`form-action of ${page.url} forbids its form to lead to ${target.origin}`);
  }
}

function buildPage(url: URL, answer: StepAnswer, visited: readonly string[]): BrowserPage {
  return { ...parseHtmlPage(answer.html), ...answer, url: url.href, visited };
}

function toInitiator(page: BrowserPage): NonNullable<Step['from']> {
  const header = page.headers['referrer-policy'];
  const policy = page.referrerPolicy ?? (Array.isArray(header) ? header.at(-1) : header);
  return { origin: new URL(page.url).origin, referrerPolicy: policy ?? 'strict-origin-when-cross-origin' };
}

function toFormStep(form: PageForm, values: Readonly<Record<string, string>>, page: BrowserPage): Step {
  const content = fillForm(form, values);
  const url = new URL(form.action || page.url, page.url);
  const from = toInitiator(page);
  if (form.method === 'post') return { url, method: 'POST', body: content.toString(), from, hasLeft: false };
  url.search = content.toString();
  return { url, method: 'GET', body: undefined, from, hasLeft: false };
}
