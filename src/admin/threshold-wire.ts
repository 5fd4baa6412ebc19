// The threshold of one agent, as it is sent (the contract's five fields) and as some deployments let it be read.
import { AdminUnreadableError } from './admin-errors.ts';
import { toFlag, toId, toNumber, toRecord, toRows } from './loose-value.ts';

export type ThresholdBody = {
  stopResource: boolean;
  limit: number;
  stopIfOverCapacity: boolean;
  notifyIfOverCapacity: boolean;
  notificationThreshold: number;
};

/** A write replaces all of a threshold, so a field that is not there counts as cleared; except whether it is stopped. */
export type Threshold = Omit<ThresholdBody, 'stopResource' | 'limit'> & {
  environmentId: string;
  resourceId: string;
  /** Undefined: there is one, in a form that does not tell it. */
  limit: number | undefined;
  stopResource: boolean | 'unknown';
  /** What the agent has used this month. */
  consumption: number | undefined;
};

/**
 * One list for the whole tenant. Rows without the id of an agent are left out: they are about something else. Throws
 * AdminUnreadableError where there is no list, or only a part of one: who is not on it would seem to have no limit.
 */
export function parseThresholds(answer: unknown): Threshold[] {
  if (answer === undefined) return [];
  const rows = toRows(answer);
  if (rows === undefined || isPartOfMore(answer)) throw new AdminUnreadableError('read thresholds');
  return rows.map(toThreshold).filter((threshold) => threshold !== undefined);
}

/** The names that interfaces of this kind have for where the rest is. */
function isPartOfMore(answer: unknown): boolean {
  const { nextLink, '@odata.nextLink': odataNextLink, skipToken, resultTruncated } = toRecord(answer);
  return [nextLink, odataNextLink, skipToken].some((rest) => Boolean(rest)) || toFlag(resultTruncated) === true;
}

function toThreshold(row: Record<string, unknown>): Threshold | undefined {
  const environmentId = toId(row.environmentId);
  const resourceId = toId(row.resourceId);
  if (environmentId === undefined || resourceId === undefined) return undefined;
  return {
    environmentId,
    resourceId,
    limit: toNumber(row.limit),
    notifyIfOverCapacity: toFlag(row.notifyIfOverCapacity) === true,
    notificationThreshold: toNumber(row.notificationThreshold) ?? 0,
    stopIfOverCapacity: toFlag(row.stopIfOverCapacity) === true,
    stopResource: toFlag(row.stopResource),
    consumption: toNumber(row.resourceConsumption),
  };
}
