import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createFaultQueue, type TakenFault } from '../loopback/fault-queue.ts';
import { createRequestLedger, type RequestLedger } from '../loopback/ledger.ts';
import { startLoopbackServer } from '../loopback/loopback-server.ts';
import { type Reply, sendReply, waitWhileConnected } from '../loopback/reply.ts';
import { ADMIN_SCOPE } from '../loopback/scopes.ts';
import { createPlainVerifier, type VerifyToken } from '../loopback/token-holder.ts';
import { resetConnection } from '../loopback/wire-faults.ts';
import { checkToken, checkVersion, readBody } from './admission.ts';
import {
  type AdminFault,
  type AdminFaultOptions,
  type AdminFaults,
  type AnsweredRefusal,
  buildError,
  isAnswered,
  REFUSALS,
} from './faults.ts';
import { listThresholds, readAllocation, readEntitlements, writeAllocation, writeThreshold } from './licensing.ts';
import { findEnvironmentId, findOperation, isWrite, type OperationCall } from './operations.ts';
import { parseQuery } from './query-body.ts';
import { type QueryAnswer, runQuery } from './run-query.ts';
import { createAdminState, type Inventory } from './seeds.ts';

export type AdminOptions = Inventory & {
  readonly port?: number;
  /** Default: `sandbox-kim` is the token of an administrator, `sandbox-<name>` of somebody else. */
  readonly verifyToken?: VerifyToken;
  /** Whether limits can be read, which the contract does not show; default false. */
  readonly thresholdList?: boolean;
};

/** Awaited at its moment of every well-formed call; `body` is the parsed request body. */
type AdminHook = (call: OperationCall & { readonly body: unknown }) => Promise<void> | void;

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
    onCall: (hook: AdminHook) => addHook(world.before, hook),
    /** Awaited after a write was carried out, before it is answered: the place for somebody else's edit. */
    onWritten: (hook: AdminHook) => addHook(world.written, hook),
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
    failing: new Map<string, AnsweredRefusal>(),
    before: new Set<AdminHook>(),
    written: new Set<AdminHook>(),
  };
}

function addHook(hooks: Set<AdminHook>, hook: AdminHook): () => void {
  hooks.add(hook);
  return () => {
    hooks.delete(hook);
  };
}

async function serve(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const entry = world.ledger.record(request, response);
  response.setHeader('request-id', randomUUID());
  const call = findOperation(entry.method, entry.path);
  if (typeof call === 'number') return sendReply(response, buildError(call, 'NotFound', 'No such operation.'));
  const refused = checkVersion(entry) ?? (await checkToken(world.verifyToken, request, entry));
  if (refused) return sendReply(response, refused);
  const taken = world.faults.take((_fault, { on }) => on === undefined || on === call.operation);
  if (taken?.fault === 'reset') return resetConnection(response);
  const body = await readBody(request, entry);
  if (!body.ok) return sendReply(response, body.reply);
  const failure = world.failing.get(findEnvironmentId(call, body.value) ?? '');
  if (failure) return sendReply(response, REFUSALS[failure](1));
  if (taken && isAnswered(taken.fault)) {
    return sendReply(response, REFUSALS[taken.fault](taken.options.retryAfterS ?? 1));
  }
  for (const hook of world.before) await hook({ ...call, body: body.value });
  const reply = carryOut(world, call, { body: body.value, fault: taken?.fault });
  if (isWrite(call.operation) && reply.status === 200) {
    for (const hook of world.written) await hook({ ...call, body: body.value });
  }
  await sendOdd(response, reply, taken);
}

type Asked = { readonly body: unknown; readonly fault: AdminFault | undefined };

function carryOut(world: World, { operation, parts }: OperationCall, { body, fault }: Asked): Reply {
  const { state, options } = world;
  const [first = ''] = parts;
  switch (operation) {
    case 'query':
      return answerQuery(world, body, fault);
    case 'read-allocation':
      return readAllocation(state, first);
    case 'write-allocation':
      return writeAllocation(state, body);
    case 'read-entitlements':
      return readEntitlements(state, first);
    case 'write-threshold':
      return writeThreshold(state, parts, body);
    case 'list-thresholds':
      return options.thresholdList ? listThresholds(state, first) : buildError(404, 'NotFound', 'No such operation.');
  }
}

// Rows without a total order can come twice: once at the end of a page, once at the start of the next.
function answerQuery({ state }: World, body: unknown, fault: AdminFault | undefined): Reply {
  const checked = parseQuery(body);
  if (!checked.ok) return buildError(400, 'BadRequest', checked.problem);
  const { value } = checked;
  const query = fault === 'repeated-row' && value.skip > 0 ? { ...value, skip: value.skip - 1 } : value;
  const answer = runQuery(state, query);
  return { status: 200, body: fault === 'truncated' ? truncate(answer, value.skip) : answer };
}

// As where a service gives up half-way: it says that there is more, and has no more to give.
function truncate(answer: QueryAnswer, skip: number): QueryAnswer {
  const data = skip > 0 ? [] : answer.data.slice(0, Math.ceil(answer.data.length / 2));
  return { ...answer, count: data.length, resultTruncated: 1, data };
}

async function sendOdd(
  response: ServerResponse,
  reply: Reply,
  taken: TakenFault<AdminFault, AdminFaultOptions> | undefined,
): Promise<void> {
  if (taken?.fault === 'reset-after-processing') return resetConnection(response);
  if (taken?.fault === 'lost-500') return sendReply(response, REFUSALS['500'](1));
  if (taken?.fault === 'delay') await waitWhileConnected(response, taken.options.ms ?? 200);
  sendReply(response, reply);
}
