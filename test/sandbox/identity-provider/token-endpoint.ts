// Around the token endpoint: the ledger, the faults before and after the grant, and the contract's required field.
import { Readable } from 'node:stream';
import type { KoaContextWithOIDC as Context } from 'oidc-provider';
import type { TakenFault } from '../loopback/fault-queue.ts';
import { type Reply, readRequestText, waitWhileConnected } from '../loopback/reply.ts';
import { resetConnection } from '../loopback/wire-faults.ts';
import { type IdentityFault, type IdentityFaultOptions, isTokenRefusal, TOKEN_REFUSALS } from './faults.ts';
import type { TokenRecord } from './ledger.ts';
import type { IdentityWorld } from './options.ts';
import { refuseClient } from './refusals.ts';

type Taken = TakenFault<IdentityFault, IdentityFaultOptions> | undefined;

export function createTokenStep(world: IdentityWorld) {
  return async (context: Context, next: () => Promise<void>): Promise<void> => {
    if (context.method !== 'POST' || context.path !== world.paths.token) return next();
    const text = (await readRequestText(context.req)) ?? '';
    replayBody(context, text);
    const form = new URLSearchParams(text);
    const record = world.ledger.addToken(buildRecord(form));
    const { res } = context;
    res.once('close', () => {
      record.closedAt = Date.now();
      if (res.writableFinished) record.sentStatus = res.statusCode;
    });
    const taken = takeFault(world, record.grantType);
    if (taken && isTokenRefusal(taken.fault)) return answer(context, TOKEN_REFUSALS[taken.fault]());
    if (record.grantType === 'authorization_code' && !record.scope) return answer(context, NO_SCOPE);
    await next();
    if (readError(context.body) === 'invalid_client') answer(context, refuseClient(world.settings, form));
    finishRecord(record, context);
    await playOddity(context, taken);
  };
}

function buildRecord(form: URLSearchParams): TokenRecord {
  const authentication = form.has('client_assertion') ? 'assertion' : form.has('client_secret') ? 'secret' : 'none';
  return {
    at: Date.now(),
    grantType: form.get('grant_type') ?? '',
    clientAuthentication: authentication,
    scope: form.get('scope') ?? undefined,
  };
}

function takeFault(world: IdentityWorld, grantType: string): Taken {
  const grant = grantType === 'refresh_token' ? 'refresh' : 'code';
  return world.faults.take((fault, { on }) => fault !== 'access-denied' && (on === undefined || on === grant));
}

const NO_SCOPE: Reply = {
  status: 400,
  body: { error: 'invalid_request', error_description: 'scope is missing; the contract lists it among the fields' },
};

function finishRecord(record: TokenRecord, context: Context): void {
  record.status = context.status;
  const person = context.oidc.account?.accountId;
  if (person !== undefined) record.person = person;
  const error = readError(context.body);
  if (error !== undefined) record.error = error;
}

function readError(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : undefined;
}

async function playOddity(context: Context, taken: Taken): Promise<void> {
  if (!taken) return;
  if (taken.fault === 'delay') await waitWhileConnected(context.res, taken.options.ms ?? 200);
  else if (taken.fault === 'reset-after-processing') {
    context.respond = false;
    resetConnection(context.res);
  }
}

function answer(context: Context, reply: Reply): void {
  context.status = reply.status;
  context.type = typeof reply.body === 'string' ? 'html' : 'json';
  context.body = reply.body;
}

// The body was read for the ledger; oidc-provider reads it again through these two members of the request.
function replayBody(context: Context, text: string): void {
  Object.defineProperty(context.req, 'readable', { value: true });
  Object.defineProperty(context.req, 'iterator', { value: () => Readable.from([Buffer.from(text)]).iterator() });
}
