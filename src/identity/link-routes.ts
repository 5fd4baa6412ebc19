import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Person } from '../conversation/question.ts';
import { BridgeError, TransientError } from '../errors.ts';
import { createFaultLog } from '../fault-log.ts';
import { isHttps } from '../http/web-address.ts';
import type { Texts } from '../languages/english.ts';
import { type Language, readAcceptLanguage } from '../languages/language.ts';
import { textsOf } from '../languages/texts.ts';
import type { Log } from '../log.ts';
import type { ChannelAnswers } from './account-link.ts';
import { faultOf } from './configuration-fault.ts';
import {
  IdentityProviderMisconfiguredError,
  LinkRefusedError,
  SlackSignInMisconfiguredError,
} from './identity-errors.ts';
import type { Confirmation, LinkFlow, LinkPair } from './link-flow.ts';
import { ticketOf } from './link-refusals.ts';
import { SIGN_IN_LIFE_MS, type Ticket } from './link-ticket.ts';
import { isSameOrigin, readForm } from './pages/form.ts';
import {
  buildConfirmPage,
  buildLinkedPage,
  buildRefusalPage,
  buildStartPage,
  buildUndonePage,
  type Refusal,
  type ShownPair,
} from './pages/link-pages.ts';
import { buildPageHeaders, buildResponseHeaders, type Page, renderPage } from './pages/page.ts';
import { createSecret, isSecretShaped } from './secret.ts';

export type LinkRoutesOptions = {
  flow: LinkFlow;
  publicUrl: string;
  /** The form redirects to Sign in with Slack, and then to the identity provider. */
  slackOrigin: string;
  providerOrigin: string;
  /** The person's display name, for example `@ana (Acme)`. If it fails, pages show the user id. */
  describePerson: (person: Person, workspace: string, texts: Texts) => Promise<string>;
  /** The person's language. Never fails. */
  languageOf: (person: Person, workspace: string) => Promise<Language>;
  /** For pages without a known person, if the browser asks for no language that we have. */
  defaultLanguage: Language;
  log: Log;
};

/** `cookie`: undefined leaves the cookie as it is; empty deletes it. */
type Answer = { cookie?: string } & (
  | { kind: 'page'; page: Page; language: Language; ticket?: Ticket | undefined }
  | { kind: 'redirect'; url: string }
);

type Exchange = { request: IncomingMessage; response: ServerResponse };
/** `texts`: in the browser's language, until the person is known. */
type Visit = { request: IncomingMessage; query: URLSearchParams; texts: Texts };
type Route = (visit: Visit) => Promise<Answer>;

/** The pages of the sign-in. */
export function createLinkRoutes(options: LinkRoutesOptions) {
  const site = toSite(options);
  const routes: Record<string, Partial<Record<string, Route>>> = {
    '/link/start': {
      GET: (visit) => showStart(site, visit),
      HEAD: (visit) => showStart(site, visit),
      POST: (visit) => withForm(site, visit, (form) => begin(site, visit, form)),
    },
    '/link/slack/callback': { GET: (visit) => goOn(site.flow.finishSlack(toCallback(site, visit))) },
    '/link/account/callback': { GET: (visit) => goOn(site.flow.finishAccount(toCallback(site, visit))) },
    '/link/confirm': {
      GET: (visit) => review(site, visit),
      POST: (visit) => withForm(site, visit, (form) => decide(site, visit, form)),
    },
    '/link/undo': { POST: (visit) => withForm(site, visit, (form) => undo(site, visit, form)) },
  };
  return {
    /** The existing paths. Every other path under /link/ gets a page that says that there is nothing. */
    paths: Object.keys(routes),
    /** Answers every request under /link/. Never rejects. */
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { path, query } = parseTarget(request);
      const texts = textsOf(readAcceptLanguage(request.headers['accept-language']) ?? options.defaultLanguage);
      const methods = routes[path];
      const route = methods?.[request.method ?? ''];
      if (methods && !route) response.setHeader('allow', Object.keys(methods).join(', '));
      const answer = route
        ? await route({ request, query, texts }).catch((error: unknown) => toFailure(site, path, error, texts))
        : refuse(methods ? 'wrong_method' : 'not_found', texts);
      send(site, { request, response }, answer);
    },
  };
}

type Site = LinkRoutesOptions & {
  origin: string;
  isHttps: boolean;
  cookieName: string;
  say: ReturnType<typeof createSay>;
};

