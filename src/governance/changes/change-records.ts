import { amend, type Document, type Entry, type Kernel, read, readAll } from '../../storage/kernel.ts';
import { type AllocationChange, type Change, type ChangeStore, INTERRUPTED, type LimitChange } from './change.ts';

/** Changes whose makers may not know how they ended, in the order of `begin`. */
const UNTOLD = 'changes-untold';

export function createChanges(kernel: Kernel): ChangeStore {
  const get = async (id: string) => (await read<Change>(kernel, toKey(id)))?.body;

  /** The latest that was or may have been written. Most have but a few changes before them. */
  async function findLast(subject: string, exceptId = ''): Promise<Change | undefined> {
    const found = (await kernel.range(indexOf(subject), { isReversed: true })) as Document<Change>[];
    return found.find(({ body: { id, outcome } }) => id !== exceptId && outcome?.written !== 'no')?.body;
  }

  async function change(id: string, toNext: (change: Change) => Change, isUntold: boolean): Promise<void> {
    await amend<Change>(kernel, [toKey(id)], ([found]) => {
      if (!found) return undefined;
      const entries = toEntries(found.body, isUntold);
      return [{ put: found.key, body: toNext(found.body), ifVersion: found.version, entries }];
    });
  }

  return {
    async begin(begun) {
      const write = { put: toKey(begun.id), body: begun, ifVersion: 0, entries: toEntries(begun, true) };
      return (await kernel.commit([write])) ? 'new' : 'duplicate';
    },
    finish: (id, outcome) => change(id, (begun) => ({ ...begun, outcome }), outcome.reason === INTERRUPTED),
    get,
    lastSet: async (environmentId, agentResourceId, exceptId, currencyType) => {
      const subject = toSubject({ kind: 'agent_limit', environmentId, agentResourceId, currencyType });
      return (await findLast(subject, exceptId)) as LimitChange | undefined;
    },
    lastAllocation: async (environmentId) =>
      (await findLast(toSubject({ kind: 'allocation', environmentId }))) as AllocationChange | undefined,
    untold: () => readAll<Change>(kernel, UNTOLD),
    told: (id) => change(id, (begun) => begun, false),
  };
}

function toEntries(change: Change, isUntold: boolean): Entry[] {
  const ofSubject = { index: indexOf(toSubject(change)), at: change.at };
  return isUntold ? [ofSubject, { index: UNTOLD }] : [ofSubject];
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
