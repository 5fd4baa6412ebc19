import { describe, expect, it } from 'vitest';
import { carryOutItem } from '../../../src/governance/run/carry-out-item.ts';

/** An item of a plan that knew of nothing before it, left by a process that died. Returns what came of it. */
async function goOn({ isOvertaken = false, seen }: { isOvertaken?: boolean; seen?: string }) {
  let writes = 0;
  const remembered: unknown[] = [];
  const toState = (limit: string) => ({ limit });
  const resource = {
    look: async () => ({ state: toState(writes > 0 ? 'as sent' : 'there now'), raw: '' }),
    ...{ before: 'unknown', after: toState('as sent') },
    isSame: (one: { limit: string }, other: { limit: string }) => one.limit === other.limit,
    async write() {
      writes += 1;
      return {};
    },
  };
  const work = {
    ...{ resource, session: {}, wasSending: true, seen: seen && toState(seen), isOvertaken: async () => isOvertaken },
    isOverruled: async () => false,
    remember: async (state: unknown) => void remembered.push(state),
  };
  const outcome = await carryOutItem(work as unknown as Parameters<typeof carryOutItem>[0]);
  return { writes, kind: outcome?.kind, remembered };
}

describe('an item that an earlier process may have sent', () => {
  it('is sent where nothing else was', async () => {
    expect(await goOn({})).toEqual({ writes: 1, kind: 'verified', remembered: [{ limit: 'there now' }] });
    expect(await goOn({ seen: 'there now' })).toMatchObject({ writes: 1, kind: 'verified' });
  });

  it('is not sent over what was sent since', async () => {
    expect(await goOn({ isOvertaken: true })).toMatchObject({ writes: 0, kind: 'conflict' });
  });

  it('is not sent over what somebody has changed since it was sent', async () => {
    expect(await goOn({ seen: 'something else' })).toMatchObject({ writes: 0, kind: 'conflict' });
  });
});