function toSite(options: LinkRoutesOptions): Site {
  const secure = isHttps(options.publicUrl);
  return {
    ...options,
    origin: new URL(options.publicUrl).origin,
    isHttps: secure,
    // The prefix makes browsers refuse the cookie from any other host, subdomains included; it requires https.
    cookieName: secure ? '__Host-link' : 'link',
    say: createSay(options.log),
  };
}

function parseTarget(request: IncomingMessage): { path: string; query: URLSearchParams } {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  return { path, query: new URLSearchParams(query) };
}

async function showStart(site: Site, { request, query }: Visit): Promise<Answer> {
  const ticket = query.get('ticket') ?? '';
  const intent = await site.flow.preview(ticket);
  const texts = await readTexts(site, intent.ticket);
  const page = {
    ticket,
    action: `${site.publicUrl}/link/start`,
    person: await describe(site, intent.ticket, texts),
    purpose: intent.ticket.purpose,
    channelAnswers: intent.channelAnswers,
    // Both may redirect through further hosts, such as that of a workspace or a federated directory.
    formTargets: ["'self'", 'https:', ...[site.slackOrigin, site.providerOrigin].filter((origin) => !isHttps(origin))],
  };
  // Set before the click: a browser drops the answer to the first of two clicks, with its cookie.
  const cookie = readCookie(request, site.cookieName) ?? createSecret();
  return { ...toPage(buildStartPage(page, texts), texts, intent.ticket), cookie };
}

/** For forms that change data: they must come from our own pages. */
async function withForm(
  site: Site,
  { request, texts }: Visit,
  answer: (form: URLSearchParams) => Promise<Answer>,
): Promise<Answer> {
  if (!isSameOrigin(request, site.origin)) return refuse('cross_site', texts);
  const form = await readForm(request);
  return form ? answer(form) : refuse('bad_form', texts);
}

async function begin(site: Site, { request }: Visit, form: URLSearchParams): Promise<Answer> {
  const bound = { secret: form.get('ticket') ?? '', cookie: readCookie(request, site.cookieName) ?? createSecret() };
  return goOn(site.flow.begin(bound, parseChannelAnswers(form.get('channelAnswers'))));
}

function toCallback(site: Site, { request, query }: Visit) {
  return { callback: query, cookie: readCookie(request, site.cookieName) };
}

async function goOn(step: Promise<{ url: string; cookie: string }>): Promise<Answer> {
  return { kind: 'redirect', ...(await step) };
}

/** A separate page, so that it can be reloaded and its address has no authorization code. */
async function review(site: Site, { request, query }: Visit): Promise<Answer> {
  const secret = query.get('draft');
  const pair = await site.flow.review({ secret, cookie: readCookie(request, site.cookieName) });
  const texts = await readTexts(site, pair.ticket);
  const page = {
    ...(await toShownPair(site, pair, texts)),
    action: `${site.publicUrl}/link/confirm`,
    draft: secret ?? '',
    replaced: pair.replaced,
  };
  return toPage(buildConfirmPage(page, texts), texts, pair.ticket);
}

async function decide(site: Site, { request, texts }: Visit, form: URLSearchParams): Promise<Answer> {
  const presented = { secret: form.get('draft'), cookie: readCookie(request, site.cookieName) };
  const decision = form.get('decision');
  if (decision === 'cancel') {
    const { ticket } = await site.flow.decline(presented);
    return { ...refuse('declined', await readTexts(site, ticket), ticket), cookie: '' };
  }
  if (decision !== 'connect') return refuse('bad_form', texts);
  return toEnd(site, await site.flow.confirm(presented), presented.cookie);
}

async function toEnd(site: Site, confirmation: Confirmation, cookie: string | undefined): Promise<Answer> {
  const { ticket } = confirmation.pair;
  const texts = await readTexts(site, ticket);
  const pair = await toShownPair(site, confirmation.pair, texts);
  const undo = { action: `${site.publicUrl}/link/undo`, secret: confirmation.undoSecret };
  return { ...toPage(buildLinkedPage(pair, undo, texts), texts, ticket), ...(cookie && { cookie }) };
}

async function undo(site: Site, { request, texts }: Visit, form: URLSearchParams): Promise<Answer> {
  const presented = { secret: form.get('undo'), cookie: readCookie(request, site.cookieName) };
  const ticket = await site.flow.undo(presented);
  if (!ticket) return { ...refuse('not_undone', texts), cookie: '' };
  const theirs = await readTexts(site, ticket);
  return { ...toPage(buildUndonePage(ticket.purpose, theirs), theirs, ticket), cookie: '' };
}

async function readTexts({ languageOf }: Site, { person, workspace }: Ticket): Promise<Texts> {
  return textsOf(await languageOf(person, workspace));
}

