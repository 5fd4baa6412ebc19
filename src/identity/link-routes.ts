import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Person } from '../conversation/question.ts';
import { BridgeError, TransientError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ChannelAnswers } from './account-link.ts';
import { faultOf } from './configuration-fault.ts';
import {
  IdentityProviderMisconfiguredError,
  LinkRefusedError,
  SlackSignInMisconfiguredError,
} from './identity-errors.ts';
import type { LinkFlow } from './link-flow.ts';
import { isSecretShaped, STEP_LIFE_MS, type Ticket } from './link-ticket.ts';
import { buildCodePage, buildLinkedPage, buildStartPage } from './pages/link-pages.ts';
import {
  buildPageHeaders,
  buildResponseHeaders,
  isHttps,
  type Page,
  renderPage,
  withoutTrailingSlash,
} from './pages/page.ts';
import {
  BAD_FORM_PAGE,
  buildRefusalPage,
  CROSS_SITE_PAGE,
  FAILED_PAGE,
  MISCONFIGURED_PAGE,
  NOT_FOUND_PAGE,
  UNAVAILABLE_PAGE,
  WRONG_METHOD_PAGE,
} from './pages/refusal-pages.ts';

export type LinkRoutes = {
  /** Answers every request under /link/. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
};

export type LinkRoutesOptions = {
  flow: LinkFlow;
  publicUrl: string;
  /** The origins that the form redirects to: Sign in with Slack and the identity provider. */
  signInOrigins: readonly string[];
  /** The person's display name, for example `@ana (Acme)`. If it fails, pages show the user id. */
  describePerson: (person: Person, workspace: string) => Promise<string>;
  log: Log;
};

type Answer = { kind: 'page'; page: Page; endCookie?: boolean } | { kind: 'redirect'; url: string; cookie: string };

type Exchange = { request: IncomingMessage; response: ServerResponse };
type Visit = { request: IncomingMessage; query: URLSearchParams };
type Route = (visit: Visit) => Promise<Answer>;

export function createLinkRoutes(options: LinkRoutesOptions): LinkRoutes {
  const site = toSite(options);
  const routes: Record<string, Partial<Record<string, Route>>> = {
    '/link/start': {
      GET: (visit) => showStart(site, visit),
      HEAD: (visit) => showStart(site, visit),
      POST: (visit) => begin(site, visit),
    },
    '/link/slack/callback': { GET: (visit) => finishSlack(site, visit) },
    '/link/account/callback': { GET: (visit) => finishAccount(site, visit) },
  };
  return {
    async handle(request, response) {
      const { path, query } = parseTarget(request);
      const methods = routes[path];
      const route = methods?.[request.method ?? ''];
      if (methods && !route) response.setHeader('allow', Object.keys(methods).join(', '));
      const answer = route
        ? await route({ request, query }).catch((error: unknown) => toFailure(options.log, path, error))
        : toPage(methods ? WRONG_METHOD_PAGE : NOT_FOUND_PAGE);
      send(site, { request, response }, answer);
    },
  };
}

type Site = LinkRoutesOptions & { startUrl: string; origin: string; isHttps: boolean; cookieName: string };

function toSite(options: LinkRoutesOptions): Site {
  const secure = isHttps(options.publicUrl);
  return {
    ...options,
    startUrl: `${withoutTrailingSlash(options.publicUrl)}/link/start`,
    origin: new URL(options.publicUrl).origin,
    isHttps: secure,
    // The prefix makes browsers refuse the cookie from any other host, subdomains included; it requires https.
    cookieName: secure ? '__Host-link' : 'link',
  };
}

function parseTarget(request: IncomingMessage): { path: string; query: URLSearchParams } {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  return { path, query: new URLSearchParams(query) };
}

async function showStart(site: Site, { query }: Visit): Promise<Answer> {
  const ticket = query.get('ticket') ?? '';
  const intent = await site.flow.preview(ticket);
  const page = buildStartPage({
    ticket,
    action: site.startUrl,
    person: await describe(site, intent.ticket),
    purpose: intent.ticket.purpose,
    channelAnswers: intent.channelAnswers,
    variant: site.flow.variant,
    // Both may redirect through further hosts (a workspace's, a federated directory's).
    formTargets: ["'self'", 'https:', ...site.signInOrigins.filter((origin) => !isHttps(origin))],
  });
  return toPage(page);
}

