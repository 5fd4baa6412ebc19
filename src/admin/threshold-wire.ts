// The threshold of one agent, as it is sent (the contract's five fields) and as some deployments let it be read.
import { AdminUnreadableError } from './admin-errors.ts';
import { toFlag, toId, toNumber, toRows } from './loose-value.ts';

export type ThresholdBody = {
  stopResource: boolean;
  limit: number;
  stopIfOverCapacity: boolean;
  notifyIfOverCapacity: boolean;
  notificationThreshold: number;
};

/** A write replaces all of a threshold, so a field that is not there counts as cleared; except whether it is stopped. */
export type Threshold = Omit<ThresholdBody, 'stopResource'> & {
  environmentId: string;
  resourceId: string;
  stopResource: boolean | 'unknown';
  /** What the agent has used this month. */
  consumption: number | undefined;
};

/**
 * One list for the whole tenant. Rows without ids or a limit are left out: what they say cannot be told.
 * Throws AdminUnreadableError where there is no list.
 */
export function parseThresholds(answer: unknown): Threshold[] {
  if (answer === undefined) return [];
  const rows = toRows(answer);
  if (rows === undefined) throw new AdminUnreadableError('read thresholds');
  return rows.map(toThreshold).filter((threshold) => threshold !== undefined);
}

function toThreshold(row: Record<string, unknown>): Threshold | undefined {
  const environmentId = toId(row.environmentId);
  const resourceId = toId(row.resourceId);
  const limit = toNumber(row.limit);
  if (environmentId === undefined || resourceId === undefined || limit === undefined) return undefined;
  return {
    environmentId,
    resourceId,
    limit,
    notifyIfOverCapacity: toFlag(row.notifyIfOverCapacity) === true,
    notificationThreshold: toNumber(row.notificationThreshold) ?? 0,
    stopIfOverCapacity: toFlag(row.stopIfOverCapacity) === true,
    stopResource: toFlag(row.stopResource),
    consumption: toNumber(row.resourceConsumption),
  };
}
