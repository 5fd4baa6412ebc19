import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findImportEdits } from '../../../src/governance/policy-documents/import-document.ts';
import { readDocument } from '../../../src/governance/policy-documents/read-document.ts';
import { type ConvertOptions, convertRegister } from '../../../src/governance/policy-documents/register.ts';
import { applyEdits } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY, type Policy, readClass, readCredits, readEntry, readLimit } from '../../../src/policy/policy.ts';
import { NOW } from './policy-samples.ts';

const EXAMPLE = readFileSync(new URL('register.yaml', import.meta.url), 'utf8');
const [PRODUCTION, LAB, DEFAULT] = [
  '11111111-0000-4000-8000-000000000001',
  '22222222-0000-4000-8000-000000000002',
  'Default-33333333-0000-4000-8000-000000000003',
] as const;
const currency = 'ServiceMessages';

const findKnown: ConvertOptions['findAgent'] = (_, id) => (id === 'gone' ? undefined : `agent-${id}`);

function convert(
  text: string,
  findAgent: ConvertOptions['findAgent'] = findKnown,
): { policy: Policy; notes: string[] } {
  const read = readDocument(text);
  if (read.kind !== 'register') throw new Error(JSON.stringify(read));
  const { entries, notes } = convertRegister(read.register, { currency, findAgent, now: NOW });
  const { edits } = findImportEdits(EMPTY_POLICY, entries, { isWhole: false, now: NOW });
  return { policy: applyEdits(EMPTY_POLICY, edits, { by: 'U0KIM', reason: 'taken over', at: NOW }), notes };
}

const options = { now: NOW, defaultCurrency: currency };

describe('the example of a register', () => {
  const { policy, notes } = convert(EXAMPLE);
  const creditsOf = (environmentId: string, name = currency, now = NOW) =>
    readCredits(policy, { environmentId, currency: name }, now)?.value;
  const limitOf = (environmentId: string, agentId: string, now = NOW) =>
    readLimit(policy, { environmentId, agentId, currency }, { ...options, now })?.value;

  it('is taken over without loss: what was accepted is set from now on', () => {
    expect(notes).toEqual([
      `2 exceptions in environment ${PRODUCTION}: accepted before, and set from now on until the last day.`,
    ]);
  });

  it('approves the same credits and rules, and governs nothing that was left to the platform', () => {
    expect(creditsOf(LAB)).toEqual({ allocated: 1_000, rules: { Alert: true, PayGo: false, Deny: false } });
    expect(creditsOf(PRODUCTION, 'AI')).toEqual({ allocated: 10, rules: { Alert: true, Deny: false } });
    expect(creditsOf(DEFAULT)).toBeUndefined();
  });

  it('approves the same limits: of agents that are named, and of all others by their class', () => {
    const standard = { credits: 500, noticeAt: 80, stopAtLimit: true };

    expect(limitOf(LAB, 'agent-bot-1')).toEqual({ ...standard, credits: 200 });
    expect(limitOf(LAB, 'agent-bot-5')).toBe('none');
    expect(limitOf(LAB, 'another')).toEqual(standard);
    expect(limitOf(DEFAULT, 'another')).toBe('none');
    expect(limitOf(PRODUCTION, 'another')).toBeUndefined();
  });

  it('keeps exceptions with their last day and reason', () => {
    const [last, over] = [Date.parse('2027-01-31T23:59:59Z'), Date.parse('2027-02-01T00:00:00Z')];

    expect(creditsOf(PRODUCTION, currency, last)).toMatchObject({ allocated: 30_000, rules: { TenantPool: true } });
    expect(creditsOf(PRODUCTION, currency, over)).toMatchObject({ allocated: 25_000, rules: { TenantPool: true } });
    expect(limitOf(PRODUCTION, 'agent-bot-1', last)).toMatchObject({ credits: 8_000, noticeAt: 80 });
    expect(limitOf(PRODUCTION, 'agent-bot-1', over)).toMatchObject({ credits: 5_000 });
    const target = { environmentId: PRODUCTION, agentId: 'agent-bot-1', currency };
    expect(readEntry(policy, 'limit', target, NOW)).toMatchObject({
      level: 'exception',
      until: '2027-01-31',
      why: { by: 'U0KIM', reason: 'Closing of the fiscal year, ticket FIN-1234 (approved by kim@contoso.example)' },
    });
  });

  it('keeps owners, and makes a class of each kind of environment', () => {
    expect([PRODUCTION, LAB, DEFAULT].map((id) => readClass(policy, id, NOW))).toEqual([
      'production',
      'maker-2',
      'maker-3',
    ]);
    expect(readEntry(policy, 'owners', { environmentId: PRODUCTION }, NOW)?.value).toEqual(['ana@contoso.example']);
    const agent = { environmentId: PRODUCTION, agentId: 'agent-bot-1' };
    expect(readEntry(policy, 'owners', agent, NOW)?.value).toEqual(['ben@contoso.example']);
  });
});