async function begin(site: Site, { request }: Visit): Promise<Answer> {
  if (!isSameOrigin(request, site.origin)) return toPage(CROSS_SITE_PAGE);
  const form = await readForm(request);
  if (!form) return toPage(BAD_FORM_PAGE);
  const ticket = form.get('ticket') ?? '';
  const { channelAnswers } = await site.flow.preview(ticket);
  const chosen = parseChannelAnswers(form.get('channelAnswers'));
  return { kind: 'redirect', ...(await site.flow.begin(ticket, chosen ?? channelAnswers)) };
}

async function finishSlack(site: Site, { request, query }: Visit): Promise<Answer> {
  return { kind: 'redirect', ...(await site.flow.finishSlack(query, readCookie(request, site.cookieName))) };
}

async function finishAccount(site: Site, { request, query }: Visit): Promise<Answer> {
  const arrival = await site.flow.finishAccount(query, readCookie(request, site.cookieName));
  const person = await describe(site, arrival.ticket);
  const page = arrival.kind === 'code' ? buildCodePage(person, arrival.code) : buildLinkedPage(person, arrival.link);
  return { ...toPage(page), endCookie: true };
}

async function describe({ describePerson, log }: Site, { person, workspace }: Ticket): Promise<string> {
  try {
    return await describePerson(person, workspace);
  } catch (error) {
    log.warn({ err: error }, 'a person could not be described for the sign-in page');
    return person.user;
  }
}

function parseChannelAnswers(text: string | null): ChannelAnswers | undefined {
  return text === 'thread' || text === 'private' ? text : undefined;
}

function toPage(page: Page): Answer & { kind: 'page' } {
  return { kind: 'page', page };
}

function toFailure(log: Log, path: string, error: unknown): Answer {
  const code = error instanceof BridgeError ? error.code : 'unexpected';
  const fault = faultOf(error);
  if (fault) log.error({ path, code, ...fault }, 'sign-in stopped by the configuration');
  if (error instanceof LinkRefusedError) {
    if (!fault) log.info({ path, code, err: error.cause }, 'sign-in refused');
    return toPage(buildRefusalPage(error.reason, error.purpose));
  }
  if (error instanceof TransientError) {
    if (!fault) log.warn({ path, code, err: error }, 'sign-in not possible now');
    return toPage(UNAVAILABLE_PAGE);
  }
  if (!fault) log.error({ path, code, err: error }, 'sign-in failed');
  const isMisconfigured =
    error instanceof IdentityProviderMisconfiguredError || error instanceof SlackSignInMisconfiguredError;
  return toPage(isMisconfigured ? MISCONFIGURED_PAGE : FAILED_PAGE);
}

function send(site: Site, { request, response }: Exchange, answer: Answer): void {
  if (response.destroyed || response.headersSent) return;
  if (answer.kind === 'redirect') {
    const cookie = toSetCookie(site, answer.cookie, STEP_LIFE_MS / 1000);
    const headers = { ...buildResponseHeaders(site.isHttps), 'referrer-policy': 'no-referrer', 'set-cookie': cookie };
    response.writeHead(303, { ...headers, location: answer.url }).end();
    return;
  }
  if (answer.endCookie) response.setHeader('set-cookie', toSetCookie(site, '', 0));
  // The rest of an unread request must not be parsed as the next one.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(answer.page.status, buildPageHeaders(answer.page, site.isHttps)).end(renderPage(answer.page));
}

function toSetCookie({ cookieName, isHttps: secure }: Site, value: string, maxAgeS: number): string {
  return `${cookieName}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

const BODY_LIMIT_BYTES = 16 * 1024;

/** The fields of a form; undefined where the body is not a form, is larger than 16 KB, or breaks off. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Keep the request open: its connection still has to carry our response.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > BODY_LIMIT_BYTES) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

/**
 * Whether a form was sent by our own page. Browsers send Sec-Fetch-Site, older ones (and all over plain http) Origin; a
 * request with neither is not from a browser: https://www.w3.org/TR/fetch-metadata/
 */
export function isSameOrigin(request: IncomingMessage, origin: string): boolean {
  const site = request.headers['sec-fetch-site'];
  return site === undefined ? request.headers.origin === origin : site === 'same-origin';
}

/** The secret that binds a sign-in to a browser, if it is well-formed. */
function readCookie(request: IncomingMessage, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.split('=', 2).map((part) => part.trim());
    if (key === name && isSecretShaped(value)) return value;
  }
  return undefined;
}