async function toShownPair(site: Site, pair: LinkPair, texts: Texts): Promise<ShownPair> {
  return {
    person: await describe(site, pair.ticket, texts),
    account: pair.accountName,
    purpose: pair.ticket.purpose,
  };
}

async function describe({ describePerson, say }: Site, { person, workspace }: Ticket, texts: Texts): Promise<string> {
  try {
    return await describePerson(person, workspace, texts);
  } catch (error) {
    say.undescribed('', { err: error });
    return person.user;
  }
}

function parseChannelAnswers(text: string | null): ChannelAnswers | undefined {
  return text === 'thread' || text === 'private' ? text : undefined;
}

function toPage(page: Page, { language }: Texts, ticket?: Ticket): Answer {
  return { kind: 'page', page, language, ticket };
}

function refuse(reason: Refusal, texts: Texts, ticket?: Ticket): Answer {
  return toPage(buildRefusalPage(reason, ticket?.purpose, texts), texts, ticket);
}

/** `texts`: for an error without a known person. */
async function toFailure(site: Site, path: string, error: unknown, texts: Texts): Promise<Answer> {
  const ticket = ticketOf(error);
  const reason = logFailure(site.say, path, error);
  // The other pages say that nothing was connected, or that all is well.
  if (path === '/link/undo') return refuse('not_undone', texts);
  return refuse(reason, ticket ? await readTexts(site, ticket) : texts, ticket);
}

/** Logs each reason once a minute, because anybody can open these pages as often as they like. */
function createSay(log: Log) {
  const everyMs = 60_000;
  return {
    misconfigured: createFaultLog(log, 'sign-in stopped by the configuration', { everyMs, level: 'error' }),
    refused: createFaultLog(log, 'sign-in refused', { everyMs, level: 'info' }),
    unavailable: createFaultLog(log, 'sign-in not possible now', { everyMs }),
    failed: createFaultLog(log, 'sign-in failed', { everyMs, level: 'error' }),
    undescribed: createFaultLog(log, 'a person could not be described for the sign-in page', { everyMs }),
  };
}

function logFailure(say: Site['say'], path: string, error: unknown): Refusal {
  const code = error instanceof BridgeError ? error.code : 'unexpected';
  const fault = faultOf(error);
  if (fault) say.misconfigured(`${code} ${fault.variable}`, { path, code, ...fault });
  if (error instanceof LinkRefusedError) {
    if (!fault) say.refused(code, { path, code, err: error.cause });
    return error.reason;
  }
  if (error instanceof TransientError) {
    if (!fault) say.unavailable(code, { path, code, err: error });
    return 'unavailable';
  }
  if (!fault) say.failed(code, { path, code, err: error });
  const isMisconfigured =
    error instanceof IdentityProviderMisconfiguredError || error instanceof SlackSignInMisconfiguredError;
  return isMisconfigured ? 'misconfigured' : 'failed';
}

function send(site: Site, { request, response }: Exchange, answer: Answer): void {
  if (response.destroyed || response.headersSent) return;
  const { cookie } = answer;
  if (cookie !== undefined) response.setHeader('set-cookie', toSetCookie(site, cookie));
  if (answer.kind === 'redirect') {
    const headers = { ...buildResponseHeaders(site.isHttps), 'referrer-policy': 'no-referrer' };
    response.writeHead(303, { ...headers, location: answer.url }).end();
    return;
  }
  // The rest of an unread request must not be parsed as the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  const { page, language, ticket } = answer;
  const { host } = new URL(site.publicUrl);
  const frame = { language, host, slackUrl: toSlackUrl(site, ticket) };
  response.writeHead(page.status, buildPageHeaders(page, site.isHttps)).end(renderPage(page, frame));
}

/** The conversation with the app, if the app is known: https://docs.slack.dev/interactivity/deep-linking */
function toSlackUrl({ slackOrigin }: Site, ticket: Ticket | undefined): string {
  if (!ticket?.app) return slackOrigin;
  const { app, workspace } = ticket;
  return `${slackOrigin}/app_redirect?${new URLSearchParams({ app, ...(workspace.startsWith('T') && { team: workspace }) })}`;
}

function toSetCookie({ cookieName, isHttps: secure }: Site, value: string): string {
  const maxAgeS = value === '' ? 0 : SIGN_IN_LIFE_MS / 1000;
  return `${cookieName}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** The secret that binds a sign-in to a browser, if it is well-formed. */
function readCookie(request: IncomingMessage, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.split('=', 2).map((part) => part.trim());
    if (key === name && isSecretShaped(value)) return value;
  }
  return undefined;
}
