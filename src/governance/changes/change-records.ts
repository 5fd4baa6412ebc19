import { amend, type Document, type Kernel, read, readAll, type Write } from '../../storage/kernel.ts';
import { type AllocationChange, type Change, type ChangeStore, INTERRUPTED, type LimitChange } from './change.ts';

/** Changes whose makers may not know how they ended, in the order of `begin`. */
const UNTOLD = 'changes-untold';

/** A change that was told once is not told again, whoever finds it interrupted later. */
type Stored = Change & { isTold?: true };

export function createChanges(kernel: Kernel): ChangeStore {
  const get = async (id: string) => (await read<Change>(kernel, toKey(id)))?.body;

  /** The latest that was or may have been written. */
  async function findLast(subject: string, exceptId = ''): Promise<Change | undefined> {
    const found = (await kernel.range(indexOf(subject), { isReversed: true, limit: 2 })) as Document<Change>[];
    return found.find(({ body: { id } }) => id !== exceptId)?.body;
  }

  async function change(id: string, toNext: (change: Stored) => Stored | undefined): Promise<void> {
    await amend<Stored>(kernel, [toKey(id)], ([found]) => {
      const next = found && toNext(found.body);
      return next && [toWrite(next)];
    });
  }

  return {
    begin: async (begun) => ((await kernel.commit([{ ...toWrite(begun), ifVersion: 0 }])) ? 'new' : 'duplicate'),
    finish: (id, outcome) =>
      change(id, (begun) => {
        // Who finds it interrupted may have looked before it ended.
        const isLate = outcome.reason === INTERRUPTED && begun.outcome !== undefined;
        return isLate ? undefined : { ...begun, outcome };
      }),
    get,
    lastSet: async (environmentId, agentResourceId, exceptId, currencyType) => {
      const subject = toSubject({ kind: 'agent_limit', environmentId, agentResourceId, currencyType });
      return (await findLast(subject, exceptId)) as LimitChange | undefined;
    },
    lastAllocation: async (environmentId) =>
      (await findLast(toSubject({ kind: 'allocation', environmentId }))) as AllocationChange | undefined,
    untold: () => readAll<Change>(kernel, UNTOLD),
    told: (id) => change(id, (begun) => ({ ...begun, isTold: true })),
  };
}

/** Of one subject only those are listed that were or may have been written. */
function toWrite(change: Stored): Write {
  const { id, at, outcome, isTold } = change;
  const isUntold = !isTold && (outcome === undefined || outcome.reason === INTERRUPTED);
  const ofSubject = outcome?.written === 'no' ? [] : [{ index: indexOf(toSubject(change)), at }];
  return { put: toKey(id), body: change, entries: isUntold ? [...ofSubject, { index: UNTOLD }] : ofSubject };
}

function toKey(id: string): string {
  return `change:${id}`;
}

function indexOf(subject: string): string {
  return `changes:${subject}`;
}

type Subject =
  | Pick<LimitChange, 'kind' | 'environmentId' | 'agentResourceId' | 'currencyType'>
  | Pick<AllocationChange, 'kind' | 'environmentId'>;

/** `environment|agent`, or `environment|` for the environment itself; then a currency other than the configured one. */
function toSubject(subject: Subject): string {
  const { environmentId } = subject;
  if (subject.kind === 'allocation') return `${environmentId}|`.toLowerCase();
  const { agentResourceId, currencyType } = subject;
  return `${environmentId}|${agentResourceId}${currencyType === undefined ? '' : `|${currencyType}`}`.toLowerCase();
}
