import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../src/errors.ts';
import {
  buildChannelFields,
  describeChannelChanges,
  describeChannelSettings,
  readChannelFields,
  readOwnValues,
  toChannelEdits,
} from '../../../src/governance/channel-rules/channel-settings-views.ts';
import { createChannelSettings } from '../../../src/governance/policy/channel-settings.ts';
import { applyEdits } from '../../../src/governance/policy/edit.ts';
import { EMPTY_POLICY, type Policy } from '../../../src/governance/policy/policy.ts';
import type { FormValues } from '../../../src/governance/shell/form-fields.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { aPolicy, NOW, WHY } from '../policy-documents/policy-samples.ts';

const CHANNEL = { team: 'T1', channel: 'C1' };
const ALL = { team: 'T1', channel: '*' };

const POLICY = aPolicy(
  { setting: 'personCap', target: ALL, standing: { value: 20, why: WHY } },
  { setting: 'personCap', target: CHANNEL, exception: { value: 5, why: WHY, until: '2026-11-24' } },
  { setting: 'channelCap', target: ALL, standing: { value: 100, why: WHY } },
  { setting: 'channelCap', target: { team: 'T1', channel: 'C2' }, standing: { value: 'none', why: WHY } },
  { setting: 'reply', target: CHANNEL, standing: { value: 'all', why: WHY } },
);

describe('what the policy sets for a channel', () => {
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

  it('is its own, else that of all channels, else built in', async () => {
    const { of } = start(POLICY);

    expect(await of(CHANNEL)).toEqual({ reply: 'all', personCap: 5, channelCap: 100 });
    expect(await of({ team: 'T1', channel: 'C2' })).toEqual({ reply: 'threads', personCap: 20 });
    expect(await of({ team: 'T2', channel: 'C1' })).toEqual({ reply: 'threads' });
  });

  it('ends with the last day of an exception, in memory as well', async () => {
    const { of, pass, reads } = start(POLICY);
    await of(CHANNEL);
    pass(Date.parse('2026-11-25') - NOW - 1);
    expect(await of(CHANNEL)).toMatchObject({ personCap: 5 });
    pass(1);

    expect(await of(CHANNEL)).toMatchObject({ personCap: 20 });
    expect(reads()).toBe(2);
  });

  it('is read once for many messages, and anew when a replica announces a change or the time is up', async () => {
    const { of, forget, pass, reads } = start(POLICY);
    await Promise.all(Array.from({ length: 100 }, () => of(CHANNEL)));
    expect(reads()).toBe(1);
    forget();
    await of(CHANNEL);
    expect(reads()).toBe(2);
    pass(15_000);
    await of(CHANNEL);
    expect(reads()).toBe(3);
  });

  it('is what was known last while the store fails, and an error where nothing is known', async () => {
    let fails = true;
    const { of, forget } = start(async () => {
      if (fails) throw new StoreUnavailableError('away');
      return POLICY;
    });
    await expect(of(CHANNEL)).rejects.toThrow(StoreUnavailableError);
    fails = false;
    await of(CHANNEL);
    fails = true;
    forget();

    expect(await of(CHANNEL)).toMatchObject({ reply: 'all' });
  });

  it('is kept beside the policy, without all the rest of it', async () => {
    const { policy } = createMemoryStore(() => NOW);
    const limit = { setting: 'stop', target: { environmentId: 'e' }, standing: { value: true, why: WHY } } as const;
    await policy.replace(await policy.read(), aPolicy(limit, ...Object.values(POLICY.entries)));

    expect(await policy.readChannels()).toEqual(POLICY);
    expect(Object.keys((await policy.read()).policy.entries)).toHaveLength(6);
  });
});

describe('the fields of a channel', () => {
  const typed = (reply: string, personCap: string, channelCap: string): FormValues => ({
    reply: { value: { selected_option: { value: reply } } },
    personCap: { value: { value: personCap } },
    channelCap: { value: { value: channelCap } },
  });

  it('begin with what is set, and say what is inherited', () => {
    const text = JSON.stringify(buildChannelFields(POLICY, CHANNEL, NOW));

    expect(text).toContain(
      '"initial_option":{"text":{"type":"plain_text","text":"To every message that begins a thread"',
    );
    expect(text).toContain('Inherit: when mentioned, and in threads that it is in');
    expect(text).toContain('"initial_value":"5"');
    expect(text).toContain('Empty: inherited, 100 a day.');
    expect(JSON.stringify(buildChannelFields(POLICY, ALL, NOW))).toContain('Empty: inherited, no cap.');
  });

  it('make edits of what was changed alone', () => {
    const before = readOwnValues(POLICY, CHANNEL, NOW);
    const read = readChannelFields(typed('inherit', '1,000', ' None '));
    if ('errors' in read) throw new Error(JSON.stringify(read));
    const edits = toChannelEdits(before, read.values, CHANNEL);
    const next = applyEdits(POLICY, edits, WHY);

    expect(read.values).toEqual({ personCap: 1_000, channelCap: 'none' });
    expect(describeChannelChanges(before, read.values)).toEqual([
      'Reply mode: to every message that begins a thread → *inherited*',
      'Questions of one person: 5 a day → *1,000 a day*',
      'Questions in a channel: inherited → *no cap*',
    ]);
    expect(readOwnValues(next, CHANNEL, NOW)).toEqual({ personCap: 1_000, channelCap: 'none' });
    expect(toChannelEdits(before, before, CHANNEL)).toEqual([]);
  });

  it.each(['-1', '1.5', 'many'])('take no cap of %s', (cap) => {
    expect(readChannelFields(typed('all', cap, ''))).toEqual({ errors: { personCap: expect.any(String) } });
  });

  it('are said with the level that set each', () => {
    expect(describeChannelSettings(POLICY, CHANNEL, NOW)).toEqual([
      'Reply mode: *to every message that begins a thread* _(set for this channel)_',
      'Questions of one person: *5 a day* _(set for this channel)_',
      'Questions in a channel: *100 a day* _(set for all channels)_',
    ]);
    expect(describeChannelSettings(EMPTY_POLICY, ALL, NOW)[0]).toContain('_(built in)_');
  });
});
