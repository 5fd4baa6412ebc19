import { App, type Context, type EnvelopedEvent, type Logger, type Receiver } from '@slack/bolt';
import { PermanentError, TransientError } from '../errors.ts';
import { readConnectionFault } from '../http/connection-fault.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Log } from '../log.ts';
import type { FindInstallation, Installation } from './installation.ts';
import { readSource } from './request-source.ts';
import { buildClientOptions, SILENT } from './web/bolt-client.ts';
import type { CallWithToken } from './web/methods.ts';
import { readRefusal } from './web/slack-errors.ts';

/**
 * Where listeners are registered; `interactions` takes all payloads. Bolt runs the checks of all listeners for each
 * payload. Most payloads are messages, and most listeners are for clicks and commands: these checks made a sixth of the
 * allocations of a turn (measured). So listeners of events are kept separately, and looked up by the type of the event.
 */
export type SlackApp = { events: Events; interactions: App };

export type Events = {
  /** `listener` is called for each event of this type. If one of several throws, the event is not acknowledged. */
  event(type: string, listener: EventListener): void;
};

type EventListener = (args: { event: unknown; body: EnvelopedEvent; context: Context }) => Promise<void>;

/**
 * Posts to a `response_url`, which Slack accepts five times within 30 minutes of the command or click. False if the
 * message did not arrive. Never throws, and never logs the address.
 */
export type Respond = (responseUrl: string, message: object) => Promise<boolean>;

/** Bolt's own `respond` has no time-out. */
const TIMEOUT_MS = 10_000;

/** The addresses come from payloads and modals, so make sure that we post to Slack only. */
const SLACK_ORIGINS = ['https://hooks.slack.com', 'https://hooks.slack-gov.com'];

type BoltOptions = { findInstallation: FindInstallation; http: HttpClient; apiUrl: string; log: Log };

export function createSlackApp(options: BoltOptions): SlackApp {
  const app = createBoltApp(options);
  const listeners = new Map<string, EventListener[]>();
  app.use(async (args) => {
    // Without `next` Bolt looks for no other listener.
    if (!('event' in args)) return args.next();
    await Promise.all((listeners.get(args.event.type) ?? []).map((listen) => listen(args)));
  });
  return {
    events: { event: (type, listener) => listeners.set(type, [...(listeners.get(type) ?? []), listener]) },
    interactions: app,
  };
}

/** Asks Slack who we are. Throws a PermanentError if the token is refused, else a TransientError. Both contain advice. */
export async function readInstallation(
  botToken: string,
  { callWithToken, apiUrl }: { callWithToken: CallWithToken; apiUrl: string },
): Promise<Installation> {
  try {
    const answer = await callWithToken('auth.test', { workspace: '', botToken }, {});
    const { team_id = '', enterprise_id = '', is_enterprise_install, bot_id = '', user_id = '' } = answer;
    const team = enterprise_id || team_id;
    return { workspace: is_enterprise_install ? team : team_id, team, botToken, botId: bot_id, botUserId: user_id };
  } catch (error) {
    const refusal = readRefusal(error);
    if (refusal === undefined) throw toUnreachable(apiUrl, error);
    const sentence = `Slack does not accept SLACK_BOT_TOKEN (${refusal}). Copy it again from OAuth & Permissions → Bot User OAuth Token.`;
    throw new PermanentError('slack_sign_in', sentence, { cause: error });
  }
}

function toUnreachable(apiUrl: string, cause: unknown): TransientError {
  const fault = readConnectionFault(cause);
  // Plain http is only for loopback, where no proxy or firewall can be the cause.
  const sentence =
    fault && !apiUrl.startsWith('http:')
      ? `Slack cannot be reached at ${apiUrl} (${fault.code}; SLACK_API_URL). ${fault.advice}`
      : `Slack cannot be reached at ${apiUrl}. Check the network and SLACK_API_URL.`;
  const retryAfterMs = cause instanceof TransientError ? cause.retryAfterMs : undefined;
  return new TransientError('slack_unreachable', sentence, { cause, retryAfterMs });
}

export function createResponder({ http, apiUrl, log }: { http: HttpClient; apiUrl: string; log: Log }): Respond {
  const allowed = new Set([...SLACK_ORIGINS, new URL(apiUrl).origin]);

  return async (responseUrl, message) => {
    if (!URL.canParse(responseUrl) || !allowed.has(new URL(responseUrl).origin)) return false;
    try {
      const { status } = await http.send({
        method: 'POST',
        url: responseUrl,
        subject: 'response urls',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(message),
        totalTimeoutMs: TIMEOUT_MS,
      });
      if (status !== 200) log.warn({ status }, 'response url refused');
      return status === 200;
    } catch (error) {
      log.warn({ err: error }, 'response url not reached');
      return false;
    }
  };
}

function createBoltApp({ findInstallation, http, apiUrl, log }: BoltOptions): App {
  const app = new App({
    receiver: PASSIVE,
    convoStore: false,
    clientOptions: buildClientOptions(http, apiUrl),
    logger: toBoltLogger(log),
    // Bolt does not call it for `app_uninstalled` and `tokens_revoked`, when there may be no installation any more.
    authorize: async (_source, body) => {
      const { workspace, enterprise } = readSource(body ?? {});
      const { botToken, botId, botUserId } = await findInstallation(workspace, enterprise);
      // The team, not the organisation: Bolt adds it to every call, and some calls need it with an organisation's token.
      return { botToken, botId, botUserId, teamId: workspace };
    },
  });
  // Rethrow: if it were swallowed, the event would be acknowledged, and Slack would not resend it.
  app.error(async (error) => {
    throw 'original' in error && error.original instanceof Error ? error.original : error;
  });
  return app;
}

/** intake.ts passes the payloads to the app. */
const PASSIVE: Receiver = {
  init: () => undefined,
  start: async () => undefined,
  stop: async () => undefined,
};

/** Bolt's warnings and errors go into our log, but not its debug output, which contains payloads. */
function toBoltLogger(log: Log): Logger {
  const child = log.child({ from: 'bolt' });
  return {
    ...SILENT,
    warn: (...words) => child.warn(words.join(' ')),
    error: (...words) => child.error(words.join(' ')),
  };
}
