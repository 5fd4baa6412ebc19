/** One Web API call, from its request to its answer, with faults and limits in between. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Reply, toText } from '../../loopback/reply.ts';
import type { Fault, HookedCall } from '../faults.ts';
import type { Install } from '../installs.ts';
import { parseObject } from '../json.ts';
import type { Json } from '../records.ts';
import type { World } from '../world.ts';
import { AGENTS } from './agents.ts';
import { CHAT } from './chat.ts';
import { CHAT_STREAM } from './chat-stream.ts';
import { CONVERSATIONS } from './conversations.ts';
import { FILES } from './files.ts';
import { findWorld, requireTeam } from './find-world.ts';
import { INSTALLS } from './installs.ts';
import { missingScope } from './membership.ts';
import { type Method, SlackApiError } from './method.ts';
import { PEOPLE } from './people.ts';
import { VIEWS } from './views.ts';

export type Exchange = { request: IncomingMessage; body: string };
/** Methods that are not called with the bot token, answered elsewhere. */
export type OtherMethods = ReadonlyMap<string, (exchange: Exchange, args: Json) => Promise<Json>>;

/** `cut`: the connection is to be cut. */
export async function answerCall(
  main: World,
  name: string,
  exchange: Exchange,
  others: OtherMethods,
): Promise<Reply | 'cut'> {
  const { request, body } = exchange;
  const given = parseArguments(request.headers['content-type'] ?? '', body, request.url ?? '');
  const { install, world } = readCaller(main, request, given ?? {});
  const record = world.ledger.startCall(name, withoutSecrets(given ?? {}), install?.id);
  const call: HookedCall = { method: name, arguments: given ?? {} };
  const finish = (reply: Reply): Reply => {
    const { status, body = '' } = reply;
    world.ledger.finishCall(record, status, typeof body === 'string' ? { body } : { ...body });
    return reply;
  };

  const fault = world.faults.take(name);
  if (!(await passesBefore(world, call, fault))) return 'cut';
  const early = play(fault, false);
  if (early) return finish(early);
  const waitSeconds = world.rateLimits.check(name, given?.channel ?? given?.channel_id);
  if (waitSeconds > 0) return finish(toRateLimited(waitSeconds));

  const answer =
    given === undefined
      ? { ok: false, error: 'invalid_json' }
      : await process(world, name, { ...exchange, given, install }, others);
  call.response = answer;
  if (!(await passesAfter(world, call, fault))) return 'cut';
  // Slack says with each answer what the token may do.
  const headers = install && !install.ended && { 'x-oauth-scopes': [...world.registration.scopes].join(',') };
  return finish(play(fault, true) ?? { status: 200, ...(headers && { headers }), body: answer });
}

/** False where the connection is to be cut without anything being done. */
async function passesBefore(world: World, call: HookedCall, fault: Fault | undefined): Promise<boolean> {
  if (fault?.kind === 'delay' && !fault.after) await sleep(fault.delayMs);
  return (await world.faults.before(call)) && fault?.kind !== 'resetBeforeProcessing';
}

/** False where the answer is to be lost. */
async function passesAfter(world: World, call: HookedCall, fault: Fault | undefined): Promise<boolean> {
  const isKept = await world.faults.after(call);
  if (fault?.kind === 'delay' && fault.after) await sleep(fault.delayMs);
  return isKept && fault?.kind !== 'resetAfterProcessing';
}

function parseArguments(contentType: string, body: string, url: string): Json | undefined {
  const query = url.includes('?') ? Object.fromEntries(new URL(url, 'http://sandbox').searchParams) : {};
  if (!contentType.startsWith('application/json'))
    return { ...query, ...Object.fromEntries(new URLSearchParams(body)) };
  const parsed = body === '' ? {} : parseObject(body);
  return parsed && { ...query, ...parsed };
}

function withoutSecrets(given: Json): Json {
  if (given.token === undefined && given.client_secret === undefined) return given;
  const { token: _token, client_secret: _secret, ...rest } = given;
  return rest;
}

