import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CallbackOptions,
  type CodedError,
  ErrorCode,
  type InstallationStore,
  InstallProvider,
  type InstallURLOptions,
} from '@slack/oauth';
import { TransientError } from '../../errors.ts';
import { createFaultLog } from '../../fault-log.ts';
import type { Routes } from '../../http/public-server.ts';
import { isHttps, withoutTrailingSlash } from '../../http/web-address.ts';
import { isSameOrigin } from '../../identity/pages/form.ts';
import { buildPageHeaders, buildResponseHeaders, type Page, renderPage } from '../../identity/pages/page.ts';
import type { Log } from '../../log.ts';
import { buildClientOptions, readSlackError, SILENT } from '../web/bolt-client.ts';
import { SLACK_FAULTS } from '../web/slack-errors.ts';
import { toBotScopes } from './bot-scopes.ts';
import { buildFormPage, buildInstalledPage, buildRefusedPage, type InstallForm, PLAIN_PAGES } from './install-pages.ts';
import { createInstallState, type InstallState, STATE_LIFE_MS } from './install-state.ts';
import type { InstallationServices } from './installation-services.ts';
import { InstallRefusedError } from './oauth-installation-store.ts';

/** Slack's page to install apps has the origin of `apiUrl`. */
type InstallRoutesOptions = Omit<
  InstallationServices,
  'installations' | 'allowed' | 'callWithToken' | 'withLock' | 'onChanged' | 'purge'
> & {
  /** Accepts what Slack has installed, or throws InstallRefusedError. */
  installationStore: InstallationStore;
};

const INSTALL_PATH = '/slack/install';
const REDIRECT_PATH = '/slack/oauth_redirect';

/** Adding the app to workspaces: https://docs.slack.dev/authentication/installing-with-oauth */
export function createInstallRoutes(options: InstallRoutesOptions): Routes {
  const site = toSite(options);
  let exchanging = 0;
  return {
    [INSTALL_PATH]: async (request, response) => {
      if (request.method === 'POST') return depart(site, request, response);
      send(site, response, isReading(request) ? buildFormPage('begin', site.form) : PLAIN_PAGES.wrongMethod);
    },
    [REDIRECT_PATH]: async (request, response) => {
      // Not HEAD: it would use up the code without showing a page.
      if (request.method !== 'GET') return send(site, response, PLAIN_PAGES.wrongMethod);
      // Anybody can send a made-up code, and each costs a call to Slack.
      if (exchanging >= MAX_EXCHANGES) return send(site, response, buildFormPage('unavailable', site.form));
      exchanging += 1;
      try {
        await site.provider.handleCallback(request, response, site.callbacks);
      } finally {
        exchanging -= 1;
      }
    },
  };
}

/** At the same time. Installations are rare. */
const MAX_EXCHANGES = 5;

type Site = {
  provider: InstallProvider;
  states: InstallState;
  cookieName: string;
  callbacks: CallbackOptions;
  form: InstallForm;
  origin: string;
  wanted: InstallURLOptions;
  isHttps: boolean;
  say: Say;
};

function toSite(options: InstallRoutesOptions): Site {
  const { publicUrl, apiUrl, http, clientId, clientSecret, installationStore } = options;
  const base = withoutTrailingSlash(publicUrl);
  const secure = isHttps(base);
  const { origin } = new URL(apiUrl);
  // With this prefix browsers accept the cookie from this host only, not from sub-domains; it requires https.
  const cookieName = secure ? '__Host-install' : 'install';
  const wanted = { scopes: toBotScopes(options.hasSlackbotDoor), redirectUri: `${base}${REDIRECT_PATH}` };
  const states = createInstallState(wanted, options);
  const provider = new InstallProvider({
    clientId,
    clientSecret,
    stateStore: states,
    installationStore,
    authorizationUrl: `${origin}/oauth/v2/authorize`,
    stateCookieName: cookieName,
    clientOptions: buildClientOptions(http, apiUrl),
    logger: SILENT,
  });
  // Slack may redirect the browser to other hosts of its own, such as that of a workspace.
  const formTargets = ["'self'", 'https:', ...(isHttps(origin) ? [] : [origin])];
  const form = { action: `${base}${INSTALL_PATH}`, formTargets };
  const site = {
    provider,
    states,
    cookieName,
    form,
    origin: new URL(base).origin,
    wanted,
    isHttps: secure,
    say: createSay(options.log),
  };
  return { ...site, callbacks: toCallbacks(site) };
}

