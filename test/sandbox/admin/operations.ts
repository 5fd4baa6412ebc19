// The paths of the contract, and which operation each of them is.
export type Operation =
  | 'query'
  | 'read-allocation'
  | 'write-allocation'
  | 'read-entitlements'
  | 'write-threshold'
  | 'list-thresholds';

export type OperationCall = { readonly operation: Operation; readonly parts: readonly string[] };

const ROUTES: readonly { readonly method: string; readonly path: RegExp; readonly operation: Operation }[] = [
  { method: 'POST', path: /^\/resourcequery\/resources\/query$/, operation: 'query' },
  { method: 'PATCH', path: /^\/licensing\/allocationsByEnvironment$/, operation: 'write-allocation' },
  { method: 'GET', path: /^\/licensing\/allocationsByEnvironment\/([^/]+)$/, operation: 'read-allocation' },
  { method: 'GET', path: /^\/licensing\/environments\/([^/]+)\/entitlements$/, operation: 'read-entitlements' },
  {
    method: 'PUT',
    path: /^\/licensing\/environments\/([^/]+)\/entitlements\/([^/]+)\/resources\/([^/]+)\/threshold$/,
    operation: 'write-threshold',
  },
  // Not in the contract; some deployments have it.
  { method: 'GET', path: /^\/licensing\/entitlements\/([^/]+)\/resourceThresholds$/, operation: 'list-thresholds' },
];

export function isWrite(operation: Operation): boolean {
  return operation.startsWith('write-');
}

/** The operation and the decoded parts of its path; 404 and 405 as numbers. */
export function findOperation(method: string, path: string): OperationCall | 404 | 405 {
  const fitting = ROUTES.filter((route) => route.path.test(path));
  const route = fitting.find((one) => one.method === method);
  if (!route) return fitting.length > 0 ? 405 : 404;
  const parts = (route.path.exec(path) ?? []).slice(1);
  try {
    return { operation: route.operation, parts: parts.map((part) => decodeURIComponent(part)) };
  } catch {
    return 404;
  }
}

/** Undefined where the operation is about the whole tenant. */
export function findEnvironmentId({ operation, parts }: OperationCall, body: unknown): string | undefined {
  if (operation === 'query' || operation === 'list-thresholds') return undefined;
  return operation === 'write-allocation' ? (body as { environmentId?: string }).environmentId : parts[0];
}
