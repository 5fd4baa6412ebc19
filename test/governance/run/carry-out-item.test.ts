import { describe, expect, it } from 'vitest';
import { carryOutItem } from '../../../src/governance/run/carry-out-item.ts';

/** An item of a plan that knew of nothing before it, left by a process that died. Returns what came of it. */
async function goOn({ isOvertaken }: { isOvertaken: boolean }) {
  let writes = 0;
  const resource = {
    look: async () => ({ state: {}, raw: '' }),
    before: 'unknown',
    isSame: () => writes > 0,
    async write() {
      writes += 1;
      return {};
    },
  };
  const work = { resource, session: {}, wasSending: true, isOvertaken: async () => isOvertaken };
  const outcome = await carryOutItem(work as unknown as Parameters<typeof carryOutItem>[0]);
  return { writes, kind: outcome?.kind };
}

describe('an item that an earlier process may have sent', () => {
  it('is sent where nothing else was', async () => {
    expect(await goOn({ isOvertaken: false })).toEqual({ writes: 1, kind: 'verified' });
  });

  it('is not sent over what was sent since', async () => {
    expect(await goOn({ isOvertaken: true })).toEqual({ writes: 0, kind: 'conflict' });
  });
});
