// The threshold of one agent, as it is sent (the contract's five fields) and as some deployments let it be read.
import { AdminUnreadableError } from '../admin-api/admin-errors.ts';
import { toFlag, toId, toNumber, toRecord, toRows } from '../admin-api/wire-values.ts';

export type ThresholdBody = {
  stopResource: boolean;
  limit: number;
  stopIfOverCapacity: boolean;
  notifyIfOverCapacity: boolean;
  notificationThreshold: number;
};

/**
 * A write replaces all of a threshold, so a field that is not there counts as cleared; except whether it is stopped. One
 * that is there, in a form that does not tell it, is unknown.
 */
export type Threshold = {
  environmentId: string;
  resourceId: string;
  /** Undefined: there is one, in a form that does not tell it. */
  limit: number | undefined;
  notifyIfOverCapacity: boolean | 'unknown';
  notificationThreshold: number | 'unknown';
  stopIfOverCapacity: boolean | 'unknown';
  stopResource: boolean | 'unknown';
  /** What the agent has used this month. */
  consumption: number | undefined;
};

/**
 * One list for the whole tenant. Rows without the id of an agent are left out: they are about something else. Throws
 * AdminUnreadableError where there is no list, only a part of one, or an agent whose environment is not told: who is not
 * on it would seem to have no limit.
 */
export function parseThresholds(answer: unknown): Threshold[] {
  if (answer === undefined) return [];
  const rows = toRows(answer);
  if (rows === undefined || isPartOfMore(answer, rows.length)) throw new AdminUnreadableError('read thresholds');
  return rows.map(toThreshold).filter((threshold) => threshold !== undefined);
}

/** The names that interfaces of this kind have for where the rest is, and for how much there is in all. */
function isPartOfMore(answer: unknown, received: number): boolean {
  const { nextLink, '@odata.nextLink': odataNextLink, skipToken, resultTruncated, totalRecords } = toRecord(answer);
  const isPointedAt = [nextLink, odataNextLink, skipToken].some((rest) => Boolean(rest));
  return isPointedAt || toFlag(resultTruncated) === true || (toNumber(totalRecords) ?? 0) > received;
}

function toThreshold(row: Record<string, unknown>): Threshold | undefined {
  const resourceId = toId(row.resourceId);
  if (resourceId === undefined) return undefined;
  const environmentId = toId(row.environmentId);
  if (environmentId === undefined) throw new AdminUnreadableError('read thresholds');
  return {
    environmentId,
    resourceId,
    limit: toAmount(row.limit),
    notifyIfOverCapacity: isAbsent(row.notifyIfOverCapacity) ? false : toFlag(row.notifyIfOverCapacity),
    notificationThreshold: isAbsent(row.notificationThreshold) ? 0 : (toAmount(row.notificationThreshold) ?? 'unknown'),
    stopIfOverCapacity: isAbsent(row.stopIfOverCapacity) ? false : toFlag(row.stopIfOverCapacity),
    stopResource: toFlag(row.stopResource),
    consumption: toNumber(row.resourceConsumption),
  };
}

/** Some platforms write a number below 0 for what has no bounds: what it means is not known. */
function toAmount(value: unknown): number | undefined {
  const amount = toNumber(value);
  return amount === undefined || amount < 0 ? undefined : amount;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