async function process(
  world: World,
  name: string,
  exchange: Exchange & { given: Json; install: Install | undefined },
  others: OtherMethods,
): Promise<Json> {
  try {
    const other = others.get(name);
    if (other) return await other(exchange, exchange.given);
    const install = requireInstall(world, exchange);
    if (install.isEnterprise) requireTeam(world, name, exchange.given);
    return { ok: true, ...(await run(world, name, { given: exchange.given, install })) };
  } catch (error) {
    if (error instanceof SlackApiError) return { ok: false, error: error.code, ...error.details };
    throw error;
  }
}

function readToken(request: IncomingMessage, given: Json): unknown {
  return request.headers.authorization?.replace(/^Bearer /i, '') ?? given.token;
}

/** Whose token it is, and which team it is about; the first one where no token says. */
function readCaller(main: World, request: IncomingMessage, given: Json) {
  const install = main.installs.byToken(String(readToken(request, given)));
  return { install, world: (install && findWorld(main, install, given)) ?? main };
}

function requireInstall(
  { installs }: World,
  { request, given, install }: Exchange & { given: Json; install: Install | undefined },
): Install {
  const token = readToken(request, given);
  if (token === undefined) throw new SlackApiError('not_authed');
  // App-level tokens are for `apps.connections.open` and few others.
  if (String(token).startsWith('xapp-')) throw new SlackApiError('not_allowed_token_type');
  if (!install) throw new SlackApiError(installs.isExchanged(String(token)) ? 'token_revoked' : 'invalid_auth');
  if (install.ended) throw new SlackApiError(install.ended);
  if (install.rotation && install.rotation.expiresAt < Date.now()) throw new SlackApiError('token_expired');
  return install;
}

async function run(world: World, name: string, { given, install }: { given: Json; install: Install }): Promise<Json> {
  const method = METHODS.get(name);
  if (!method) throw new SlackApiError('unknown_method', { req_method: name });
  const parsed = method.parse(given);
  if (!parsed.success) {
    const messages = parsed.error.issues.map(
      (issue) => `[ERROR] ${issue.message} [json-pointer:/${issue.path.join('/')}]`,
    );
    throw new SlackApiError('invalid_arguments', { response_metadata: { messages } });
  }
  const [needed] = method.scopes;
  if (needed !== undefined && !method.scopes.some((scope) => world.registration.scopes.has(scope)))
    throw missingScope(world, needed);
  return method.run(parsed.data as never, world, install);
}

/** What the fault answers to the call: before it is processed, or instead of its own answer. */
function play(fault: Fault | undefined, isProcessed: boolean): Reply | undefined {
  const isBroken = fault?.kind === 'status' || fault?.kind === 'html';
  if (isProcessed !== (isBroken && fault.after === true)) return undefined;
  switch (fault?.kind) {
    case 'status': {
      const retryAfter = fault.retryAfterSeconds;
      const { headers, ...text } = toText(fault.status, 'server_error');
      return {
        ...text,
        headers: { ...headers, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) },
      };
    }
    case 'html':
      return {
        status: fault.status ?? 200,
        body: '<!doctype html><title>Slack</title><h1>Something is not right</h1>',
      };
    case 'rateLimited':
      return toRateLimited(fault.retryAfterSeconds ?? 1);
    case 'slackError':
      return { status: 200, body: { ok: false, error: fault.error, ...fault.response } };
    default:
      return undefined;
  }
}

function toRateLimited(seconds: number): Reply {
  return { status: 429, headers: { 'retry-after': String(seconds) }, body: { ok: false, error: 'ratelimited' } };
}

/** Every method the sandbox knows. Another one is answered with `unknown_method`. */
const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({ ...AGENTS, ...CHAT, ...CHAT_STREAM, ...CONVERSATIONS, ...FILES, ...INSTALLS, ...PEOPLE, ...VIEWS }),
);
