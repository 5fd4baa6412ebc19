import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CallbackOptions,
  type CodedError,
  ErrorCode,
  type InstallationStore,
  InstallProvider,
  type StateStore,
} from '@slack/oauth';
import { TransientError } from '../../errors.ts';
import type { HttpClient } from '../../http/http-client.ts';
import type { Routes } from '../../http/public-server.ts';
import { isHttps, withoutTrailingSlash } from '../../http/web-address.ts';
import { toSafeCode } from '../../identity/identity-errors.ts';
import { isSameOrigin } from '../../identity/pages/form.ts';
import { buildPageHeaders, buildResponseHeaders, type Page, renderPage } from '../../identity/pages/page.ts';
import type { Log } from '../../log.ts';
import { buildClientOptions, readSlackError, SILENT } from '../web/bolt-client.ts';
import { SLACK_FAULTS } from '../web/slack-errors.ts';
import { BOT_SCOPES } from './bot-scopes.ts';
import {
  buildCancelledPage,
  buildExpiredPage,
  buildFailedPage,
  buildInstalledPage,
  buildInstallPage,
  buildNotBegunPage,
  buildRefusedPage,
  buildUnavailablePage,
  CROSS_SITE_PAGE,
  type InstallForm,
  SLACK_REFUSED_PAGE,
  WRONG_METHOD_PAGE,
} from './install-pages.ts';
import { InstallRefusedError, STATE_LIFE_MS } from './oauth-installation-store.ts';

export type InstallRoutesOptions = {
  publicUrl: string;
  /** SLACK_API_URL with its slash at the end. Slack's page to install apps has the same origin. */
  apiUrl: string;
  http: HttpClient;
  clientId: string;
  clientSecret: string;
  stateStore: StateStore;
  /** Accepts what Slack has installed, or throws InstallRefusedError. */
  installationStore: InstallationStore;
  log: Log;
};

const INSTALL_PATH = '/slack/install';
const REDIRECT_PATH = '/slack/oauth_redirect';

/** Adding the app to workspaces: https://docs.slack.dev/authentication/installing-with-oauth */
export function createInstallRoutes(options: InstallRoutesOptions): Routes {
  const site = toSite(options);
  return {
    [INSTALL_PATH]: async (request, response) => {
      if (request.method === 'POST') return depart(site, request, response);
      send(site, response, isReading(request) ? buildInstallPage(site.form) : WRONG_METHOD_PAGE);
    },
    [REDIRECT_PATH]: async (request, response) => {
      // Not HEAD: it would use up the code without showing a page.
      if (request.method === 'GET') return site.provider.handleCallback(request, response, site.callbacks);
      send(site, response, WRONG_METHOD_PAGE);
    },
  };
}

type Site = {
  provider: InstallProvider;
  stateStore: StateStore;
  cookieName: string;
  callbacks: CallbackOptions;
  form: InstallForm;
  origin: string;
  redirectUri: string;
  isHttps: boolean;
  log: Log;
};

function toSite(options: InstallRoutesOptions): Site {
  const { publicUrl, apiUrl, http, clientId, clientSecret, stateStore, installationStore, log } = options;
  const base = withoutTrailingSlash(publicUrl);
  const secure = isHttps(base);
  const { origin } = new URL(apiUrl);
  // With this prefix browsers accept the cookie from this host only, not from sub-domains; it requires https.
  const cookieName = secure ? '__Host-install' : 'install';
  const provider = new InstallProvider({
    clientId,
    clientSecret,
    stateStore,
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
    stateStore,
    cookieName,
    form,
    origin: new URL(base).origin,
    redirectUri: `${base}${REDIRECT_PATH}`,
    isHttps: secure,
    log,
  };
  return { ...site, callbacks: toCallbacks(site) };
}

function toCallbacks(site: Omit<Site, 'callbacks'>): CallbackOptions {
  return {
    success(installation, _options, _request, response) {
      const { team, enterprise, isEnterpriseInstall: isOrganisation = false } = installation;
      const { id = '', name = id } = (isOrganisation ? enterprise : team) ?? {};
      send(site, response, buildInstalledPage({ workspace: id, name, isOrganisation }));
    },
    failure(error: CodedError, _options, request, response) {
      send(site, response, toFailurePage(error, { form: site.form, callback: readQuery(request), log: site.log }));
    },
  };
}

async function depart(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Otherwise any site could send people to Slack's installation page.
  if (!isSameOrigin(request, site.origin)) return send(site, response, CROSS_SITE_PAGE);
  request.resume();
  const { provider, stateStore, redirectUri, cookieName } = site;
  const wanted = { scopes: BOT_SCOPES, redirectUri };
  try {
    // Not provider.handleInstallPath: its cookie has no SameSite.
    const state = await stateStore.generateStateParam(wanted, new Date());
    const location = await provider.generateInstallUrl(wanted, true, state);
    const headers = { ...buildResponseHeaders(site.isHttps), 'referrer-policy': 'no-referrer', location };
    const cookie = `${cookieName}=${state}; Path=/; Max-Age=${STATE_LIFE_MS / 1000}; HttpOnly; SameSite=Lax; Secure`;
    response.writeHead(302, { ...headers, 'set-cookie': cookie }).end();
  } catch {
    // Only writing the state can fail.
    site.log.warn('installation not begun: the store is not available');
    send(site, response, buildUnavailablePage(site.form));
  }
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

/** Slack's codes for an authorization code that was used already or is too old. */
const CODE_IS_OVER = new Set(['invalid_code', 'code_already_used', 'code_expired']);

/** The page for an installation that failed. `callback`: the query that Slack sent the browser back with. */
function toFailurePage(
  error: CodedError,
  { form, callback, log }: { form: InstallForm; callback: URLSearchParams; log: Log },
): Page {
  if (error instanceof InstallRefusedError) {
    const { workspace, reason, isRemoved } = error;
    log.warn({ workspace, reason, isRemoved }, 'installation refused');
    return buildRefusedPage(error);
  }
  switch (error.code) {
    case ErrorCode.AuthorizationError:
      return buildCancelledPage(form);
    case ErrorCode.MissingStateError:
      return buildNotBegunPage(form);
    case ErrorCode.InvalidStateError:
      return buildExpiredPage(form);
    case ErrorCode.MissingCodeError:
      return callback.has('error') ? toRefused(toSafeCode(callback.get('error')), log) : buildNotBegunPage(form);
    default:
      return toPageOfCall(error, form, log);
  }
}

/** A call to Slack failed, or the store did. */
function toPageOfCall(error: CodedError, form: InstallForm, log: Log): Page {
  const slackError = readSlackError(error);
  if (slackError !== undefined && CODE_IS_OVER.has(slackError)) return buildExpiredPage(form);
  if (slackError !== undefined && !SLACK_FAULTS.has(slackError)) return toRefused(slackError, log);
  if (error instanceof TransientError || error.code.startsWith('slack_webapi_')) {
    log.warn({ code: error.code, slackError }, 'installation not possible now');
    return buildUnavailablePage(form);
  }
  log.error({ err: error }, 'installation failed');
  return buildFailedPage(form);
}

function toRefused(slackError: string, log: Log): Page {
  log.error({ slackError }, 'slack refused the installation: compare the app with its manifest');
  return SLACK_REFUSED_PAGE;
}