describe('a register', () => {
  const register = (environment: string) => `schema: 1\nenvironments:\n  - { id: e, ${environment} }\n`;

  it('has no more owners than one line of a plan can name', () => {
    const owners = Array(21).fill('ana@contoso.example');
    const read = readDocument(register(`classification: undecided, owners: [${owners}]`));

    expect(JSON.stringify(read)).toContain('a list of at most 20 ');
  });

  it('says what cannot be taken over', () => {
    const both = (until: string, value: number) =>
      `{ setting: allocated, currency: c, value: ${value}, reason: r, approver: a, expires: ${until} }`;
    const text = register(
      `classification: maker-development, allocations: none, agents: [{ id: gone, monthlyLimit: none }], exceptions: [${both('2026-01-31', 4)}, ${both('2027-01-31', 5)}, ${both('2026-12-31', 6)}, { setting: alertAt, agent: x, value: 50, reason: r, approver: a, expires: 2027-01-01 }]`,
    );

    expect(convert(text).notes).toEqual([
      'Agent gone of environment e is not known: its id is taken as it is.',
      'allocated of c in e: the exception is over (2026-01-31), so it is not set.',
      '3 exceptions in environment e: accepted before, and set from now on until the last day.',
      'The 2 exceptions for c of environment e are one now, with the first of their last days.',
      'The exception for agent x cannot be kept: nothing else is approved of it.',
    ]);
    expect(convert(register('classification: undecided'))).toMatchObject({
      policy: { entries: {} },
      notes: ['Environment e is undecided in the file: the next review shows it as new.'],
    });
  });

  it('loses no exception of one target that is written in two ways', () => {
    const accepted = (what: string) => `{ ${what}, reason: r, approver: a, expires: 2027-01-31 }`;
    const exceptions = [
      'setting: allocated, value: 5',
      'setting: Deny, currency: servicemessages, value: off',
      'setting: monthlyLimit, agent: bot-1, value: 7',
      'setting: alertAt, agent: resource-1, value: 50',
    ];
    const text = register(
      `classification: maker-development, allocations: { ServiceMessages: { allocated: 1, rules: { Deny: on } } }, exceptions: [${exceptions.map(accepted).join(', ')}]`,
    );
    const { policy } = convert(text, () => 'agent-1');

    expect(readCredits(policy, { environmentId: 'e', currency }, NOW)?.value).toEqual({
      ...{ allocated: 5, rules: { Deny: false } },
    });
    const agent = { environmentId: 'e', agentId: 'agent-1', currency };
    expect(readLimit(policy, agent, options)?.value).toMatchObject({ credits: 7, noticeAt: 50 });
  });

  it('with mistakes says on which line', () => {
    const read = readDocument(EXAMPLE.replace('monthlyLimit: 5000', 'monthlylimt: 5000'));

    expect(read).toMatchObject({ kind: 'problems' });
    expect(JSON.stringify(read)).toContain('Did you mean monthlyLimit?');
  });
});
