import { checkView } from '@assistant-bridge/sandbox/slack/blocks/check-view.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Allocation } from '../../../src/admin-api/licensing-wire.ts';
import {
  type AllocationShown,
  buildAllocationModal,
  buildEnvironmentChoice,
  listCurrencies,
  parseAllocationState,
  readAllocationForm,
  toAllocationErrors,
} from '../../../src/governance/allocations/allocation-form-views.ts';
import { ALLOCATION_KIND } from '../../../src/governance/allocations/allocation-kind.ts';
import { type AllocationPlan, parseAllocationForm } from '../../../src/governance/allocations/allocation-plan.ts';
import type { AppliedOutcome } from '../../../src/governance/changes/carry-out-once.ts';
import type { PlannedChange } from '../../../src/governance/changes/change-kind.ts';
import {
  buildApplyingModal,
  buildChangeOutcome,
  buildOutcomeModal,
  buildRepeatedOutcome,
} from '../../../src/governance/changes/change-views.ts';
import { buildConfirmation } from '../../../src/governance/changes/slack-confirmation.ts';
import { findMessageProblems, readTexts } from '../limits/limit-samples.ts';
import { NOW } from '../shell/samples.ts';
import { ALL_OFF, aCurrency, anAllocation, aPlan, CURRENCY } from './samples.ts';

const BERLIN = { currency: CURRENCY, timeZone: 'Europe/Berlin' };
const STATE = { shown: 'kept-1', place: 0 };
const CONFIRM = { timeZone: 'Europe/Berlin', changeId: 'change-1', isPushed: true };

type AllocationOutcome = AppliedOutcome<Allocation, Allocation | 'none', never>;

const confirm = (plan: AllocationPlan, environmentName = 'Production') =>
  buildConfirmation(ALLOCATION_KIND, { kind: 'allocation', plan, environmentName }, CONFIRM);
const findProblems = (view: object) => checkView({ ...view } as Parameters<typeof checkView>[0], 'modal');
const findBlock = (view: { blocks: { block_id?: string }[] }, id: string) =>
  JSON.parse(JSON.stringify(view.blocks.find(({ block_id }) => block_id === id) ?? null)) as {
    element: Record<string, unknown>;
  } | null;

function aShown(allocation: Allocation, values: Partial<AllocationShown> = {}): AllocationShown {
  return { environmentName: 'Production', allocation, readAt: NOW, usage: [], ...values };
}

/** Throttle is a rule that the contract does not name. */
const TWO = anAllocation(
  aCurrency({ allocated: 25_000 }, { Alert: true, TenantPool: false, Deny: 'unknown', Throttle: true }),
  aCurrency({ currencyType: 'AI', allocated: 10 }),
);

