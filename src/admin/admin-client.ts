// Client of the administrative interface. Every call takes the token of the admin in whose name it is made.
import type { HttpClient } from '../http/http-client.ts';
import { AdminNotFoundError } from './admin-errors.ts';
import { createAdminTransport } from './admin-transport.ts';
import { type Entitlement, parseEntitlements } from './entitlement-wire.ts';
import { buildProject, buildWhere, type Found, readAllPages } from './inventory-query.ts';
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

/** Every method throws the errors of admin-errors.ts. */
export type AdminClient = {
  /** With `harnessOnly` the service filters: agents of which it does not know are then missing, too. */
  findAgents(token: string, filter?: { harnessOnly?: boolean }): Promise<Found<Agent>>;
  findEnvironments(token: string): Promise<Found<Environment>>;
  readEntitlements(token: string, environmentId: string): Promise<Entitlement[]>;
  /** The thresholds of the whole tenant. The contract shows no such read: 'not_offered' is remembered for an hour. */
  readThresholds(token: string): Promise<Threshold[] | 'not_offered'>;
  /** Replaces the agent's threshold. AdminOutcomeUnknownError: it may or may not have been applied. */
  putThreshold(token: string, change: ThresholdChange): Promise<void>;
};

const NOT_OFFERED_FOR_MS = 60 * 60 * 1000;

const AGENT_FIELDS = [
  'name',
  'properties.displayName',
  'properties.environmentId',
  'properties.ownerId',
  'properties.isCLIAgent',
];

export function createAdminClient(options: AdminClientOptions): AdminClient {
  const { resourceTypePrefix, tableName, currency, now, agentIdProperty, timeoutMs = 10_000 } = options;
  const transport = createAdminTransport({ ...options, timeoutMs });
  let notOfferedUntil = 0;

  const query = (token: string) => (body: unknown) =>
    transport.read({
      operation: 'query inventory',
      method: 'POST',
      path: toPath('resourcequery', 'resources', 'query'),
      token,
      body,
    });

  async function readThresholds(token: string): Promise<Threshold[] | 'not_offered'> {
    if (now() < notOfferedUntil) return 'not_offered';
    const path = toPath('licensing', 'entitlements', currency, 'resourceThresholds');
    try {
      return parseThresholds(await transport.read({ operation: 'read thresholds', method: 'GET', path, token }));
    } catch (error) {
      if (!(error instanceof AdminNotFoundError)) throw error;
      notOfferedUntil = now() + NOT_OFFERED_FOR_MS;
      return 'not_offered';
    }
  }

  return {
    async findAgents(token, { harnessOnly = false } = {}) {
      const clauses = [
        buildWhere('type', `${resourceTypePrefix}.agentstudio/agents`),
        ...(harnessOnly ? [buildWhere('properties.isCLIAgent', true)] : []),
        buildProject(...AGENT_FIELDS, ...(agentIdProperty ? [`properties.${agentIdProperty}`] : [])),
      ];
      const found = await readAllPages({ TableName: tableName, Clauses: clauses }, query(token), parseAgent);
      return harnessOnly ? { ...found, rows: found.rows.filter((agent) => agent.isHarness !== false) } : found;
    },
    async findEnvironments(token) {
      const clauses = [
        buildWhere('type', `${resourceTypePrefix}.platform/environments`),
        buildProject('name', 'properties.displayName'),
      ];
      return readAllPages({ TableName: tableName, Clauses: clauses }, query(token), parseEnvironment);
    },
    async readEntitlements(token, environmentId) {
      const path = toPath('licensing', 'environments', environmentId, 'entitlements');
      return parseEntitlements(await transport.read({ operation: 'read entitlements', method: 'GET', path, token }));
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
      await transport.write({ operation: 'set threshold', method: 'PUT', path, token, body });
    },
  };
}
