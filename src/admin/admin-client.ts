// Client of the administrative interface. Every call takes the token of the admin in whose name it is made.
import type { HttpClient } from '../http/http-client.ts';
import { AdminNotFoundError, AdminNotOfferedError, AdminUnreachableError } from './admin-errors.ts';
import type { AdminReceipt } from './admin-trace.ts';
import { createAdminTransport } from './admin-transport.ts';
import { type Allocation, parseAllocation, toAllocationBody } from './allocation-wire.ts';
import { type Entitlement, parseEntitlements } from './entitlement-wire.ts';
import { buildProject, buildWhere, type Found, QUERY_INVENTORY, readAllPages } from './inventory-query.ts';
import { type Agent, type Environment, parseAgent, parseEnvironment } from './inventory-wire.ts';
import { toPath } from './path.ts';
import { parseThresholds, type Threshold, type ThresholdBody } from './threshold-wire.ts';

export type AdminClientOptions = {
  http: HttpClient;
  baseUrl: string;
  apiVersion: string;
  /** The word before the resource types: 'vendor' makes vendor.agentstudio/agents. */
  resourceTypePrefix: string;
  tableName: string;
  /** The credit currency that agents use: a segment of the threshold's path. */
  currency: string;
  /** Epoch ms. */
  now: () => number;
  /** A property, beyond the contract's, that holds the id thresholds go by; 'botId' where a deployment has it. */
  agentIdProperty?: 'botId' | undefined;
  /** Bounds one exchange, in ms (10 s). */
  timeoutMs?: number;
};

export type ThresholdChange = ThresholdBody & { environmentId: string; agentResourceId: string };

/** The service filters, and compares ids as they are written: those of the inventory find what it lists. */
type AgentFilter = {
  /** Agents of which the service does not know whether they are of the harness are then missing, too. */
  harnessOnly?: boolean;
  environmentId?: string;
  ownerId?: string;
};

/** Every method throws the errors of admin-errors.ts. */
export type AdminClient = {
  findAgents(token: string, filter?: AgentFilter): Promise<Found<Agent>>;
  findEnvironments(token: string): Promise<Found<Environment>>;
  /** 'none': the service knows no allocation of this environment, or no such environment. */
  readAllocation(token: string, environmentId: string): Promise<Allocation | 'none'>;
  /** Replaces the allocation of the environment, all of it. AdminOutcomeUnknownError: perhaps it was applied. */
  updateAllocation(token: string, allocation: Allocation): Promise<AdminReceipt>;
  readEntitlements(token: string, environmentId: string): Promise<Entitlement[]>;
  /**
   * The thresholds of the whole tenant. The contract shows no such read: 'not_offered' is remembered for five minutes.
   * Once the deployment has answered it, a 404 is one of its troubles (AdminUnreachableError).
   */
  readThresholds(token: string): Promise<Threshold[] | 'not_offered'>;
  /** Replaces the agent's threshold. AdminOutcomeUnknownError: it may or may not have been applied. */
  putThreshold(token: string, change: ThresholdChange): Promise<AdminReceipt>;
};

/** Long enough to spare the service; a 404 of a gateway that restarts must not hide all limits for longer. */
const NOT_OFFERED_FOR_MS = 5 * 60 * 1000;

/** All limits of the tenant come in one answer, about 350 bytes each: enough for 90,000 of them. */
const MAX_THRESHOLDS_BYTES = 32 * 1024 * 1024;

const ENVIRONMENT_FIELDS = ['name', 'properties.displayName', 'properties.environmentId', 'properties.ownerId'];
const AGENT_FIELDS = [...ENVIRONMENT_FIELDS, 'properties.isCLIAgent'];

