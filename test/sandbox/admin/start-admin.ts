import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createFaultQueue } from '../loopback/fault-queue.ts';
import { createHooks } from '../loopback/hooks.ts';
import { createRequestLedger, type LedgerEntry, type RequestLedger } from '../loopback/ledger.ts';
import { startLoopbackServer } from '../loopback/loopback-server.ts';
import { Refused, readJson, sendReply, waitWhileConnected } from '../loopback/reply.ts';
import { ADMIN_SCOPE, toAudience } from '../loopback/scopes.ts';
import { createPlainVerifier, readBearerToken, type VerifyToken } from '../loopback/token-holder.ts';
import { resetConnection } from '../loopback/wire-faults.ts';
import {
  type AdminFault,
  type AdminFaultOptions,
  type AdminFaults,
  type AdminRefusal,
  buildError,
  REFUSALS,
  toRefusal,
} from './faults.ts';
import { findEnvironmentId, findOperation, type OperationCall } from './operations.ts';
import { createAdminState, type Inventory } from './seeds.ts';

export type AdminOptions = Inventory & {
  readonly port?: number;
  /** Default: `sandbox-kim` is the token of an administrator, `sandbox-<name>` of somebody else. */
  readonly verifyToken?: VerifyToken;
  /** Whether limits can be read, which the contract does not show; default false. */
  readonly thresholdList?: boolean;
};

/** A well-formed call; `body` is the parsed request body. */
type Carried = OperationCall & { readonly body: unknown };

export type AdminSandbox = Awaited<ReturnType<typeof startAdmin>>;

type World = ReturnType<typeof createWorld>;

/** Starts the stand-in of the administrative interface on a loopback port. */
export async function startAdmin(options: AdminOptions = {}) {
  const world = createWorld(options);
  const { url, close } = await startLoopbackServer(
    (request, response) => serve(world, request, response),
    options.port,
  );
  return {
    /** The `{admin_api_base_url}` of the administrative interface. */
    url,
    state: world.state,
    ledger: world.ledger as RequestLedger,
    faults: world.faults as AdminFaults,
    /** Environments about which every operation is answered so, by their ids, and nothing is done. */
    failing: world.failing,
    /** Awaited before an operation is carried out. Returns a function that removes the hook. */
    onCall: world.before.add,
    /** Awaited after a write was carried out, before it is answered: the place for somebody else's edit. */
    onWritten: world.written.add,
    close,
  };
}

function createWorld(options: AdminOptions) {
  return {
    options,
    verifyToken: options.verifyToken ?? createPlainVerifier(ADMIN_SCOPE),
    state: createAdminState(options),
    ledger: createRequestLedger(),
    faults: createFaultQueue<AdminFault, AdminFaultOptions>({}),
    failing: new Map<string, AdminRefusal>(),
    before: createHooks<Carried>(),
    written: createHooks<Carried>(),
  };
}

async function serve(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const entry = world.ledger.record(request, response);
  response.setHeader('request-id', randomUUID());
  const { run, ...call } = findOperation(entry.method, entry.path);
  checkVersion(entry);
  await checkToken(world.verifyToken, request, entry);
  const { fault, options } = world.faults.take((_, { on }) => on === undefined || on === call.operation) ?? {};
  if (fault === 'reset') return resetConnection(response);
  const body = entry.method === 'GET' ? undefined : await readJson(request, buildError);
  entry.body = body;
  const refusal = world.failing.get(findEnvironmentId(call, body) ?? '') ?? toRefusal(fault);
  if (refusal) throw new Refused(REFUSALS[refusal](options?.retryAfterS ?? 1));
  const carried = { ...call, body };
  await world.before.run(carried);
  if (call.operation === 'list-thresholds' && !world.options.thresholdList)
    throw new Refused(buildError(404, 'NotFound', 'No such operation.'));
  const reply = run(world.state, { parts: call.parts, body, isTruncated: fault === 'truncated' });
  if (call.operation.startsWith('write-')) await world.written.run(carried);
  if (fault === 'delay') await waitWhileConnected(response, options?.ms ?? 200);
  sendReply(response, fault === 'lost-500' ? REFUSALS['500'](1) : reply);
}

export const API_VERSION = '2024-10-01';

function checkVersion({ query }: LedgerEntry): void {
  const version = query['api-version'];
  if (version === undefined)
    throw new Refused(buildError(400, 'MissingApiVersionParameter', 'api-version is missing.'));
  if (version !== API_VERSION) throw new Refused(buildError(400, 'UnsupportedApiVersion', `Use ${API_VERSION}.`));
}

/** Only a signed-in administrator: people without the role and applications of their own are refused. */
async function checkToken(verifyToken: VerifyToken, request: IncomingMessage, entry: LedgerEntry): Promise<void> {
  const challenge = { 'www-authenticate': 'Bearer realm="admin.sandbox", error="invalid_token"' };
  const token = readBearerToken(request);
  const holder = token === undefined ? undefined : await verifyToken(token);
  const scopes = holder?.scope.split(' ') ?? [];
  if (!holder || !scopes.some((scope) => scope.startsWith(toAudience(ADMIN_SCOPE)))) {
    const message = 'The token is missing, expired, or for another audience.';
    throw new Refused(buildError(401, 'Unauthorized', message, challenge));
  }
  entry.subject = holder.subject;
  const isAdministrator = holder.isAppOnly !== true && holder.roles?.includes('admin') === true;
  if (!scopes.includes(ADMIN_SCOPE) || !isAdministrator)
    throw new Refused(buildError(403, 'Forbidden', 'A signed-in administrator is required.'));
}
