// What an environment has used of each of its entitlements. The contract shows no shape; every field may be missing.
import { AdminUnreadableError } from '../admin-api/admin-errors.ts';
import { toInstant, toNumber, toRecord, toRows, toText } from '../admin-api/wire-values.ts';

export type Entitlement = {
  /** The currency it counts, as the service names it. */
  entitlementId: string | undefined;
  unit: string | undefined;
  consumed: number | undefined;
  /** What the figure counts: MonthToDate, Snapshot, or a word that a deployment has besides. */
  consumptionType: string | undefined;
  /** Epoch ms of the figure: consumption is counted with a delay. */
  asOf: number | undefined;
  /** What is allocated to the environment. */
  capacity: number | undefined;
  /** What has gone to the pay-as-you-go subscription. */
  payGoConsumed: number | undefined;
};

/** No answer body (204) means none. Throws AdminUnreadableError where there is a body, and no list in it. */
export function parseEntitlements(answer: unknown): Entitlement[] {
  if (answer === undefined) return [];
  const rows = toRows(answer);
  if (rows === undefined) throw new AdminUnreadableError('read entitlements');
  return rows.map(toEntitlement);
}

function toEntitlement(row: Record<string, unknown>): Entitlement {
  const entitlement = { ...row, ...toRecord(row.entitlement) };
  const capacity = { ...entitlement, ...toRecord(entitlement.capacity) };
  const consumed = toRecord(capacity.consumed);
  const payGo = toRecord(entitlement.payGo);
  return {
    entitlementId: toText(row.entitlementId) ?? toText(entitlement.currencyType),
    unit: toText(entitlement.unit),
    consumed: toNumber(consumed.value) ?? toNumber(capacity.consumed),
    consumptionType: toText(consumed.consumptionType) ?? toText(capacity.consumptionType),
    asOf: toInstant(consumed.lastUpdatedOn) ?? toInstant(capacity.lastUpdatedOn),
    capacity: toNumber(toRecord(capacity.allocated).value) ?? toNumber(capacity.allocated),
    payGoConsumed: toNumber(toRecord(payGo.consumed).value) ?? toNumber(payGo.consumed),
  };
}
