import { describe, expect, it } from 'vitest';
import { createGroupReader } from '../../src/slack/user-groups.ts';
import type { CallSlack } from '../../src/slack/web/methods.ts';
import { INSTALLATION } from './an-installation.ts';

const PLACE = { workspace: 'T1' };

describe('the members of a group', () => {
  it('are remembered for those who look, and asked for where they have to be fresh', async () => {
    let users = ['U1', 'U2'];
    let calls = 0;
    const call = (async () => {
      calls += 1;
      return { ok: true, users };
    }) as unknown as CallSlack;
    const read = createGroupReader(call, async () => INSTALLATION);

    const first = await read(PLACE, 'S1');
    users = ['U1'];
    const remembered = await read(PLACE, 'S1');
    const fresh = await read(PLACE, 'S1', { isFresh: true });

    expect([first, remembered, fresh, await read(PLACE, 'S1')]).toEqual([['U1', 'U2'], ['U1', 'U2'], ['U1'], ['U1']]);
    expect(calls).toBe(2);
  });
});
