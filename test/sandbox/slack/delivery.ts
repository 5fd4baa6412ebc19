/** Sends to the app as Slack does: posted and signed, or over Socket Mode, answered within 3 s, events again on a schedule. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Post, PostAnswer } from './http-post.ts';
import type { DeliveryKind, LedgerWriter } from './ledger.ts';
import type { Json } from './records.ts';
import type { SocketMode } from './socket-mode/socket-mode.ts';

/** Waits in ms before each repeated try. `documented` is Slack's: at once, after 1 min, after 5 min. */
export type RetrySchedule = readonly number[] | 'none' | 'documented';

export type DeliverOptions = {
  /** How the body is sent; `event` (JSON) unless told otherwise. */
  kind?: DeliveryKind;
  signature?: 'valid' | 'none' | 'wrong';
  /** Moves the signed timestamp: negative is stale, positive is in the future. */
  timestampOffsetSeconds?: number;
  contentType?: string;
  headers?: Record<string, string>;
  retry?: RetrySchedule;
};

/** Of the last try. */
export type DeliveryResult = Pick<PostAnswer, 'status' | 'body' | 'error'> & {
  /** The app answered 2xx. */
  ok: boolean;
  attempts: number;
  /** How long the last try took. */
  ms: number;
};

type Outgoing = {
  kind: DeliveryKind;
  type: string;
  payloadId: string;
  payload: Json | string;
  options?: DeliverOptions;
  /** Where it is posted instead of the app's usual way. */
  url?: string;
  /** How long the app has to answer, where that is not `ackTimeoutMs`. */
  timeoutMs?: number;
};

export type Delivery = ReturnType<typeof createDelivery>;

type DeliverySettings = {
  eventsUrl: () => string | undefined;
  /** What everything goes over instead, where the app uses Socket Mode. */
  socketMode: () => Pick<SocketMode, 'send'> | undefined;
  signingSecret: string;
  /** Slack waits 3 s: https://docs.slack.dev/apis/events-api */
  ackTimeoutMs: number;
  retry: RetrySchedule;
  ledger: LedgerWriter;
  post: Post;
};

const DOCUMENTED_MS = [0, 60_000, 300_000];
const FORM = 'application/x-www-form-urlencoded';

export function createDelivery(settings: DeliverySettings) {
  const closing = new AbortController();

  async function attempt(outgoing: Outgoing, body: string, retry: { number: number; reason: string } | undefined) {
    const record = settings.ledger.startDelivery({
      delivery: outgoing.kind,
      type: outgoing.type,
      payloadId: outgoing.payloadId,
      payload: outgoing.payload,
      attempt: (retry?.number ?? 0) + 1,
    });
    const startedAt = performance.now();
    const answer = await transmit(outgoing, body, retry);
    record.ms = performance.now() - startedAt;
    Object.assign(record, answer.error ? { error: answer.error } : { status: answer.status, reply: answer.body });
    settings.ledger.finished();
    return { answer, ms: record.ms };
  }

  function transmit(outgoing: Outgoing, body: string, retry: { number: number; reason: string } | undefined) {
    const socketMode = settings.socketMode();
    if (socketMode && outgoing.url === undefined) {
      const reason = retry?.reason === 'http_timeout' ? 'timeout' : retry?.reason;
      const told = retry && { number: retry.number, reason: reason ?? '' };
      return socketMode.send({ ...outgoing, retry: told }, settings.ackTimeoutMs);
    }
    const url = outgoing.url ?? settings.eventsUrl();
    if (url === undefined) throw new Error('No app is connected: call slack.connectApp(url) first.');
    const headers = buildHeaders(outgoing, body, settings.signingSecret);
    if (retry)
      Object.assign(headers, { 'x-slack-retry-num': String(retry.number), 'x-slack-retry-reason': retry.reason });
    return settings.post.send(url, body, { headers, timeoutMs: outgoing.timeoutMs ?? settings.ackTimeoutMs });
  }

  return {
    /** Nothing is tried again after this. */
    close: () => closing.abort(),
    async send(outgoing: Outgoing): Promise<DeliveryResult> {
      const body = toBody(outgoing);
      const waits = outgoing.kind === 'event' ? toWaits(outgoing.options?.retry ?? settings.retry) : [];
      let tried = await attempt(outgoing, body, undefined);
      let attempts = 1;
      for (const wait of waits) {
        if (isSettled(tried.answer)) break;
        await sleep(wait, undefined, { signal: closing.signal }).catch(() => undefined);
        if (closing.signal.aborted) break;
        tried = await attempt(outgoing, body, { number: attempts, reason: tried.answer.error ?? 'http_error' });
        attempts += 1;
      }
      const { status, body: answered, error } = tried.answer;
      return { ok: isOk(tried.answer), status, body: answered, error, attempts, ms: tried.ms };
    },
  };
}

function toBody(outgoing: Outgoing): string {
  const { payload, kind } = outgoing;
  if (typeof payload === 'string') return payload;
  if (kind === 'command') return new URLSearchParams(payload as Record<string, string>).toString();
  if (kind === 'interaction') return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  return JSON.stringify(payload);
}

function buildHeaders(outgoing: Outgoing, body: string, secret: string): Record<string, string> {
  const options = outgoing.options ?? {};
  const isForm = outgoing.kind === 'command' || outgoing.kind === 'interaction';
  const headers: Record<string, string> = {
    // Bolt takes a form for JSON as soon as a charset is appended, so nothing is.
    'content-type': options.contentType ?? (isForm ? FORM : 'application/json'),
    'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
    accept: '*/*',
  };
  if (options.signature !== 'none') {
    const timestamp = Math.floor(Date.now() / 1000) + (options.timestampOffsetSeconds ?? 0);
    const key = options.signature === 'wrong' ? `${secret} but wrong` : secret;
    headers['x-slack-request-timestamp'] = String(timestamp);
    headers['x-slack-signature'] = sign(key, timestamp, body);
  }
  return { ...headers, ...options.headers };
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
function sign(secret: string, timestampSeconds: number, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestampSeconds}:${body}`).digest('hex')}`;
}

function toWaits(schedule: RetrySchedule): readonly number[] {
  if (schedule === 'none') return [];
  return schedule === 'documented' ? DOCUMENTED_MS : schedule;
}

function isOk({ status = 0 }: PostAnswer): boolean {
  return status >= 200 && status < 300;
}

function isSettled(answer: PostAnswer): boolean {
  return isOk(answer) || answer.headers['x-slack-no-retry'] === '1';
}