function toCallbacks(site: Omit<Site, 'callbacks'>): CallbackOptions {
  return {
    // Called after Slack has accepted the code, and before anything is stored.
    async afterInstallation(_installation, _options, request, response) {
      const isFirst = await site.states.use(readQuery(request).get('state') ?? '');
      if (!isFirst) send(site, response, buildFormPage('expired', site.form));
      return isFirst;
    },
    success(installation, _options, _request, response) {
      const { team, enterprise, isEnterpriseInstall: isOrganisation = false } = installation;
      const { id = '', name = id } = (isOrganisation ? enterprise : team) ?? {};
      send(site, response, buildInstalledPage({ workspace: id, name, isOrganisation }));
    },
    failure(error: CodedError, _options, request, response) {
      send(site, response, toFailurePage(error, { ...site, callback: readQuery(request) }));
    },
  };
}

async function depart(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Otherwise any site could send people to Slack's installation page.
  if (!isSameOrigin(request, site.origin)) return send(site, response, PLAIN_PAGES.crossSite);
  request.resume();
  const { provider, states, wanted, cookieName } = site;
  // Not provider.handleInstallPath: its cookie has no SameSite.
  const state = await states.generateStateParam(wanted, new Date());
  const location = await provider.generateInstallUrl(wanted, true, state);
  const headers = { ...buildResponseHeaders(site.isHttps), 'referrer-policy': 'no-referrer', location };
  const cookie = `${cookieName}=${state}; Path=/; Max-Age=${STATE_LIFE_MS / 1000}; HttpOnly; SameSite=Lax; Secure`;
  response.writeHead(302, { ...headers, 'set-cookie': cookie }).end();
}

function send(site: Omit<Site, 'callbacks'>, response: ServerResponse, page: Page): void {
  if (response.headersSent) return;
  response
    .writeHead(page.status, buildPageHeaders(page, site.isHttps))
    .end(renderPage(page, { language: 'en', host: new URL(site.origin).host }));
}

function readQuery({ url = '' }: IncomingMessage): URLSearchParams {
  return new URLSearchParams(url.split('?', 2)[1]);
}

function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

type Say = ReturnType<typeof createSay>;

/** Once a minute for each reason: anybody may open these pages, as often as they like. */
function createSay(log: Log) {
  const everyMs = 60_000;
  const refused = 'slack refused the installation: compare the app with its manifest';
  return {
    misconfigured: createFaultLog(log, refused, { everyMs, level: 'error' }),
    refused: createFaultLog(log, 'installation refused', { everyMs }),
    unavailable: createFaultLog(log, 'installation not possible now', { everyMs }),
    failed: createFaultLog(log, 'installation failed', { everyMs, level: 'error' }),
  };
}

/** Slack's codes for an authorization code that was used already or is too old. */
const CODE_IS_OVER = new Set(['invalid_code', 'code_already_used', 'code_expired']);

/** The page for an installation that failed. `callback`: the query that Slack sent the browser back with. */
function toFailurePage(
  error: CodedError,
  { form, callback, say }: Pick<Site, 'form' | 'say'> & { callback: URLSearchParams },
): Page {
  if (error instanceof InstallRefusedError) {
    const { workspace, reason, isRemoved } = error;
    say.refused(reason, { workspace, reason, isRemoved });
    return buildRefusedPage(error);
  }
  switch (error.code) {
    case ErrorCode.AuthorizationError:
      return buildFormPage('cancelled', form);
    case ErrorCode.MissingStateError:
      return buildFormPage('notBegun', form);
    case ErrorCode.InvalidStateError:
      return buildFormPage('expired', form);
    case ErrorCode.MissingCodeError:
      return callback.has('error')
        ? toRefused(toKnownCode(callback.get('error')), say)
        : buildFormPage('notBegun', form);
    default:
      return toPageOfCall(error, form, say);
  }
}

/** Anybody can write this parameter, so only the codes of RFC 6749 and of Slack's own pages are logged. */
function toKnownCode(code: string | null): string {
  return code !== null && CALLBACK_CODES.has(code) ? code : 'unknown';
}

const CALLBACK_CODES = new Set([
  ...['access_denied', 'invalid_request', 'invalid_scope', 'server_error', 'temporarily_unavailable'],
  ...['unauthorized_client', 'unsupported_response_type', 'unapproved_scope', 'scope_not_allowed_on_enterprise'],
]);

/** The page for a call to Slack, or to the store, that failed. */
function toPageOfCall(error: CodedError, form: InstallForm, say: Say): Page {
  const slackError = readSlackError(error);
  if (slackError !== undefined && CODE_IS_OVER.has(slackError)) return buildFormPage('expired', form);
  if (slackError !== undefined && !SLACK_FAULTS.has(slackError)) return toRefused(slackError, say);
  if (error instanceof TransientError || error.code.startsWith('slack_webapi_')) {
    say.unavailable(error.code, { code: error.code, slackError });
    return buildFormPage('unavailable', form);
  }
  say.failed(error.code, { err: error });
  return buildFormPage('failed', form);
}

function toRefused(slackError: string, say: Say): Page {
  say.misconfigured(slackError, { slackError });
  return PLAIN_PAGES.slackRefused;
}
