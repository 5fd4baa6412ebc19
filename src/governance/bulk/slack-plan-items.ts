// The items of a bulk change: what can be made is planned, and what cannot is left out with the reason. Nothing is written.
import { isAdminRefusal } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { toMrkdwnLine } from '../../slack/views/content.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import { describeChanges } from '../review/decided-views.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import type { LeftOutGroup } from './bulk-records.ts';
import type { ItemKind } from './item-words.ts';

type PreviewedItem = { kind: ItemKind; change: PlannedChange };

export type BulkPlan = { items: PreviewedItem[]; leftOut: LeftOutGroup[] };

/** `why`: it stays as it is; mrkdwn. */
export type PlannedItem = PreviewedItem | { why: string };

/** The requests are limited by the session: see paced-session.ts. */
const AT_ONCE = 8;

const MAX_NAMES = 5;

/** Every change must be shown in full; with its name and warnings it has to fit into a few sections. */
const MAX_CHANGES_LENGTH = 1_500;

export const NOT_SAID_WHETHER_STOPPED =
  'the service does not tell whether the agent is stopped, and you did not say it. Begin again, and answer the question; or set the limit by itself.';

/**
 * `name`: mrkdwn. Throws the refusal `admin_unauthorized`, StoreUnavailableError, and bugs; any other failure leaves out
 * what it is about.
 */
export async function planItems<Wish>(
  wishes: readonly Wish[],
  plan: (wish: Wish) => Promise<PlannedItem>,
  name: (wish: Wish) => string,
): Promise<BulkPlan> {
  const plans = await mapConcurrently(wishes, AT_ONCE, async (wish) => ({ wish, found: await planOne(wish, plan) }));
  const left = plans.flatMap(({ wish, found }) => ('why' in found ? [{ name: name(wish), why: found.why }] : []));
  return { items: plans.flatMap(({ found }) => ('change' in found ? [found] : [])), leftOut: toGroups(left) };
}

/** `name` and `why`: mrkdwn. The largest group comes first. */
export function toGroups(left: readonly { name: string; why: string }[]): LeftOutGroup[] {
  const groups = [...Map.groupBy(left, ({ why }) => why)].map(([why, same]) => ({
    why,
    count: same.length,
    names: same.slice(0, MAX_NAMES).map(({ name }) => name),
  }));
  return groups.sort((one, other) => other.count - one.count);
}

/** The limits are read once in each currency; a failure is thrown where the value is used. */
export function readingOnce<Session extends Pick<AdminSession, 'readThresholds'>>(session: Session): Session {
  const reads = new Map<string | undefined, ReturnType<AdminSession['readThresholds']>>();
  return {
    ...session,
    readThresholds(currencyType) {
      const reading = reads.get(currencyType) ?? session.readThresholds(currencyType);
      reading.catch(() => undefined);
      reads.set(currencyType, reading);
      return reading;
    },
  };
}

async function planOne<Wish>(wish: Wish, plan: (wish: Wish) => Promise<PlannedItem>): Promise<PlannedItem> {
  try {
    const planned = await plan(wish);
    return 'why' in planned || isShownWhole(planned.change) ? planned : { why: TOO_LARGE };
  } catch (error) {
    const failure = toAdminFailure(error);
    if (failure === undefined || isAdminRefusal(error, 'admin_unauthorized')) throw error;
    return { why: toMrkdwnLine(failure.sentence, 400) };
  }
}

const TOO_LARGE = 'so much changes that it is to be seen by itself. Change it by itself.';

function isShownWhole({ plan }: PlannedChange): boolean {
  return describeChanges(plan.rows).length <= MAX_CHANGES_LENGTH;
}