export function createAdminClient(options: AdminClientOptions): AdminClient {
  const { resourceTypePrefix, tableName, currency, now, agentIdProperty, timeoutMs = 10_000 } = options;
  const transport = createAdminTransport({ ...options, timeoutMs });
  let notOfferedUntil = 0;
  let hasAnsweredThresholds = false;

  const query = (token: string) => (body: unknown) =>
    transport.read({
      operation: QUERY_INVENTORY,
      method: 'POST',
      path: toPath('resourcequery', 'resources', 'query'),
      token,
      body,
    });

  async function readThresholds(token: string): Promise<Threshold[] | 'not_offered'> {
    if (now() < notOfferedUntil) return 'not_offered';
    const operation = 'read thresholds';
    const path = toPath('licensing', 'entitlements', currency, 'resourceThresholds');
    try {
      const answer = await transport.read({
        operation,
        method: 'GET',
        path,
        token,
        maxBodyBytes: MAX_THRESHOLDS_BYTES,
      });
      const thresholds = parseThresholds(answer);
      hasAnsweredThresholds = true;
      return thresholds;
    } catch (error) {
      if (error instanceof AdminNotFoundError && hasAnsweredThresholds) {
        throw new AdminUnreachableError(operation, { cause: error, status: 404, requestId: error.requestId });
      }
      if (!(error instanceof AdminNotFoundError || error instanceof AdminNotOfferedError)) throw error;
      notOfferedUntil = now() + NOT_OFFERED_FOR_MS;
      return 'not_offered';
    }
  }

  return {
    async findAgents(token, filter = {}) {
      const { harnessOnly = false, environmentId, ownerId } = filter;
      const clauses = [
        buildWhere('type', `${resourceTypePrefix}.agentstudio/agents`),
        ...(harnessOnly ? [buildWhere('properties.isCLIAgent', true)] : []),
        ...(environmentId === undefined ? [] : [buildWhere('properties.environmentId', environmentId)]),
        ...(ownerId === undefined ? [] : [buildWhere('properties.ownerId', ownerId)]),
        buildProject(...AGENT_FIELDS, ...(agentIdProperty ? [`properties.${agentIdProperty}`] : [])),
      ];
      const found = await readAllPages({ TableName: tableName, Clauses: clauses }, query(token), parseAgent);
      return harnessOnly ? { ...found, rows: found.rows.filter((agent) => agent.isHarness !== false) } : found;
    },
    async findEnvironments(token) {
      const clauses = [
        buildWhere('type', `${resourceTypePrefix}.platform/environments`),
        buildProject(...ENVIRONMENT_FIELDS),
      ];
      return readAllPages({ TableName: tableName, Clauses: clauses }, query(token), parseEnvironment);
    },
    async readAllocation(token, environmentId) {
      const path = toPath('licensing', 'allocationsByEnvironment', environmentId);
      try {
        const answer = await transport.read({
          operation: 'read allocation',
          environmentId,
          method: 'GET',
          path,
          token,
        });
        return answer === undefined ? 'none' : parseAllocation(answer, environmentId);
      } catch (error) {
        if (error instanceof AdminNotFoundError) return 'none';
        throw error;
      }
    },
    async updateAllocation(token, allocation) {
      const path = toPath('licensing', 'allocationsByEnvironment');
      const body = toAllocationBody(allocation);
      const { environmentId } = allocation;
      return transport.write({ operation: 'update allocation', environmentId, method: 'PATCH', path, token, body });
    },
    async readEntitlements(token, environmentId) {
      const path = toPath('licensing', 'environments', environmentId, 'entitlements');
      const operation = 'read entitlements';
      return parseEntitlements(await transport.read({ operation, environmentId, method: 'GET', path, token }));
    },
    readThresholds,
    async putThreshold(token, change) {
      const { environmentId, agentResourceId } = change;
      const path = toPath(
        ...['licensing', 'environments', environmentId, 'entitlements', currency],
        ...['resources', agentResourceId, 'threshold'],
      );
      const body = {
        stopResource: change.stopResource,
        limit: change.limit,
        stopIfOverCapacity: change.stopIfOverCapacity,
        notifyIfOverCapacity: change.notifyIfOverCapacity,
        notificationThreshold: change.notificationThreshold,
      } satisfies ThresholdBody;
      return transport.write({ operation: 'set threshold', environmentId, method: 'PUT', path, token, body });
    },
  };
}
