import fc from 'fast-check';
import type { Entry, Policy, Stated, Why } from '../../../src/policy/policy.ts';
import { type Target, toEntryKey } from '../../../src/policy/target.ts';
import { REPLY_MODES, RULE_TYPES, type SettingId, type Values } from '../../../src/policy/values.ts';

export const NOW = Date.parse('2026-11-24T12:00:00Z');

/** What the service and people write: also what YAML takes for something else, and what ends a comment or a quote. */
const anyText = fc.oneof(
  fc.constantFrom('yes', 'null', '1e3', '0x1f', '12345', 'a: b', 'a #b', "it's", '"', '- x', '*a', '&a', '{', '[', '~'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
);
const anyId = anyText.map((text) => text.replace(/[\p{Cc}\p{Cs}]/gu, '')).filter((text) => text.trim() !== '');
const anyClass = fc.constantFrom('maker', 'production', 'lab-2', 'No');

const anyLimit = fc.oneof(
  fc.constant('none' as const),
  fc
    .record({
      credits: fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e12, noNaN: true })).map((one) => one + 0),
      noticeAt: fc.oneof(
        fc.constant('off' as const),
        fc.double({ min: 0, max: 100, noNaN: true }).map((one) => one + 0),
      ),
      stopAtLimit: fc.boolean(),
    })
    // That is none.
    .filter(({ credits, noticeAt, stopAtLimit }) => credits > 0 || noticeAt !== 'off' || stopAtLimit),
);

const anyCredits = fc
  .record(
    { allocated: fc.nat(), ...Object.fromEntries(RULE_TYPES.map((rule) => [rule, fc.boolean()])) },
    { requiredKeys: [] },
  )
  .map(({ allocated, ...rules }) => ({ ...(allocated !== undefined && { allocated: Number(allocated) }), rules }));

const anyCap = fc.oneof(fc.constant('none' as const), fc.nat());

export const ANY_VALUE: { [Setting in SettingId]: fc.Arbitrary<unknown> } = {
  standard: fc.record(
    { limit: anyLimit, credits: fc.dictionary(fc.constantFrom('ServiceMessages', 'AI', '1e3', 'a b:'), anyCredits) },
    { requiredKeys: ['credits'] },
  ),
  class: anyClass,
  owners: fc.array(anyId, { maxLength: 3 }),
  credits: anyCredits,
  limit: anyLimit,
  stop: fc.boolean(),
  reply: fc.constantFrom(...REPLY_MODES),
  personCap: anyCap,
  channelCap: anyCap,
  questions: fc.constantFrom('allowed', 'refused'),
  answers: fc.constantFrom('thread', 'private'),
  webSearch: fc.boolean(),
  threadContext: fc.boolean(),
  pause: fc.record({ word: fc.string({ maxLength: 300 }) }),
};

const environment = fc.record({ environmentId: anyId });
const agent = fc.record({ environmentId: anyId, agentId: anyId });
const channel = fc.record({ workspace: fc.constant('T1'), channel: fc.constantFrom('C1', '*', 'G2') });
const currency = fc.constantFrom('ServiceMessages', 'AI', 'null');

const TARGETS: Record<SettingId, fc.Arbitrary<Target>> = {
  standard: fc.record({ className: anyClass }),
  class: environment,
  owners: fc.oneof(environment, agent),
  credits: fc.record({ environmentId: anyId, currency }),
  limit: fc.record({ environmentId: anyId, agentId: anyId, currency }),
  stop: fc.oneof(environment, agent),
  reply: channel,
  personCap: channel,
  channelCap: channel,
  questions: channel,
  answers: channel,
  webSearch: channel,
  threadContext: channel,
  pause: fc.constant({ workspace: 'T1', channel: '*' }),
};

const anyWhy: fc.Arbitrary<Why> = fc.record(
  {
    ...{ by: anyId, account: anyId, approvedBy: anyId, approverAccount: anyId },
    reason: fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => text.isWellFormed()),
    at: fc.integer({ min: 0, max: 4e12 }),
  },
  { requiredKeys: ['by', 'reason', 'at'] },
);

const anyDay = fc
  .date({ min: new Date('2026-11-01'), max: new Date('2027-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

function anyEntry(setting: SettingId): fc.Arbitrary<Entry> {
  const stated = fc.record({ value: ANY_VALUE[setting], why: anyWhy }) as fc.Arbitrary<Stated<Values[SettingId]>>;
  const excepted = fc.tuple(stated, anyDay).map(([one, until]) => ({ ...one, until }));
  return fc
    .tuple(TARGETS[setting], fc.option(stated, { nil: undefined }), fc.option(excepted, { nil: undefined }))
    .filter(([, standing, exception]) => standing !== undefined || exception !== undefined)
    .map(([target, standing, exception]) => ({
      ...{ setting, target },
      ...(standing && { standing }),
      ...(exception && { exception }),
    }));
}

export const anyPolicy: fc.Arbitrary<Policy> = fc
  .tuple(fc.nat({ max: 1_000 }), fc.array(fc.oneof(...(Object.keys(ANY_VALUE) as SettingId[]).map(anyEntry))))
  .map(([revision, entries]) => ({
    revision,
    entries: Object.fromEntries(entries.map((entry) => [toEntryKey(entry.setting, entry.target), entry])),
  }));

export const WHY: Why = { by: 'U0KIM', reason: 'closing of the year', at: NOW };

export function aPolicy(...entries: Entry[]): Policy {
  return {
    revision: 42,
    entries: Object.fromEntries(entries.map((entry) => [toEntryKey(entry.setting, entry.target), entry])),
  };
}
