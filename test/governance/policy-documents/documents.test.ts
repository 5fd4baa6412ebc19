import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findImportEdits, type Import, readImport } from '../../../src/governance/policy-documents/import-document.ts';
import { readDocument } from '../../../src/governance/policy-documents/read-document.ts';
import { writeDocument } from '../../../src/governance/policy-documents/write-document.ts';
import { applyEdits, endEdit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY, isOver, type Policy } from '../../../src/policy/policy.ts';
import { toEntryKey } from '../../../src/policy/target.ts';
import { anyPolicy, aPolicy, NOW, WHY } from './policy-samples.ts';

function readBack(text: string) {
  const read = readDocument(text);
  if (read.kind !== 'policy') throw new Error(JSON.stringify(read));
  return read;
}

const toEntries = (read: ReturnType<typeof readBack>) =>
  Object.fromEntries(read.entries.map((entry) => [toEntryKey(entry.setting, entry.target), entry]));

const IMPORT = { currency: 'ServiceMessages', now: NOW, readInventory: async () => () => undefined };

const BY_IMPORT = { by: 'U0LEA', reason: 'imported from git', at: NOW + 1 };

/** What holds, without who decided it. An exception that is over is none. */
function toMeaning({ entries }: Policy) {
  return Object.entries(entries)
    .map(([key, { standing, exception }]) => ({
      key,
      standing: standing?.value,
      exception: exception && !isOver(exception.until, NOW) ? [exception.value, exception.until] : undefined,
    }))
    .filter(({ standing, exception }) => standing !== undefined || exception !== undefined)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}

