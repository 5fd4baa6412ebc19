import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { HTTPModuleFunctions, isRawBodyError } from '@slack/bolt';
import { z } from 'zod';
import { TransientError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { BoltApps } from './bolt-app.ts';
import { UnknownWorkspaceError } from './installation.ts';
import type { IntakeWatch, Refusal } from './intake-watch.ts';

type Payload = Record<string, unknown>;

/** The parsed body; or why the request is refused, and with which status. */
type Reading = { body: Payload } | { status: number; reason: Refusal };

/**
 * Called after every request with its type (`message`, `command`, `block_actions` …; `other` if it is no payload), the
 * status of the answer, and how long it took (ms).
 */
export type OnAnswered = (type: string, status: number, ms: number) => void;

/** Answers a click or command without a listener, and returns the acknowledgement. Must not throw. */
type AnswerRetired = (body: Payload) => object | undefined;

/** Larger than anything Slack sends, far smaller than what would hurt. */
const BODY_LIMIT_BYTES = 1024 * 1024;

/**
 * Passes Slack's requests to Bolt, and acknowledges them only after the listeners are done. Bolt's own receiver accepts
 * timestamps in the future, holds unknown payloads for three seconds, and crashes on a body of `null`.
 */
export class SlackReceiver {
  readonly #signingSecret: string;
  readonly #apps: BoltApps;
  readonly #log: Log;
  readonly #answerRetired: AnswerRetired;
  readonly #onAnswered: OnAnswered;
  readonly #watch: IntakeWatch;

  constructor(options: {
    signingSecret: string;
    apps: BoltApps;
    log: Log;
    answerRetired: AnswerRetired;
    onAnswered?: OnAnswered;
    watch: IntakeWatch;
  }) {
    this.#signingSecret = options.signingSecret;
    this.#apps = options.apps;
    this.#log = options.log;
    this.#answerRetired = options.answerRetired;
    this.#onAnswered = options.onAnswered ?? (() => undefined);
    this.#watch = options.watch;
  }

  /** Answers a request from Slack. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begunAt = performance.now();
    const type = await this.#answer(request, response);
    this.#onAnswered(type, response.statusCode, performance.now() - begunAt);
  }

  /** Returns what the request was. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<string> {
    const reading = await this.#read(request);
    if ('reason' in reading) this.#refuse(response, reading.status, reading.reason);
    else if (reading.body.ssl_check === '1') end(response, 200);
    else {
      const { body } = reading;
      this.#watch.arrived(toArrival(body), readHost(request.headers));
      if (body.type === 'url_verification') endWith(response, { challenge: body.challenge });
      else if (body.type === 'app_rate_limited') return this.#noteRateLimit(response, body);
      else if (!isSlackPayload(body)) this.#refuse(response, 400, 'payload');
      else {
        await this.#process(request, response, body);
        return toType(body);
      }
    }
    return 'other';
  }

  /** Slack drops our events for a minute: https://docs.slack.dev/apis/events-api/#rate_limiting */
  #noteRateLimit(response: ServerResponse, { minute_rate_limited, team_id }: Payload): string {
    this.#log.warn({ minute_rate_limited, team: team_id }, 'slack drops events: there are too many');
    end(response, 200);
    return 'app_rate_limited';
  }

  #refuse(response: ServerResponse, status: number, reason: Refusal): void {
    this.#watch.refused(reason);
    // The rest of the body is not read, so the connection cannot be used for another request.
    if (reason === 'too_large') response.setHeader('connection', 'close');
    end(response, status);
  }

  /** The parsed body of a request that Slack has signed just now; else why it is refused. */
  async #read(request: IncomingMessage): Promise<Reading> {
    const { headers } = request;
    if (request.method !== 'POST') return { status: 405, reason: 'method' };
    // Checked before the body is buffered. Only Slack's certificate check has no timestamp, and it is short.
    if (!isShort(headers) && !isCurrent(headers)) return unsigned(headers);
    try {
      const buffered = await HTTPModuleFunctions.bufferIncomingMessage(request, BODY_LIMIT_BYTES);
      if (isCertificateCheck(buffered.rawBody)) return { body: { ssl_check: '1' } };
      if (!isCurrent(headers) || !isSignedBySlack(this.#signingSecret, headers, buffered.rawBody)) {
        return unsigned(headers);
      }
      const body: unknown = parse(() => HTTPModuleFunctions.parseHTTPRequestBody(buffered));
      const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
      return isObject ? { body: body as Payload } : { status: 400, reason: 'payload' };
    } catch (error) {
      const isTooLarge = isRawBodyError(error) && error.statusCode === 413;
      return isTooLarge ? { status: 413, reason: 'too_large' } : { status: 400, reason: 'unreadable' };
    }
  }

  /** Slack resends an event after 503 and 500. It never resends clicks and commands: their listeners answer errors. */
  #toStatus(error: unknown): number {
    if (error instanceof TransientError) return 503;
    if (isUnknownWorkspace(error)) {
      this.#watch.refused('unknown_workspace');
      return 403;
    }
    this.#log.error({ err: error }, 'listener failed');
    return 500;
  }

  async #process(request: IncomingMessage, response: ServerResponse, body: Payload): Promise<void> {
    let acknowledgement: unknown;
    let isAcknowledged = false;
    const ack = async (answer: unknown) => {
      acknowledgement = answer;
      isAcknowledged = true;
    };
    const app = 'event' in body ? this.#apps.events : this.#apps.interactions;
    try {
      await app.processEvent({
        body,
        ack,
        retryNum: HTTPModuleFunctions.extractRetryNumFromHTTPRequest(request),
        retryReason: HTTPModuleFunctions.extractRetryReasonFromHTTPRequest(request),
      });
    } catch (error) {
      return end(response, this.#toStatus(error));
    }
    // Not for events, which nobody waits for.
    if (!isAcknowledged && !('event' in body)) acknowledgement = this.#answerRetired(body);
    HTTPModuleFunctions.buildContentResponse(response, acknowledgement as string | object | undefined);
  }
}

