// Client of the administrative interface. Every call belongs to a session of one administrator.
import { AdminRejectedError, AdminUnreachableError, isAdminRefusal } from './admin-errors.ts';
import { type AdminAccess, type AdminSession, type AgentFilter, createWithToken } from './admin-session.ts';
import { type AdminRequest, type AdminTransportOptions, createAdminTransport } from './admin-transport.ts';
import {
  buildProject,
  buildWhere,
  type InventoryQuery,
  parseAgent,
  parseEnvironment,
  QUERY_INVENTORY,
  readAllPages,
} from './inventory-wire.ts';
import {
  parseAllocation,
  parseEntitlements,
  parseThresholds,
  type Threshold,
  toAllocationBody,
} from './licensing-wire.ts';

export type AdminClientOptions = Omit<AdminTransportOptions, 'timeoutMs'> & {
  /** The prefix of resource types: 'vendor' makes vendor.agentstudio/agents. */
  resourceTypePrefix: string;
  tableName: string;
  /** The credit currency of agents, for calls that name no other. A segment of the threshold's path. */
  currency: string;
  /** The property that holds the id for thresholds, if a deployment has one. It is not part of the contract. */
  agentIdProperty?: string | undefined;
  /** The time limit of one exchange, in ms. Default: 10 s. */
  timeoutMs?: number;
};

export type AdminClient = ReturnType<typeof createAdminClient>;

/** How long a missing operation is remembered. Short, because a restarting gateway may also send 404. */
const NOT_OFFERED_FOR_MS = 5 * 60 * 1000;

/** All limits of the tenant come in one answer, about 350 bytes each: this is enough for 90,000. */
const MAX_THRESHOLDS_BYTES = 32 * 1024 * 1024;

const ENVIRONMENT_FIELDS = ['name', 'properties.displayName', 'properties.environmentId', 'properties.ownerId'];
const AGENT_FIELDS = [...ENVIRONMENT_FIELDS, 'properties.isCLIAgent'];

export function createAdminClient(options: AdminClientOptions) {
  const { resourceTypePrefix, tableName, currency, now, timeoutMs = 10_000 } = options;
  const transport = createAdminTransport({ ...options, timeoutMs });
  // Per currency: the contract does not say that the operation exists for all of them.
  const notOfferedUntil = new Map<string, number>();
  const haveAnswered = new Set<string>();

  async function readThresholds(read: ReadPath, currencyType = currency): Promise<Threshold[] | 'not_offered'> {
    if (now() < (notOfferedUntil.get(currencyType) ?? 0)) return 'not_offered';
    const operation = 'read thresholds';
    const path = toPath('licensing', 'entitlements', currencyType, 'resourceThresholds');
    try {
      const thresholds = parseThresholds(await read({ operation, path, maxBodyBytes: MAX_THRESHOLDS_BYTES }));
      haveAnswered.add(currencyType);
      return thresholds;
    } catch (error) {
      if (isAdminRefusal(error, 'admin_not_found') && haveAnswered.has(currencyType)) {
        throw new AdminUnreachableError(operation, { cause: error, trace: error.trace });
      }
      if (!isAdminRefusal(error, 'admin_not_found', 'admin_not_offered')) throw error;
      notOfferedUntil.set(currencyType, now() + NOT_OFFERED_FOR_MS);
      return 'not_offered';
    }
  }

  /** Opens a session for one person. Sends nothing yet. */
  function openSession(access: AdminAccess): AdminSession {
    const withToken = createWithToken(access);
    const read: ReadPath = (request) => withToken((token) => transport.read({ ...request, method: 'GET', token }));
    const write = (request: Omit<AdminRequest, 'token'>) =>
      withToken((token) => transport.write({ ...request, token }));
    const find = <Row>(clauses: InventoryQuery['Clauses'], parse: ParseRow<Row>) =>
      withToken((token) => {
        const path = toPath('resourcequery', 'resources', 'query');
        const query = (body: unknown) =>
          transport.read({ operation: QUERY_INVENTORY, method: 'POST', path, token, body });
        return readAllPages({ TableName: tableName, Clauses: clauses }, query, parse);
      });

    return {
      findAgents: (filter) => find(toAgentClauses(filter, options), (row) => parseAgent(row, options.agentIdProperty)),
      findEnvironments() {
        const type = buildWhere('type', `${resourceTypePrefix}.platform/environments`);
        return find([type, buildProject(...ENVIRONMENT_FIELDS)], parseEnvironment);
      },
      async readAllocation(environmentId) {
        const path = toPath('licensing', 'allocationsByEnvironment', environmentId);
        try {
          const answer = await read({ operation: 'read allocation', environmentId, path });
          return answer === undefined ? 'none' : parseAllocation(answer, environmentId);
        } catch (error) {
          if (isAdminRefusal(error, 'admin_not_found')) return 'none';
          throw error;
        }
      },
      async updateAllocation(allocation) {
        const path = toPath('licensing', 'allocationsByEnvironment');
        const body = toAllocationBody(allocation);
        const { environmentId } = allocation;
        return write({ operation: 'update allocation', environmentId, method: 'PATCH', path, body });
      },
      async readEntitlements(environmentId) {
        const path = toPath('licensing', 'environments', environmentId, 'entitlements');
        return parseEntitlements(await read({ operation: 'read entitlements', environmentId, path }));
      },
      readThresholds: (currencyType) => readThresholds(read, currencyType),
      async putThreshold(change) {
        const { environmentId, agentResourceId, currencyType = currency } = change;
        const { stopResource, limit, stopIfOverCapacity, notifyIfOverCapacity, notificationThreshold } = change;
        // Send only the fields of the contract.
        const body = { stopResource, limit, stopIfOverCapacity, notifyIfOverCapacity, notificationThreshold };
        const path = toPath(
          ...['licensing', 'environments', environmentId, 'entitlements', currencyType],
          ...['resources', agentResourceId, 'threshold'],
        );
        return write({ operation: 'set threshold', environmentId, method: 'PUT', path, body });
      },
    };
  }

  return { openSession };
}

type ParseRow<Row> = Parameters<typeof readAllPages<Row>>[2];

type ReadPath = (request: Omit<AdminRequest, 'token' | 'method'>) => Promise<unknown>;

function toAgentClauses(filter: AgentFilter | undefined, { resourceTypePrefix, agentIdProperty }: AdminClientOptions) {
  return [
    buildWhere('type', `${resourceTypePrefix}.agentstudio/agents`),
    ...(filter ? [buildWhere('properties.environmentId', filter.environmentId)] : []),
    buildProject(...AGENT_FIELDS, ...(agentIdProperty ? [`properties.${agentIdProperty}`] : [])),
  ];
}

/**
 * An absolute path of encoded segments, so that no id can change the path. Throws AdminRejectedError if an id cannot be a
 * segment: URLs drop `.` and `..`, encoded or not (https://url.spec.whatwg.org/#path-state).
 */
export function toPath(...segments: string[]): string {
  return segments.map((segment) => `/${toSegment(segment)}`).join('');
}

function toSegment(segment: string): string {
  if (['', '.', '..'].includes(segment)) {
    throw new AdminRejectedError('build an address', 'An empty id, or one of only dots, cannot be part of an address.');
  }
  return encodeURIComponent(segment.toWellFormed()).replaceAll("'", '%27');
}
