// The operations of the contract: the path of each, and what it does.
import { Refused, type Reply } from '../loopback/reply.ts';
import { buildError } from './faults.ts';
import { listThresholds, readAllocation, readEntitlements, writeAllocation, writeThreshold } from './licensing.ts';
import type { AdminState } from './model.ts';
import { answerQuery } from './run-query.ts';

type Asked = { readonly parts: readonly string[]; readonly body: unknown; readonly isTruncated: boolean };

type Route = {
  readonly operation: string;
  readonly method: string;
  readonly path: RegExp;
  run(state: AdminState, asked: Asked): Reply;
};

const ENVIRONMENT = '/licensing/environments/([^/]+)';

const ROUTES = [
  {
    operation: 'query',
    method: 'POST',
    path: /^\/resourcequery\/resources\/query$/,
    run: (state, { body, isTruncated }) => answerQuery(state, body, isTruncated),
  },
  {
    operation: 'write-allocation',
    method: 'PATCH',
    path: /^\/licensing\/allocationsByEnvironment$/,
    run: (state, { body }) => writeAllocation(state, body),
  },
  {
    operation: 'read-allocation',
    method: 'GET',
    path: /^\/licensing\/allocationsByEnvironment\/([^/]+)$/,
    run: (state, { parts: [id = ''] }) => readAllocation(state, id),
  },
  {
    operation: 'read-entitlements',
    method: 'GET',
    path: new RegExp(`^${ENVIRONMENT}/entitlements$`),
    run: (state, { parts: [id = ''] }) => readEntitlements(state, id),
  },
  {
    operation: 'write-threshold',
    method: 'PUT',
    path: new RegExp(`^${ENVIRONMENT}/entitlements/([^/]+)/resources/([^/]+)/threshold$`),
    run: (state, { parts, body }) => writeThreshold(state, parts, body),
  },
  // Not in the contract; some deployments have it.
  {
    operation: 'list-thresholds',
    method: 'GET',
    path: /^\/licensing\/entitlements\/([^/]+)\/resourceThresholds$/,
    run: (state, { parts: [currency = ''] }) => listThresholds(state, currency),
  },
] as const satisfies readonly Route[];

export type Operation = (typeof ROUTES)[number]['operation'];

export type OperationCall = { readonly operation: Operation; readonly parts: readonly string[] };

/** The operation, with the decoded parts of its path; refused with 404 or 405. */
export function findOperation(method: string, path: string): OperationCall & Pick<Route, 'run'> {
  const fitting = ROUTES.filter((route) => route.path.test(path));
  const route = fitting.find((one) => one.method === method);
  const parts = route && decodeAll((route.path.exec(path) ?? []).slice(1));
  if (!parts)
    throw new Refused(buildError(route || fitting.length === 0 ? 404 : 405, 'NotFound', 'No such operation.'));
  return { operation: route.operation, run: route.run, parts };
}

function decodeAll(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map((part) => decodeURIComponent(part));
  } catch {
    return undefined;
  }
}

/** Undefined where the operation is about the whole tenant. */
export function findEnvironmentId({ operation, parts }: OperationCall, body: unknown): string | undefined {
  if (operation === 'query' || operation === 'list-thresholds') return undefined;
  return operation === 'write-allocation' ? (body as { environmentId?: string }).environmentId : parts[0];
}
