// What an admin fills in about a finding: what will do, and the sentence about what will not.
import { describe, expect, it } from 'vitest';
import {
  findLastDayProblem,
  parseApprovedLimit,
  parseOwners,
  toLatestDay,
} from '../../../src/governance/review/decisions.ts';
import type { AgentFinding } from '../../../src/governance/review/finding.ts';
import { findLimitProblem, withExceptionsOfNow } from '../../../src/governance/review/recheck.ts';
import { toStandards } from '../../../src/governance/review/standards.ts';
import {
  aCurrency,
  anAllocation,
  aRegister,
  aRegisteredEnvironment,
  aWorld,
  CURRENCY,
  holdingOne,
  NOW,
  reviewWorld,
} from './review-world.ts';

describe('the last day of an exception', () => {
  it.each(['2026-03-05', '2026-12-31', '2027-03-04'])('may be %s', (day) => {
    expect(findLastDayProblem(day, NOW)).toBeUndefined();
  });

  it.each([
    ['', 'Choose the last day'],
    ['2026-02-30', 'Choose the last day'],
    ['2026-03-03', 'Choose a day after today, which is 4 Mar 2026 in UTC.'],
    ['2026-03-04', 'Choose a day after today'],
    ['2027-03-05', 'Choose a day up to 4 Mar 2027: an exception holds for a year at most'],
  ])('is not %s', (day, sentence) => {
    expect(findLastDayProblem(day, NOW)).toContain(sentence);
  });

  it('is a day of the calendar also a year after the 29th of February', () => {
    expect(toLatestDay(Date.parse('2028-02-29T12:00:00Z'))).toBe('2029-03-01');
  });
});

describe('owners', () => {
  it('are people in Slack and addresses, each once', () => {
    expect(parseOwners(' Ana@x.example, ben@x.example;ana@x.example\n', ['U1', 'U1'])).toEqual({
      ok: true,
      owners: ['U1', 'ana@x.example', 'ben@x.example'],
    });
    expect(parseOwners('', [])).toEqual({ ok: true, owners: [] });
  });

  it.each(['ana', 'ana@x', '@x.example', '<!channel>', `${'a'.repeat(250)}@x.example`])('are not %s', (typed) => {
    expect(parseOwners(`ben@x.example ${typed}`, [])).toMatchObject({ ok: false });
  });

  it('are not a crowd', () => {
    const many = Array.from({ length: 21 }, (_, index) => `a${index}@x.example`).join(',');

    expect(parseOwners(many, [])).toEqual({ ok: false, sentence: 'Name at most 20 owners in all.' });
  });
});

describe('the limit that is approved', () => {
  const form = { limit: '1,000', notify: true, notificationThreshold: '75', stopWhenReached: true };
  const rest = { stopDecision: undefined, isNone: false };

  it('is what was typed and ticked', () => {
    expect(parseApprovedLimit({ ...form, ...rest })).toEqual({
      ok: true,
      limit: { monthlyLimit: 1_000, alertAt: 75, stopWhenReached: 'on' },
    });
    expect(parseApprovedLimit({ ...form, ...rest, notify: false, stopWhenReached: false })).toMatchObject({
      limit: { alertAt: 'off', stopWhenReached: 'off' },
    });
  });

  it('may be none, whatever else was typed', () => {
    expect(parseApprovedLimit({ ...form, ...rest, limit: '-1', isNone: true })).toEqual({
      ok: true,
      limit: { monthlyLimit: 'none' },
    });
  });

  it.each(['', '-5', '1,5', 'lots', '99999999999999999999'])('is not “%s”', (limit) => {
    expect(parseApprovedLimit({ ...form, ...rest, limit })).toMatchObject({
      ok: false,
      errors: { limit: expect.any(String) },
    });
  });
});

describe('what can still be decided', () => {
  it('is what nobody has accepted since', async () => {
    const world = aWorld({ allocations: new Map([['env-1', anAllocation(aCurrency({ allocated: 9 }))]]) });
    const { environment } = holdingOne(await reviewWorld(world));
    const accepts = { setting: 'allocated' as const, currency: CURRENCY, value: 9 };
    const exceptions = [{ agent: undefined, accepts, reason: 'Agreed', approver: 'U1', expiresOn: '2026-03-31' }];
    const register = aRegister({ environments: [aRegisteredEnvironment({ exceptions })] });

    const before = withExceptionsOfNow(environment, toStandards(aRegister()), NOW);
    const after = withExceptionsOfNow(environment, toStandards(register), NOW);
    const later = withExceptionsOfNow(environment, toStandards(register), Date.parse('2026-04-01T00:00:00Z'));

    expect(before).toEqual(environment);
    expect(after).toMatchObject({ status: 'approved_exception', expiresOn: '2026-03-31' });
    expect(later).toMatchObject({ status: 'drift', differences: [{ exception: { isExpired: true } }] });
  });

  it('is a limit only where the environment is classified, and nobody has said it', async () => {
    const world = aWorld({
      register: aRegister({ environments: [aRegisteredEnvironment({ unnamedAgents: undefined })] }),
    });
    const { agents } = holdingOne(await reviewWorld(world));
    const agent = agents[0] as AgentFinding;
    const find = (register: Parameters<typeof toStandards>[0]) => findLimitProblem(agent, toStandards(register));

    expect(find(world.register)).toBeUndefined();
    expect(find(aRegister({ environments: [] }))).toContain('Classify the environment first');
    expect(find(aRegister())).toContain('says by now which limit this agent is to have');
  });
});