function toArrival(body: Payload) {
  if ('event' in body) return 'event';
  return body.type === 'url_verification' ? 'url_verification' : 'signed';
}

function toType({ type, command, event }: Payload): string {
  if (typeof command === 'string') return 'command';
  const isEvent = typeof event === 'object' && event !== null && 'type' in event;
  return String(isEvent ? event.type : type);
}

/** Why a request is refused that is not signed correctly. */
function unsigned(headers: IncomingHttpHeaders): Reading {
  if (!claimsToBeSigned(headers)) return { status: 401, reason: 'no_signature' };
  return { status: 401, reason: isCurrent(headers) ? 'signature' : 'stale' };
}

/** The host name that Slack sent it to, if proxies pass it on. */
function readHost({ host, 'x-forwarded-host': forwarded }: IncomingHttpHeaders): string {
  return String(forwarded ?? host ?? '');
}

const SHORT_BYTES = 1_000;

function isShort(headers: IncomingHttpHeaders): boolean {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) < SHORT_BYTES;
}

/** Slack's check of our TLS certificate is not signed; we answer it, and use nothing of it. */
function isCertificateCheck(body: Buffer): boolean {
  return body.length < SHORT_BYTES && new URLSearchParams(body.toString()).get('ssl_check') === '1';
}

/** Bolt wraps what `authorize` throws. */
function isUnknownWorkspace(error: unknown): boolean {
  if (error instanceof UnknownWorkspaceError) return true;
  return error instanceof Error && 'original' in error && error.original instanceof UnknownWorkspaceError;
}

function parse(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

function endWith(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/**
 * Whether Slack signed this body: https://docs.slack.dev/authentication/verifying-requests-from-slack. Bolt's own check
 * computes two more signatures for the comparison, which costs ten times as much.
 */
export function isSignedBySlack(signingSecret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const [version, digest = ''] = String(headers['x-slack-signature']).split('=');
  const given = Buffer.from(digest, 'hex');
  const expected = createHmac('sha256', signingSecret)
    .update(`v0:${headers['x-slack-request-timestamp']}:`)
    .update(body)
    .digest();
  return version === 'v0' && given.length === expected.length && timingSafeEqual(given, expected);
}

/** Whether it has the headers that Slack sends with each request, right or wrong. */
function claimsToBeSigned(headers: IncomingHttpHeaders): boolean {
  const isTime = /^\d{1,12}$/.test(String(headers['x-slack-request-timestamp']));
  return isTime && /^v0=[0-9a-f]{64}$/i.test(String(headers['x-slack-signature']));
}

/** In both directions: an old request may be a replay, and one from the future could be replayed later. */
const REPLAY_WINDOW_S = 5 * 60;

export function isCurrent(headers: IncomingHttpHeaders): boolean {
  const seconds = Number(headers['x-slack-request-timestamp']);
  return Number.isInteger(seconds) && Math.abs(Date.now() / 1000 - seconds) <= REPLAY_WINDOW_S;
}

/** Slack's ids: https://docs.slack.dev/reference/objects */
const id = z.string().regex(/^[A-Z0-9]{2,30}$/);

/** The fields that each kind of payload must have before Bolt gets it; the listeners check the rest. */
const event = z
  .object({
    event: z.object({ type: z.string() }),
    // Events of a whole organisation name its enterprise and no team.
    team_id: id.nullish(),
    enterprise_id: id.nullish(),
    event_id: z.string(),
    authorizations: z.array(z.object({})).optional(),
  })
  .refine(({ team_id, enterprise_id }) => team_id ?? enterprise_id);

const command = z.object({
  command: z.string().startsWith('/'),
  team_id: id,
  user_id: id,
  channel_id: id,
  trigger_id: z.string(),
  text: z.string(),
});

const interaction = z.object({
  type: z.enum(['block_actions', 'message_action', 'shortcut', 'view_submission', 'view_closed', 'block_suggestion']),
  user: z.object({ id }),
  team: z.object({ id }).nullable(),
});

/** By block and action: typed text. Chosen options are not checked here. */
const values = z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() })));

const view = z.object({
  view: z.object({
    id: z.string(),
    callback_id: z.string(),
    private_metadata: z.string().optional(),
    state: z.object({ values }).optional(),
  }),
});

const actions = z.object({
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })).nonempty(),
});

const shortcut = z.object({ callback_id: z.string(), trigger_id: z.string() });

const messageShortcut = shortcut.extend({
  channel: z.object({ id }),
  message: z.object({ ts: z.string() }),
});

/** Whether this is a payload of Slack, complete enough for Bolt. */
function isSlackPayload(body: Record<string, unknown>): boolean {
  if ('event' in body) return event.safeParse(body).success;
  if ('command' in body) return command.safeParse(body).success;
  if (!interaction.safeParse(body).success) return false;
  if (body.type === 'block_actions') return actions.safeParse(body).success;
  if (body.type === 'view_submission' || body.type === 'view_closed') return view.safeParse(body).success;
  if (body.type === 'message_action') return messageShortcut.safeParse(body).success;
  return body.type === 'block_suggestion' || shortcut.safeParse(body).success;
}
