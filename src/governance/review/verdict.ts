import { isExpired } from '../register/expiry.ts';
import { type ApprovedException, toIdKey } from '../register/register.ts';
import type { Difference, DifferenceException, EnvironmentFinding, UnreadableReason } from './finding.ts';

export type Verdict = Pick<EnvironmentFinding, 'status' | 'differences' | 'reason' | 'expiresOn'>;

/** A difference before the exceptions are looked at. */
export type BareDifference = Omit<Difference, 'exception'>;

type Judged = {
  differences: readonly BareDifference[];
  exceptions: readonly ApprovedException[];
  /** Epoch ms. */
  now: number;
  /** Where something could not be told; drift that is certain goes before it. */
  reason?: UnreadableReason | undefined;
};

/** Compliant only where there is nothing else to say. */
export function judge({ differences, exceptions, now, reason }: Judged): Verdict {
  const judged = differences.map((difference) => ({
    ...difference,
    exception: findException(difference, exceptions, now),
  }));
  const open = judged.filter(({ exception }) => exception === undefined || exception.isExpired);
  const verdict = { differences: judged, reason: undefined, expiresOn: undefined };
  if (open.some(({ found }) => found !== 'unknown')) return { ...verdict, status: 'drift' };
  if (reason !== undefined || open.length > 0) {
    return { ...verdict, status: 'unreadable', reason: reason ?? 'value_not_told' };
  }
  if (judged.length === 0) return { ...verdict, status: 'compliant' };
  const days = judged.flatMap(({ exception }) => (exception === undefined ? [] : [exception.expiresOn]));
  return { ...verdict, status: 'approved_exception', expiresOn: days.toSorted()[0] };
}

export function toVerdict(status: 'vanished' | 'unreadable' | 'unclassified', reason?: UnreadableReason): Verdict {
  return { status, differences: [], reason, expiresOn: undefined };
}

function findException(
  { setting, currency, found }: BareDifference,
  exceptions: readonly ApprovedException[],
  now: number,
): DifferenceException | undefined {
  const fitting = exceptions.filter(
    ({ accepts }) =>
      accepts.setting === setting &&
      toIdKey(accepts.currency ?? '') === toIdKey(currency ?? '') &&
      accepts.value === found,
  );
  const [longest] = fitting.toSorted((one, other) => (one.expiresOn < other.expiresOn ? 1 : -1));
  if (longest === undefined) return undefined;
  const { reason, approver, expiresOn } = longest;
  return { isExpired: isExpired(expiresOn, now), reason, approver, expiresOn };
}
