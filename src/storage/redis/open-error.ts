import { ConnectionTimeoutError, ErrorReply, ReconnectStrategyError, SocketTimeoutError } from 'redis';
import { PermanentError, StoreUnavailableError } from '../../errors.ts';

/** What an operator reads where Redis cannot be used: one sentence on what is wrong, one on what to do. */
export function toOpenError(url: string, error: unknown): PermanentError {
  if (error instanceof PermanentError) return error;
  const cause = toCause(error);
  return new PermanentError('store_not_opened', toSentence(cause)(new URL(url).host), { cause });
}

/** What the client, or our connection, has wrapped. */
function toCause(error: unknown): unknown {
  if (error instanceof ReconnectStrategyError) return error.originalError;
  return error instanceof StoreUnavailableError ? (error.cause ?? error) : error;
}

const SILENCES = [ConnectionTimeoutError, SocketTimeoutError, StoreUnavailableError];

function toSentence(error: unknown): Sentence {
  if (SILENCES.some((silence) => error instanceof silence)) return SILENT;
  if (!(error instanceof ErrorReply)) return UNREACHABLE;
  const code = error.message.split(' ', 1)[0] ?? '';
  return SENTENCES[code] ?? ((host) => refusing(host, code));
}

/** `host` is without the name and password that the address may carry. */
type Sentence = (host: string) => string;

const UNREACHABLE: Sentence = (host) =>
  `Redis at ${host} (REDIS_URL) cannot be reached. Start it, or name one that runs; behind TLS its address begins with rediss://.`;

const SILENT: Sentence = (host) =>
  `Redis at ${host} (REDIS_URL) does not answer. See whether it runs, whether it speaks TLS (rediss://) or not (redis://), and what stands between.`;

const WRONG_USER: Sentence = (host) =>
  `Redis at ${host} (REDIS_URL) refuses the name or password. Put them into the address: redis://name:password@host:port.`;

/** By the first word of what Redis answers, which is its code. */
const SENTENCES: Record<string, Sentence> = {
  NOAUTH: WRONG_USER,
  WRONGPASS: WRONG_USER,
  NOPERM: (host) =>
    `The user in REDIS_URL may not do all that is needed on ${host}. Allow them all commands on the keys and channels bridge:*.`,
  ERR: (host) => `Redis at ${host} (REDIS_URL) does not understand us. Use Redis 7 or later, or Valkey.`,
};

/** LOADING, OOM, MISCONF, NOREPLICAS, READONLY and others: https://redis.io/docs/latest/develop/reference/protocol-spec */
function refusing(host: string, code: string): string {
  return `Redis at ${host} (REDIS_URL) cannot be used now and answers ${code}. See its log, mend that, then start again.`;
}