describe('the form', () => {
  it('shows all currencies, their rules, what is kept, and what is used', () => {
    const usage = [
      {
        ...{ currencyType: CURRENCY, unit: 'Credit', consumed: 18_250, capacity: 25_000, share: 0.73 },
        ...{ payGoConsumed: 0, asOf: NOW, isStale: false, forecast: undefined },
      },
    ];

    const view = buildAllocationModal(aShown(TWO, { usage }), STATE, BERLIN);

    const text = readTexts(view);
    expect(findProblems(view)).toEqual([]);
    expect(text).toContain('*ServiceMessages*: 25,000 credits allocated; automatically: 5');
    expect(text).toContain(
      'Alert administrators: on · Draw on the tenant pool: off · Pay as you go: platform default · Deny when used up: unknown',
    );
    expect(text).toContain('Kept as it is: Throttle (on)');
    expect(text).toContain('Used: 18,250 of 25,000 (73 %), as of 4 Mar 2026, 14:05 CET');
    expect(text).toContain('*AI*: 10 credits allocated');
    expect(text).toContain('Read from the service on 4 Mar 2026, 14:05 CET.');
  });

  it('rounds down what is used: credits that are left show', () => {
    const used = { currencyType: CURRENCY, unit: 'Credit', consumed: 999, capacity: 1_000, share: 0.999 };
    const usage = [{ ...used, payGoConsumed: 0, asOf: NOW, isStale: false, forecast: undefined }];

    expect(readTexts(buildAllocationModal(aShown(TWO, { usage }), STATE, BERLIN))).toContain(
      'Used: 999 of 1,000 (99 %)',
    );
  });

  it('says where the consumption could not be read, and what became of a change that broke off', () => {
    const interrupted = { user: 'U1', at: NOW, outcome: { kind: 'verified', written: 'yes' } } as const;

    const text = readTexts(buildAllocationModal(aShown(TWO, { usage: 'unreadable', interrupted }), STATE, BERLIN));

    expect(text).toContain('What is used of it could not be read.');
    expect(text).toContain('A change by <@U1> of 4 Mar 2026, 14:05 CET broke off. It had been made');
  });

  it('chooses nothing beforehand where it cannot be told what holds', () => {
    const view = buildAllocationModal(aShown(TWO), STATE, BERLIN);

    const initial = ['alert_0', 'tenantpool_0', 'paygo_0', 'deny_0'].map(
      (id) => (findBlock(view, id)?.element.initial_option as { value?: string } | undefined)?.value,
    );
    expect(initial).toEqual(['on', 'off', undefined, undefined]);
    expect(findBlock(view, 'allocated_0')?.element.initial_value).toBe('25000');
  });

  it('says how far the right to allocate reaches', () => {
    const view = buildAllocationModal(aShown(TWO), STATE, BERLIN);

    expect(readTexts(view)).toContain('reaches over all environments of the tenant');
  });

  it('is that of another currency with fields of its own', () => {
    const view = buildAllocationModal(aShown(TWO), { ...STATE, place: 1 }, BERLIN);

    expect(findProblems(view)).toEqual([]);
    expect(readTexts(view)).toContain('Set the credits of *AI*');
    expect(findBlock(view, 'allocated_1')?.element.initial_value).toBe('10');
    expect(findBlock(view, 'allocated_0')).toBeNull();
  });

  it('offers the currency that agents use where the service has none', () => {
    const none: Allocation = { environmentId: 'env-1', currencyAllocations: [], others: {} };

    const view = buildAllocationModal(aShown(none), STATE, BERLIN);

    expect(findProblems(view)).toEqual([]);
    expect(listCurrencies(none, CURRENCY)).toEqual([CURRENCY]);
    expect(listCurrencies(anAllocation(aCurrency({ currencyType: 'servicemessages' })), CURRENCY)).toEqual([
      'servicemessages',
    ]);
    expect(readTexts(view)).toContain('the service lists no currency here');
    expect(findBlock(view, 'allocated_0')?.element).not.toHaveProperty('initial_value');
  });

  it('carries where it is kept what is shown, and is not read from anything else', () => {
    const { private_metadata: metadata = '' } = buildAllocationModal(aShown(TWO), { ...STATE, replyTo: 'D1' }, BERLIN);
    const others = ['', 'null', '{"schema":1}', '{{', '{"schema":1,"shown":"x","place":-1}'];

    expect(parseAllocationState(metadata)).toMatchObject({ shown: 'kept-1', place: 0, replyTo: 'D1' });
    expect(others.map(parseAllocationState)).toEqual(Array(5).fill(undefined));
  });

  it('is read back raw, and gets each sentence at its field', () => {
    const values = {
      allocated_1: { value: { value: ' 1,000' } },
      alert_1: { value: { selected_option: { value: 'on' } } },
      deny_1: { value: { selected_option: { value: 'off' } } },
    };
    const form = readAllocationForm(values, 1, 'AI');
    const parsed = parseAllocationForm({ ...form, allocated: '-1' });

    const errors = parsed.ok ? {} : toAllocationErrors(parsed.errors, 1);

    const view = buildAllocationModal(aShown(TWO), { ...STATE, place: 1 }, BERLIN);
    expect(form).toEqual({
      currencyType: 'AI',
      allocated: ' 1,000',
      rules: { Alert: 'on', TenantPool: undefined, PayGo: undefined, Deny: 'off' },
    });
    expect(errors).toMatchObject({ allocated_1: 'Credits cannot be negative. Enter 0 or more.' });
    expect(Object.keys(errors)).toEqual(['allocated_1', 'tenantpool_1', 'paygo_1']);
    for (const block of Object.keys(errors)) expect(findBlock(view, block)).not.toBeNull();
  });
});

describe('the confirmation', () => {
  it('shows old → new, what breaks running agents, what is kept, and whether it loosens', () => {
    const plan = aPlan(TWO, { allocated: 30_000, rules: { PayGo: true, Deny: true } });

    const view = confirm(plan);

    const text = readTexts(view);
    expect(findProblems(view)).toEqual([]);
    expect(text).toContain('*Production*');
    expect(text).toContain('Allocated: 25,000 credits → *30,000 credits*');
    expect(text).toContain('Pay as you go: platform default → *on*');
    expect(text).toContain('Alert administrators: on (unchanged)');
    expect(text).toContain(':warning: When the credits are used up, all agents of this environment stop');
    expect(text).toContain('This allows more to be spent than before.');
    expect(text).toContain('Sent along exactly as it is now: the currency AI, and the rule Throttle.');
    expect(findBlock(view, 'reason')).not.toBeNull();
  });

  it('names no loosening where there is none, and says where it cannot be told', () => {
    const tighter = confirm(aPlan(anAllocation(), { allocated: 1 }));
    const before = anAllocation(aCurrency({}, { Alert: true, TenantPool: true, Deny: true }));
    const untold = confirm(aPlan(before, { rules: { PayGo: true } }));

    expect(readTexts(tighter)).not.toContain('more');
    expect(readTexts(untold)).toContain('Whether this allows more than before cannot be told');
  });

  it('has nothing to confirm where it is set already', () => {
    const view = confirm(aPlan(anAllocation(), {}));

    expect(findProblems(view)).toEqual([]);
    expect(readTexts(view)).toContain('there is nothing to change');
    expect(view.submit).toBeUndefined();
  });
});

