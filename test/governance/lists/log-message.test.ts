// `/assistant-admin log`: who did what, and why.
import { beforeEach, describe, expect, it } from 'vitest';
import type { LinkedEntry } from '../../../src/audit/audit-log.ts';
import { logCommand, registerLog } from '../../../src/governance/lists/log-message.ts';
import { buttonsOf, sectionsOf } from '../world.ts';
import { aListWorld, type ListWorld } from './list-world.ts';
import { aLog } from './log-entries.ts';

const LIMIT = { credits: 2_000, noticeAt: 80, stopAtLimit: false } as const;

const CHANGE: Partial<LinkedEntry> = {
  ...{ at: Date.parse('2026-03-04T13:05:00Z'), policy: 42, reason: 'Trial of the travel desk' },
  who: { user: 'U0KIM', approver: 'U0ANA' },
  subject: { environmentId: 'env-1', agentId: 'a1', planId: '7f3a00000000' },
  ...{ before: { limit: 'none', stopped: false }, after: { limit: LIMIT, stopped: false } },
};

let world: ListWorld;
let entries: Partial<LinkedEntry>[];

beforeEach(() => {
  world = aListWorld();
  entries = [CHANGE];
  Object.assign(world.services, { timeZone: async () => 'Europe/Berlin' });
});

/** Names are those that were read before. */
async function log(typed = ''): Promise<string> {
  await world.remember();
  Object.assign(world.services, { audit: aLog(entries) });
  return sectionsOf(await world.run(logCommand(typed, world.services), 'auditor'));
}

async function press(wanted: string): Promise<string> {
  const button = buttonsOf(world.said.at(-1)).find(({ label }) => label === wanted);
  await world.listen(registerLog).press(button?.id ?? '', button?.value ?? '');
  return sectionsOf(world.said.at(-1));
}

describe('the log', () => {
  it('answers who allowed this limit in March', async () => {
    expect(await log('travel 2026-03')).toBe(
      [
        '*Log* “travel 2026-03”: the latest first',
        '*Set: Travel Planner* in Contoso Production',
        'limit none → 2,000 credits · notice at 80 % · goes on at the limit · ✓ read back',
        'policy 42 · <@U0KIM> · <@U0ANA> (approver)',
        '“Trial of the travel desk”',
        '4 Mar 2026, 14:05 CET',
      ].join('\n'),
    );
    expect(await log('travel 2026-04')).toBe('*Log*: nothing fits “travel 2026-04”.');
    expect(await log('2026-03-04')).toContain('Travel Planner');
  });

  it('turns pages in place', async () => {
    entries = Array.from({ length: 25 }, (_, index) => ({ ...CHANGE, reason: `Reason number ${index}` }));

    expect(await log()).toContain('Reason number 24');
    expect(await press('Older')).toContain('Reason number 14');
    expect(await press('Older')).toContain('Reason number 0”');
    expect(await press('Newest')).toContain('Reason number 24');
  });

  it('is sent as a file with all that fits', async () => {
    entries = [...Array.from({ length: 25 }, () => CHANGE), { ...CHANGE, reason: '=1+1 is a formula' }];
    await log('travel');
    await press('CSV');
    await log('travel csv');

    expect(world.files[0]?.comment).toContain('26 rows');
    expect(world.files[0]?.content).toContain(",'=1+1 is a formula,");
    expect(world.files[1]?.content).toBe(world.files[0]?.content);
  });

  it('says what is no month, and has no filters', async () => {
    expect(await log('stopped')).toContain('`stopped` is no filter here');
  });

  it.each([
    [
      {
        what: 'policy_set',
        after: { setting: 'limit', value: LIMIT, until: '2026-12-31' },
        before: { setting: 'limit' },
      },
      'until 31 Dec 2026: no monthly limit → monthly limit 2,000 credits · notice at 80 % · goes on at the limit · ✓ done',
    ],
    [
      {
        what: 'policy_set',
        before: { setting: 'credits', value: { allocated: 30_000, rules: { Alert: true, Deny: true } } },
        after: {
          ...{ setting: 'credits', value: { allocated: 60_000, rules: { Alert: true, Deny: false } } },
          until: '2026-12-31',
        },
      },
      '\nuntil 31 Dec 2026: credits 30,000 → 60,000 · Deny when used up on → off · ✓ done',
    ],
    [
      {
        what: 'policy_set',
        before: { setting: 'limit', value: LIMIT, until: '2026-11-30' },
        after: { setting: 'limit', value: LIMIT, until: '2026-12-31' },
      },
      '\nuntil 31 Dec 2026: as it was · ✓ done',
    ],
    [
      { what: 'policy_imported', policy: 12, after: { sha256: '3fa9c1b24d'.padEnd(64, '0'), changes: 2 } },
      '\n2 changes · file 3fa9c1b · ✓ done\npolicy 12 · ',
    ],
    [
      { what: 'policy_imported', after: { sha256: '3fa9c1b24d', changes: 2 }, outcome: { kind: 'begun' } },
      '\n2 changes · file 3fa9c1b · shown as a plan\n',
    ],
    [{ what: 'plan_confirmed', after: { hash: 'x', edits: 1, items: 3 } }, '\n3 changes · ✓ done'],
    [{ before: 'unknown', after: { limit: 'none', stopped: true } }, 'unknown → stopped · ✓ done'],
    [
      { before: {}, after: { X: { allocated: 5, rules: { TenantPool: true } } } },
      'credits none → 5 · Draw on the tenant pool not set → on · ✓ done',
    ],
    [
      {
        what: 'policy_set',
        before: { setting: 'webSearch' },
        after: { setting: 'webSearch', value: false },
      },
      'web search is inherited → web search always off · ✓ done',
    ],
    [
      {
        after: CHANGE.after,
        before: CHANGE.before,
        outcome: { kind: 'conflict', found: { limit: 'none', stopped: true } },
      },
      'changed by somebody else: found: stopped',
    ],
  ] as [Partial<LinkedEntry>, string][])('says what changed: %j', async (entry, line) => {
    entries = [{ outcome: { kind: 'done' }, ...entry }];

    expect(await log()).toContain(line);
  });

  it('shows people of other teams, programs and unknown kinds as they are', async () => {
    entries = [
      { what: 'odd_thing' as never, team: 'T2', who: { user: 'U9' }, after: { someThing: 'x', anyHash: 'y' } },
      { what: 'entries_forgotten', team: '', who: {}, outcome: { kind: 'done' } },
    ];

    const text = await log();

    expect(text).toContain('*odd thing*\nsome thing: x · ✓ read back\nU9 of T2');
    expect(text).toContain('*Old entries of this log removed*\n✓ done\nthis app by itself');
  });
});