describe('an exported policy', () => {
  it('says all of it: read back it is the same, and imported over any other makes that the same, whatever it holds', () => {
    const property = fc.property(anyPolicy, anyPolicy, fc.string({ unit: 'binary' }), (policy, present, name) => {
      const read = readBack(writeDocument(policy, { environment: () => name, agent: () => name }));

      expect(read.revision).toBe(policy.revision);
      expect(toEntries(read)).toEqual(policy.entries);
      expect(findImportEdits(policy, read.entries, { isWhole: true, now: NOW })).toEqual({ edits: [], ended: 0 });
      const { edits } = findImportEdits(present, read.entries, { isWhole: true, now: NOW });
      expect(toMeaning(applyEdits(present, edits, BY_IMPORT))).toEqual(toMeaning(policy));
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('is the same text whatever the order in which things were decided', () => {
    const property = fc.property(anyPolicy, (policy) => {
      const turned = { ...policy, entries: Object.fromEntries(Object.entries(policy.entries).reverse()) };
      // Ids that differ in case alone are the same entry, so there is one order.
      expect(writeDocument(turned)).toBe(writeDocument(policy));
    });
    fc.assert(property, { numRuns: 100 });
  });

  it('is easy to read', () => {
    const target = { environmentId: '123', agentId: 'bot-1', currency: 'ServiceMessages' };
    const limit = { credits: 500, noticeAt: 80, stopAtLimit: true };
    const exception = { value: { ...limit, credits: 800 }, why: WHY, until: '2026-12-31' };
    const policy = aPolicy({ setting: 'limit', target, standing: { value: limit, why: WHY }, exception });
    const names = { environment: () => 'Contoso # Production', agent: () => 'Travel\nPlanner' };

    expect(writeDocument(policy, names).split('\n').slice(3)).toEqual([
      'schema: 2',
      'revision: 42',
      'entries:',
      '  - environment: "123" # Contoso # Production',
      '    agent: bot-1 # Travel Planner',
      '    currency: ServiceMessages',
      '    limit: { credits: 500, noticeAt: 80, stopAtLimit: on }',
      '    why: { reason: closing of the year, by: U0KIM, at: "2026-11-24T12:00:00.000Z" }',
      '    exception:',
      '      limit: { credits: 800, noticeAt: 80, stopAtLimit: on }',
      '      why: { reason: closing of the year, by: U0KIM, at: "2026-11-24T12:00:00.000Z" }',
      '      until: 2026-12-31',
      '',
    ]);
  });
});

describe('an edited policy', () => {
  const target = { environmentId: 'e', agentId: 'a', currency: 'ServiceMessages' };
  const standing = { value: 'none' as const, why: WHY };
  const change = (text: string, present = aPolicy({ setting: 'limit', target, standing })) =>
    findImportEdits(present, readBack(`schema: 2\nentries:\n${text}`).entries, { isWhole: true, now: NOW });
  const ENTRY = '  - { environment: e, agent: a, currency: servicemessages, limit: none }\n';

  it('need not say who decided what stays as it is', () => {
    expect(change(ENTRY)).toEqual({ edits: [], ended: 0 });
  });

  it('is decided by who imports it, for the reason in the file', () => {
    const forged = 'why: { reason: trial, by: U0BOSS, approvedBy: U0CEO, at: 2020-01-01T00:00:00Z }';
    const limit = 'limit: { credits: 5, noticeAt: off, stopAtLimit: off }';
    const { edits } = change(
      `  - { environment: e, agent: a, currency: ServiceMessages, ${limit} }\n  - { environment: e, class: maker, ${forged} }\n`,
    );
    const { entries } = applyEdits(EMPTY_POLICY, edits, BY_IMPORT);

    expect(Object.values(entries)).toMatchObject([
      { standing: { value: { credits: 5, noticeAt: 'off', stopAtLimit: false }, why: BY_IMPORT } },
      { standing: { value: 'maker', why: { ...BY_IMPORT, reason: 'trial' } } },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/U0BOSS|U0CEO/);
  });

  it('ends what it does not have, and counts it', () => {
    expect(change('  []').ended).toBe(1);
    expect(change('  []').edits).toEqual([endEdit('limit', target)]);
  });

  it('never brings back an exception that is over, and says so', async () => {
    const over = `${ENTRY.replace(' }\n', '')}, exception: { limit: { credits: 5, noticeAt: off, stopAtLimit: on }, until: 2026-11-23 } }\n`;

    expect(change(over)).toEqual({ edits: [], ended: 0 });
    const read = readDocument(`schema: 2\nentries:\n${over}`);
    const { notes } = (await readImport(read, EMPTY_POLICY, IMPORT)) as Import;
    expect(notes).toEqual(['limit of a in e: the exception is over (2026-11-23), so it is not set.']);
  });
});

describe('a file with mistakes', () => {
  const problems = (text: string) => {
    const read = readDocument(text);
    return read.kind === 'problems' ? read.problems.map(({ line, sentence }) => `${line}: ${sentence}`) : read.kind;
  };
  const entry = (text: string) => problems(`schema: 2\nentries:\n  - ${text}`);

  it.each<[string, string, RegExp]>([
    ['a key', '{ enviroment: e, class: maker }', /^3: "enviroment" is not a key here. Did you mean environment\?/],
    ['a key of a value', '{ environment: e, agent: a, currency: c, limit: { credts: 5 } }', /Did you mean credits\?/],
    ['a class', '{ environment: e, class: "my class" }', /^3: Write the name of a class/],
    [
      'a number',
      '{ environment: e, currency: c, credits: { allocated: 1.5 } }',
      /^3: Write allocated: and a whole number/,
    ],
    ['a rule', '{ environment: e, currency: c, credits: { rules: { Deny: maybe } } }', /^3: Write Deny: on or off/],
    [
      'a percentage',
      '{ environment: e, agent: a, currency: c, limit: { credits: 5, noticeAt: 101, stopAtLimit: on } }',
      /noticeAt/,
    ],
    [
      'a day',
      '{ environment: e, stop: on, exception: { stop: off, until: 2026-02-30 } }',
      /^3: Write until: and the last day/,
    ],
    ['a pause', '{ workspace: T1, channel: C1, pause: { word: noon } }', /^3: Write the id of the channel, or "\*"/],
    ['a channel', '{ workspace: T1, channel: general, reply: all }', /^3: Write the id of the channel, or "\*"/],
    ['a mode', '{ workspace: T1, channel: C1, reply: always }', /^3: Write reply: and one of mentions, threads, all/],
    [
      'a cap',
      '{ workspace: T1, channel: C1, personCap: -1 }',
      /^3: Write personCap: and a whole number of questions a day/,
    ],
    [
      'more owners than one line can name',
      `{ environment: e, owners: [${Array(21).fill('o@contoso.example')}] }`,
      /^3: Write owners as a list of at most 20 /,
    ],
    ['nothing that it sets', '{ environment: e }', /^3: Write what this entry sets: one of standard, class/],
    ['two things', '{ environment: e, class: maker, stop: on }', /^3: Write class and stop as two entries/],
    ['a list in place of an entry', '[1]', /^3: Write each entry as a block/],
  ])('says what is wrong with %s, and on which line', (_, text, sentence) => {
    expect(entry(text)).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
  });

  it.each<[string, string, RegExp]>([
    ['no YAML', 'schema: 2\nentries: [', /^2: /],
    ['no policy', 'hello: world', /^1: /],
    ['a tab', 'schema: 2\nentries:\n\t- {}', /^3: Indent with spaces/],
    ['a key twice', 'schema: 2\nschema: 2\nentries: []', /^2: This key is there twice/],
    [
      'an entry twice',
      'schema: 2\nentries:\n- {environment: e, stop: on}\n- {environment: E, stop: off}',
      /^4: This entry is there twice/,
    ],
    ['another schema', 'schema: 3\nentries: []', /^1: Write schema: 2/],
  ])('with %s', (_, text, sentence) => {
    expect(problems(text)).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
  });

  it('is read in seconds also where one block has tens of thousands of keys', () => {
    const keys = Array.from({ length: 60_000 }, (_, at) => `key${at}: 1\n`).join('');

    expect(problems(keys)).toHaveLength(500);
    expect(problems(`${keys}key7: 1\n`)).toEqual(['60001: This key is there twice in one block. Keep one of the two.']);
  });

  it('is refused whole where it is too long, also by what is repeated in it', () => {
    const bomb = Array.from(
      { length: 9 },
      (_, at) => `b${at + 1}: &b${at + 1} [${'*b'.concat(String(at), ', ').repeat(9)}]`,
    );

    expect(problems(`${'#'.repeat(4 * 1024 * 1024)}\n`)).toEqual([expect.stringContaining('4 MB')]);
    expect(problems(['b0: &b0 [1]', ...bomb].join('\n'))).toEqual([expect.stringContaining('500,000 values')]);
  });

  it('has no limit where it names one that caps nothing: the service shows it as none', () => {
    const { entries } = readBack(
      'schema: 2\nentries:\n  - { environment: e, agent: a, currency: C, limit: { credits: 0, noticeAt: off, stopAtLimit: off } }\n',
    );
    expect(entries[0]?.standing?.value).toBe('none');
  });

  it('never throws, whatever it says', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), (text) => {
      readDocument(text);
      readDocument(`schema: 2\nentries:\n  - ${text}`);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