describe('the outcome', () => {
  const plan = aPlan(TWO, { allocated: 30_000, rules: { PayGo: false, Deny: true } });
  const change = { kind: 'allocation', plan, environmentName: '<b>"Prod"' } as const;
  const tell = (outcome: AllocationOutcome) => {
    const message = buildChangeOutcome(ALLOCATION_KIND, change, outcome, BERLIN);
    expect(findMessageProblems(message)).toEqual([]);
    expect(findProblems(buildOutcomeModal(ALLOCATION_KIND.topic, message))).toEqual([]);
    return readTexts(message.blocks);
  };
  const other = anAllocation(
    aCurrency({ allocated: 7 }, { Alert: true, TenantPool: true, Deny: 'unknown', Throttle: false }),
  );
  const conflict = { kind: 'conflict', expected: TWO, found: other } as const;

  it.each<[string, AllocationOutcome, string[]]>([
    ['verified', { kind: 'verified' }, ['*Verified*', '*&lt;b&gt;"Prod"*', '25,000 credits → *30,000 credits*']],
    [
      'unverified',
      { kind: 'applied_not_verified', reason: 'still_old' },
      ['*Applied, not verified*', 'the old values'],
    ],
    ['unanswered', { kind: 'applied_not_verified', reason: 'no_answer' }, ['may or may not be set']],
    [
      'a conflict',
      { ...conflict, stage: 'before_write' },
      [
        'Nothing was changed',
        'ServiceMessages, Allocated: expected 25,000 credits, found *7 credits*',
        'ServiceMessages, Draw on the tenant pool: expected off, found *on*',
        'ServiceMessages, Throttle: expected on, found *off*',
        'AI, Allocated: expected 10 credits, found *none*',
      ],
    ],
    ['a conflict after the write', { ...conflict, stage: 'after_write' }, ['was sent, but', 'found *7 credits*']],
    [
      'a conflict after no answer',
      { ...conflict, stage: 'unanswered' },
      ['may or may not have been set', '*7 credits*'],
    ],
    ['a loss', { ...conflict, found: 'none', stage: 'before_write' }, ['*Conflict*', 'no allocation at all']],
    [
      'failed',
      { kind: 'failed', failure: { code: 'admin_rejected', sentence: 'It says: <!channel>' } },
      ['*Failed*', 'was not changed', 'It says: &lt;!channel&gt;'],
    ],
    ['a repetition', { kind: 'duplicate' }, ['confirmed before', 'has not ended yet']],
  ])('that is %s is told in words', (_, outcome, words) => {
    const text = tell(outcome);

    for (const word of words) expect(text).toContain(word);
  });

  it('of a repetition is that of the first', () => {
    expect(readTexts(buildRepeatedOutcome(ALLOCATION_KIND.describe(change), 'conflict').blocks)).toContain(
      'It ended as *Conflict*',
    );
  });
});

describe('whatever names and numbers the service has', () => {
  const word = fc.string({
    unit: fc.constantFrom('"', '\\', '&', '<', '\u0007', '👩‍👩‍👧‍👦', 'x'),
    minLength: 1,
    maxLength: 300,
  });
  const rules = fc.dictionary(word, fc.boolean(), { maxKeys: 30 });
  const currency = fc.record({ currencyType: word, allocated: fc.nat(), rules });

  it('each view fits', () => {
    const tell = (change: PlannedChange<AllocationPlan>, outcome: AllocationOutcome) =>
      buildChangeOutcome(ALLOCATION_KIND, change, outcome, BERLIN);
    const allocation = fc
      .uniqueArray(currency, { maxLength: 120, selector: ({ currencyType }) => currencyType.toLowerCase() })
      .map((all) => all.map((one) => aCurrency(one, { ...one.rules, ...ALL_OFF })))
      .map(
        (currencies): Allocation => ({ environmentId: 'e'.repeat(256), currencyAllocations: currencies, others: {} }),
      );
    fc.assert(
      fc.property(allocation, word, (wild, name) => {
        const [first = CURRENCY] = listCurrencies(wild, CURRENCY);
        const plan = aPlan(wild, { currencyType: first, allocated: 5, rules: { ...ALL_OFF, PayGo: true } });
        const change = { kind: 'allocation', plan, environmentName: name } as const;
        const state = { ...STATE, replyTo: 'x'.repeat(120) };
        const conflict = { kind: 'conflict', stage: 'before_write', expected: wild } as const;
        const found = { ...wild, currencyAllocations: [] };
        expect(findProblems(buildAllocationModal(aShown(wild, { environmentName: name }), state, BERLIN))).toEqual([]);
        expect(findProblems(confirm(plan, name))).toEqual([]);
        expect(findProblems(buildApplyingModal(ALLOCATION_KIND, change))).toEqual([]);
        expect(findMessageProblems(tell(change, { kind: 'verified' }))).toEqual([]);
        expect(findMessageProblems(tell(change, { ...conflict, found }))).toEqual([]);
        const environments = Array(30).fill({ environmentId: name, name, ownerId: undefined });
        expect(findProblems(buildEnvironmentChoice(environments, { query: name, replyTo: 'x' }))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
