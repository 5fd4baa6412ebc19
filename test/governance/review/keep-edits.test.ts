import { describe, expect, it } from 'vitest';
import { type EndingException, isKeepable } from '../../../src/governance/review/finding.ts';
import { toKeepEdits } from '../../../src/governance/review/keep-form.ts';
import { setEdit, withUntil } from '../../../src/policy/edit.ts';
import { type Policy, readCredits, readEntry, readLimit } from '../../../src/policy/policy.ts';
import { CURRENCY } from '../samples.ts';
import { NOW } from '../world.ts';
import { aSeen, reviewSeen, type SeenOptions } from './a-seen.ts';
import { LIMIT, toPolicy } from './a-tenant.ts';

const ENV = { environmentId: 'env-1' };
const AGENT = { ...ENV, agentId: 'env-1-agent-1' };
const LIMITED = { ...AGENT, currency: CURRENCY };
const ALLOCATED = { ...ENV, currency: CURRENCY };
const RULES = { Alert: true, TenantPool: false, PayGo: false, Deny: true };
const MAKER = { limit: LIMIT, credits: { [CURRENCY]: { allocated: 1_000, rules: { TenantPool: false } } } };
const POLICY = toPolicy([setEdit('standard', { className: 'maker' }, MAKER), setEdit('class', ENV, 'maker')]);
const IN_ORDER: SeenOptions = {
  thresholds: { 'env-1-agent-1': { limit: LIMIT, stopped: false } },
  credits: { 'env-1': { [CURRENCY]: { allocated: 1_000, rules: RULES } } },
};

/** Keeps the one finding. */
function keep(options: SeenOptions, until?: string, policy: Policy = POLICY) {
  const seen = aSeen({ ...IN_ORDER, ...options });
  const [finding] = reviewSeen(policy, seen).findings;
  if (finding === undefined || !('item' in finding)) throw new Error('nothing differs');
  expect(isKeepable(finding.item)).toBe(true);
  const edits = toKeepEdits(finding, policy, NOW).map((edit) => withUntil(edit, until));
  const kept = toPolicy(edits, policy);
  return { edits, kept, left: (now = NOW) => reviewSeen(kept, seen, { now }).findings };
}

describe('keeping what was found', () => {
  it('makes a limit the approved one, for good', () => {
    const { edits, kept, left } = keep({ thresholds: { 'env-1-agent-1': { limit: 'none', stopped: false } } });

    expect(edits).toEqual([setEdit('limit', LIMITED, 'none', undefined)]);
    expect(readLimit(kept, LIMITED, { now: NOW, defaultCurrency: CURRENCY })).toMatchObject({
      value: 'none',
      level: 'entry',
    });
    expect(left()).toEqual([]);
  });

  it('makes it an exception where there is a last day, after which it is a difference again', () => {
    const { left } = keep({ thresholds: { 'env-1-agent-1': { limit: 'none', stopped: false } } }, '2027-01-31');

    expect(left()).toEqual([]);
    expect(left(Date.parse('2027-02-01T00:00:00Z'))).toMatchObject([{ group: 'more' }]);
  });

  it('leaves the limit as it is approved where only a stop was made elsewhere', () => {
    const { edits, left } = keep({ thresholds: { 'env-1-agent-1': { limit: LIMIT, stopped: true } } });

    expect(edits).toEqual([setEdit('stop', AGENT, true, undefined)]);
    expect(left()).toEqual([]);
  });

  it('states of credits what differs, beside what is stated of this environment already', () => {
    const own = toPolicy([setEdit('credits', ALLOCATED, { rules: { Deny: true } })], POLICY);
    const found = { allocated: 9_000, rules: { ...RULES, TenantPool: true } };
    const { kept, left } = keep({ credits: { 'env-1': { [CURRENCY]: found } } }, undefined, own);

    expect(readEntry(kept, 'credits', ALLOCATED, NOW)?.value).toEqual({
      allocated: 9_000,
      rules: { Deny: true, TenantPool: true },
    });
    expect(readCredits(kept, ALLOCATED, NOW)?.value.allocated).toBe(9_000);
    expect(left()).toEqual([]);
  });

  it('is not offered where there is nothing to keep', () => {
    const seen = aSeen({ ...IN_ORDER, credits: {} });
    const [finding] = reviewSeen(POLICY, seen).findings;

    expect(finding && 'item' in finding && isKeepable(finding.item)).toBe(false);
  });

  it('makes an exception last longer, or for good', () => {
    const policy = toPolicy([setEdit('limit', LIMITED, 'none', '2026-12-01')], POLICY);
    const seen = aSeen({ ...IN_ORDER, thresholds: { 'env-1-agent-1': { limit: 'none', stopped: false } } });
    const ending = reviewSeen(policy, seen).findings.find((one): one is EndingException => one.group === 'ending');
    if (ending === undefined) throw new Error('nothing ends');

    const keep = (until?: string) => toKeepEdits(ending, policy, NOW).map((edit) => withUntil(edit, until));
    expect(keep('2027-03-31')).toEqual([setEdit('limit', LIMITED, 'none', '2027-03-31')]);
    const anew = toPolicy([setEdit('limit', LIMITED, 'none', '2026-12-31')], policy);
    expect(toKeepEdits(ending, anew, NOW)).toEqual([]);
    const forGood = toPolicy(keep(), policy);
    expect(readEntry(forGood, 'limit', LIMITED, NOW)).toMatchObject({ level: 'entry', value: 'none' });
  });
});
