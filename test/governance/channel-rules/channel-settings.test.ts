import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../src/errors.ts';
import { createChannelSettings, readChannelSetting } from '../../../src/policy/channel-settings.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { aPolicy, NOW, WHY } from '../policy-documents/policy-samples.ts';
import { ALL_OFF, toEntries } from './channel-entries.ts';

const CHANNEL = { workspace: 'T1', channel: 'C1' };
const ALL = { workspace: 'T1', channel: '*' };
const asked = (place: Partial<typeof CHANNEL> = {}, audience: 'channel' | 'person' = 'channel') => ({
  ...{ ...CHANNEL, ...place, audience },
});

const POLICY = aPolicy(
  { setting: 'personCap', target: ALL, standing: { value: 20, why: WHY } },
  { setting: 'personCap', target: CHANNEL, exception: { value: 5, why: WHY, until: '2026-11-24' } },
  { setting: 'channelCap', target: ALL, standing: { value: 100, why: WHY } },
  { setting: 'channelCap', target: { ...ALL, channel: 'C2' }, standing: { value: 'none', why: WHY } },
  { setting: 'reply', target: CHANNEL, standing: { value: 'all', why: WHY } },
);

describe('a setting of a channel', () => {
  const of = (...entries: ReturnType<typeof toEntries>) => aPolicy(...entries);
  const off = toEntries(ALL, { webSearch: false });
  const on = toEntries(CHANNEL, { webSearch: true });

  it.each([
    ['built in, where nobody set any', of(), CHANNEL, {}, true, 'built_in'],
    ['configured', of(), CHANNEL, { webSearch: false }, false, 'configuration'],
    ['of the workspace', of(...off), CHANNEL, { webSearch: true }, false, 'every_channel'],
    ['of the channel', of(...off, ...on), CHANNEL, {}, true, 'entry'],
    ['not of another channel', of(...off, ...on), { ...CHANNEL, channel: 'C2' }, {}, false, 'every_channel'],
    ['not of a channel, for the workspace', of(...toEntries(CHANNEL, ALL_OFF)), ALL, {}, true, 'built_in'],
    ['not of another installation', of(...off, ...on), { ...CHANNEL, workspace: 'T2' }, {}, true, 'built_in'],
  ])('is the strongest that is set: %s', (_, policy, target, configured, value, level) => {
    expect(readChannelSetting(policy, 'webSearch', target, { now: NOW, configured })).toMatchObject({ value, level });
  });
});

describe('what the policy sets for a question', () => {
  function start(policy: Policy | (() => Promise<Policy>)) {
    let time = NOW;
    let reads = 0;
    const readChannels = async () => {
      reads += 1;
      return typeof policy === 'function' ? policy() : policy;
    };
    return {
      ...createChannelSettings({ policy: { readChannels }, now: () => time }),
      reads: () => reads,
      pass(ms: number) {
        time += ms;
      },
    };
  }

  const NOTHING = { isRefused: false, isPrivate: false, isWebOff: false, reply: 'threads' };

  it('is of its channel, else of its workspace', async () => {
    const { of } = start(POLICY);

    expect(await of(asked())).toEqual({ ...NOTHING, reply: 'all', personCap: 5, channelCap: 100 });
    expect(await of(asked({ channel: 'C2' }))).toEqual({ ...NOTHING, personCap: 20 });
    expect(await of(asked({ workspace: 'T2' }))).toEqual(NOTHING);
  });

  it('in direct messages is that of the workspace, without what is about channels', async () => {
    const pause = { setting: 'pause', target: ALL, standing: { value: { word: 'noon' }, why: WHY } } as const;
    const { of } = start(aPolicy(pause, ...toEntries(ALL, { ...ALL_OFF, personCap: 1, channelCap: 1 })));
    const everywhere = { pause: { word: 'noon' }, isWebOff: true, threadContext: 'off' };

    expect(await of(asked())).toMatchObject({ ...everywhere, isRefused: true, isPrivate: true, personCap: 1 });
    expect(await of(asked({}, 'person'))).toEqual({ ...NOTHING, ...everywhere });
  });

  it('ends with the last day of an exception, in memory as well', async () => {
    const { of, pass, reads } = start(POLICY);
    await of(asked());
    pass(Date.parse('2026-11-25') - NOW - 1);
    expect(await of(asked())).toMatchObject({ personCap: 5 });
    pass(1);

    expect(await of(asked())).toMatchObject({ personCap: 20 });
    expect(reads()).toBe(2);
  });

  it('is read once for many questions, and anew when a replica announces a change or the time is up', async () => {
    const { of, forget, pass, reads } = start(POLICY);
    await Promise.all(Array.from({ length: 100 }, (_, nth) => of(asked({ workspace: `T${nth}` }))));
    expect(reads()).toBe(1);
    forget();
    await of(asked());
    expect(reads()).toBe(2);
    pass(15_000);
    await of(asked());
    expect(reads()).toBe(3);
  });

  it('is what was known last while the store fails, and an error where nothing is known', async () => {
    let fails = true;
    const { of, forget } = start(async () => {
      if (fails) throw new StoreUnavailableError('away');
      return POLICY;
    });
    await expect(of(asked())).rejects.toThrow(StoreUnavailableError);
    fails = false;
    await of(asked());
    fails = true;
    forget();

    expect(await of(asked())).toMatchObject({ reply: 'all' });
  });

  it('is kept beside the policy, without all the rest of it', async () => {
    const { policy } = createMemoryStore(() => NOW);
    const limit = { setting: 'stop', target: { environmentId: 'e' }, standing: { value: true, why: WHY } } as const;
    await policy.replace(await policy.read(), aPolicy(limit, ...Object.values(POLICY.entries)));

    expect(await policy.readChannels()).toEqual(POLICY);
    expect(Object.keys((await policy.read()).policy.entries)).toHaveLength(6);
  });
});
