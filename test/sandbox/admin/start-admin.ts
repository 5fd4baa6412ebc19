import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createFaultQueue, type TakeableFaultQueue, type TakenFault } from '../loopback/fault-queue.ts';
import { createRequestLedger, type RecordingLedger, type RequestLedger } from '../loopback/ledger.ts';
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
import type { AdminState, Agent, Allocation, Environment, Threshold } from './model.ts';
import { findEnvironmentId, findOperation, isWrite, type OperationCall } from './operations.ts';
import { parseQuery } from './query-body.ts';
import { type ProjectionStyle, type QueryAnswer, runQuery } from './run-query.ts';
import { createAdminState } from './seeds.ts';

export type AdminOptions = {
  readonly port?: number;
  /** Default: `sandbox-kim` is the token of an administrator, `sandbox-<name>` of somebody else. */
  readonly verifyToken?: VerifyToken;
  readonly environments?: readonly Environment[];
  readonly agents?: readonly Agent[];
  /** What environments of one's own have; without them none has any. The seeds have theirs. */
  readonly allocations?: readonly Allocation[];
  readonly thresholds?: readonly Threshold[];
  /** By environment id. */
  readonly entitlements?: ReadonlyMap<string, readonly object[]>;
  /** How projected properties come back; default nested. */
  readonly projection?: ProjectionStyle;
  /** Rows of a page where the query names no `Top`; default 1000. */
  readonly pageSize?: number;
  /** Whether limits can be read, which the contract does not show; default false. */
  readonly thresholdList?: boolean;
};

/** Awaited at its moment of every well-formed call; `body` is the parsed request body. */
type AdminHook = (call: OperationCall & { readonly body: unknown }) => Promise<void> | void;

export type AdminSandbox = {
  /** The `{admin_api_base_url}` of the administrative interface. */
  readonly url: string;
  readonly state: AdminState;
  readonly ledger: RequestLedger;
  readonly faults: AdminFaults;
  /** Environments about which every operation is answered so, by their ids, and nothing is done. */
  readonly failing: Map<string, AnsweredRefusal>;
  /** Awaited before an operation is carried out. Returns a function that removes the hook. */
  onCall(hook: AdminHook): () => void;
  /** Awaited after a write was carried out, before it is answered: the place for somebody else's edit. */
  onWritten(hook: AdminHook): () => void;
  close(): Promise<void>;
};

type World = {
  readonly options: AdminOptions;
  readonly verifyToken: VerifyToken;
  readonly state: AdminState;
  readonly ledger: RecordingLedger;
  readonly faults: TakeableFaultQueue<AdminFault, AdminFaultOptions>;
  readonly failing: Map<string, AnsweredRefusal>;
  readonly before: Set<AdminHook>;
  readonly written: Set<AdminHook>;
};

/** Starts the stand-in of the administrative interface on a loopback port. */
export async function startAdmin(options: AdminOptions = {}): Promise<AdminSandbox> {
  const world: World = {
    options,
    verifyToken: options.verifyToken ?? createPlainVerifier(ADMIN_SCOPE),
    state: createAdminState(options),
    ledger: createRequestLedger(),
    faults: createFaultQueue<AdminFault, AdminFaultOptions>({}),
    failing: new Map(),
    before: new Set(),
    written: new Set(),
  };
  const { url, close } = await startLoopbackServer(
    (request, response) => serve(world, request, response),
    options.port,
  );
  const { state, ledger, faults, failing, before, written } = world;
  const onCall = (hook: AdminHook) => addHook(before, hook);
  const onWritten = (hook: AdminHook) => addHook(written, hook);
  return { url, state, ledger, faults, failing, onCall, onWritten, close };
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
function answerQuery({ state, options }: World, body: unknown, fault: AdminFault | undefined): Reply {
  const checked = parseQuery(body, options.pageSize ?? 1000);
  if (!checked.ok) return buildError(400, 'BadRequest', checked.problem);
  const { value } = checked;
  const query = fault === 'repeated-row' && value.skip > 0 ? { ...value, skip: value.skip - 1 } : value;
  const answer = runQuery(state, query, options.projection ?? 'nested');
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
