import { checkView } from '@assistant-bridge/sandbox/slack/blocks/check-view.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALLOCATION_TOPIC } from '../../../src/governance/allocations/allocation-form-views.ts';
import type { AppliedOutcome } from '../../../src/governance/changes/carry-out-once.ts';
import { buildChangeOutcome } from '../../../src/governance/changes/change-views.ts';
import {
  buildConfirmation,
  type ConfirmOptions,
  parseConfirmState,
} from '../../../src/governance/changes/slack-confirmation.ts';
import type { KnownLimit } from '../../../src/governance/inventory/agent-limit.ts';
import {
  buildLimitModal,
  LIMIT_TOPIC,
  parseLimitFormState,
  readLimitForm,
  toLimitErrors,
} from '../../../src/governance/limits/limit-form-views.ts';
import { LIMIT_KIND } from '../../../src/governance/limits/limit-kind.ts';
import { type LimitPlan, parseLimitForm, type UnverifiedReason } from '../../../src/governance/limits/limit-plan.ts';
import { listStopButtons } from '../../../src/governance/limits/stop-form-views.ts';
import { english } from '../../../src/languages/english.ts';
import { buildLoadingModal, buildProblemModal } from '../../../src/slack/views/modal.ts';
import { AGENT, aDeployedLimit, aLastSetLimit, aPlan, NOW } from '../shell/samples.ts';
import { findMessageProblems, readTexts } from './limit-samples.ts';

const BERLIN = { timeZone: 'Europe/Berlin' };
const CONFIRM = { ...BERLIN, changeId: 'change-1', isPushed: true };
const UNKNOWN: KnownLimit = { source: 'unknown' };

type LimitOutcome = AppliedOutcome<KnownLimit, KnownLimit, UnverifiedReason>;

const confirm = (plan: LimitPlan, options: ConfirmOptions) =>
  buildConfirmation(LIMIT_KIND, { kind: 'limit', plan }, options);
const findProblems = (view: object) => checkView({ ...view } as Parameters<typeof checkView>[0], 'modal');
const findBlock = (view: { blocks: { block_id?: string }[] }, id: string) =>
  JSON.parse(JSON.stringify(view.blocks.find(({ block_id }) => block_id === id) ?? null)) as {
    element: Record<string, unknown>;
  } | null;

describe('the modals before the form', () => {
  it.each([LIMIT_TOPIC, ALLOCATION_TOPIC])('are such as Slack takes: $id', (topic) => {
    expect(findProblems(buildLoadingModal(topic, english))).toEqual([]);
    expect(findProblems(buildProblemModal(`It says: <!here> ${'x'.repeat(5000)}`, topic, english))).toEqual([]);
  });
});

describe('the form', () => {
  it('starts with what is set now', () => {
    const known = aDeployedLimit({ limit: 1000, notify: false, notificationThreshold: 55, stopWhenReached: true });

    const view = buildLimitModal(AGENT, known, BERLIN);

    expect(findProblems(view)).toEqual([]);
    expect(findBlock(view, 'limit')?.element.initial_value).toBe('1000');
    expect(findBlock(view, 'notify')?.element).not.toHaveProperty('initial_options');
    expect(findBlock(view, 'notification_threshold')?.element.initial_value).toBe('55');
    expect(findBlock(view, 'stop_when_reached')?.element.initial_options).toHaveLength(1);
  });

  it('starts without a limit where none is known, and stops nothing by default', () => {
    const view = buildLimitModal(AGENT, UNKNOWN, BERLIN);

    expect(findProblems(view)).toEqual([]);
    expect(findBlock(view, 'limit')?.element).not.toHaveProperty('initial_value');
    expect(findBlock(view, 'stop_when_reached')?.element).not.toHaveProperty('initial_options');
  });

  it.each<[string, KnownLimit, boolean]>([
    ['runs', aDeployedLimit({ stopped: false }), false],
    ['is stopped', aDeployedLimit({ stopped: true }), true],
    ['may be stopped', aLastSetLimit({ stopped: false }), true],
    ['is stopped, and no more is told', { source: 'unknown', stopped: true }, true],
    ['runs, and no more is told', { source: 'unknown', stopped: false }, false],
  ])('asks about stopping only where it has to: the agent %s', (_, known, asks) => {
    const block = findBlock(buildLimitModal(AGENT, known, BERLIN), 'stop_decision');

    expect(block !== null).toBe(asks);
    expect(block?.element ?? {}).not.toHaveProperty('initial_option');
  });

  it('says how to stop the agent where it cannot have a button for that', () => {
    const stopButtons = listStopButtons(AGENT, aDeployedLimit());

    const without = readTexts(buildLimitModal(AGENT, aDeployedLimit(), BERLIN));
    const having = readTexts(buildLimitModal(AGENT, aDeployedLimit(), { ...BERLIN, stopButtons }));

    expect(without).toContain('give the command `/assistant-admin stop`');
    expect(having).not.toContain('/assistant-admin stop');
    expect(readTexts(buildLoadingModal(LIMIT_TOPIC, english))).toContain('give the command `/assistant-admin stop`');
  });

  it('says that the notices do not reach the owner', () => {
    const view = buildLimitModal(AGENT, aDeployedLimit(), BERLIN);

    expect(readTexts(view)).toContain('not to the owner of the agent');
  });

  it('says what became of a change that broke off', () => {
    const interrupted = { user: 'U1', at: NOW, outcome: { kind: 'failed', written: 'no' } } as const;

    const view = buildLimitModal(AGENT, aDeployedLimit(), { ...BERLIN, interrupted });

    expect(findProblems(view)).toEqual([]);
    expect(readTexts(view)).toContain(
      ':warning: A change by <@U1> of 4 Mar 2026, 14:05 CET broke off. It was not made: the service still shows',
    );
  });

  it('has a choice of currencies where there are several, with fields of its own for each', () => {
    const agent = { ...AGENT, currencyType: 'AI' };

    const one = buildLimitModal(AGENT, aDeployedLimit(), { ...BERLIN, currencies: ['ServiceMessages'] });
    const other = buildLimitModal(agent, UNKNOWN, { ...BERLIN, currencies: ['ServiceMessages', 'AI'] });

    expect(findProblems(other)).toEqual([]);
    expect(readTexts(one)).not.toContain('Limit in the currency');
    expect(readTexts(other)).toContain('*Invoice Reader* in Production (AI)');
    expect(findBlock(other, 'limit')).toBeNull();
    expect(findBlock(other, 'limit_AI')).not.toBeNull();
    expect(findBlock(other, 'stop_decision_AI')).not.toBeNull();
    expect(parseLimitFormState(other.private_metadata ?? '')).toMatchObject({ agent });
  });

  it('carries the agent and what was known of it', () => {
    const known = aDeployedLimit({}, 12.5);

    const view = buildLimitModal(AGENT, known, { ...BERLIN, replyTo: 'D1' });

    expect(parseLimitFormState(view.private_metadata ?? '')).toEqual({ schema: 1, agent: AGENT, known, replyTo: 'D1' });
  });

  it('carries and tells that the agent is stopped, where that alone is known', () => {
    const view = buildLimitModal(AGENT, { source: 'unknown', stopped: true }, BERLIN);

    const { known } = parseLimitFormState(view.private_metadata ?? '') ?? {};
    expect(known).toEqual({ source: 'unknown', stopped: true });
    expect(readTexts(view)).toContain('Limit now: unknown · *stopped now*');
    expect(readTexts(view)).toContain('in a form that cannot be read here');
    expect(readTexts(view)).toContain('Somebody stopped this agent');
  });

  it('is read back raw', () => {
    const form = readLimitForm({
      limit: { value: { value: ' 1,000' } },
      notify: { value: { selected_options: [{ value: 'yes' }] } },
      notification_threshold: { value: { value: '80' } },
      stop_when_reached: { value: { selected_options: [] } },
      stop_decision: { value: { selected_option: { value: 'keep_stopped' } } },
    });

    expect(form).toEqual({
      limit: ' 1,000',
      notify: true,
      notificationThreshold: '80',
      stopWhenReached: false,
      stopDecision: 'keep_stopped',
    });
  });

  it('gets each sentence at its field, also where nothing was filled in', () => {
    const parsed = parseLimitForm(readLimitForm({ limit: { value: { value: null } } }), { asksForStopDecision: true });

    const errors = parsed.ok ? {} : toLimitErrors(parsed.errors);

    const view = buildLimitModal(AGENT, UNKNOWN, BERLIN);
    expect(Object.keys(errors)).toEqual(['limit', 'notification_threshold', 'stop_decision']);
    for (const block of Object.keys(errors)) expect(findBlock(view, block)).not.toBeNull();
  });
});

describe('the confirmation', () => {
  it('shows old → new, warnings, and where the old comes from', () => {
    const view = confirm(aPlan(aLastSetLimit({ limit: 1000 }), { limit: 2000 }, 'not_stopped'), CONFIRM);

    const text = readTexts(view);
    expect(findProblems(view)).toEqual([]);
    expect(text).toContain('Monthly limit: 1,000 credits → *2,000 credits*');
    expect(text).toContain('Stopped: unknown → *no*');
    expect(text).toContain('Notify at: 80 % of the limit (unchanged)');
    expect(text).toContain(':warning: The limit is raised');
    expect(text).toContain('last set from here by <@U1> on 4 Mar 2026, 14:05');
    expect(text).toContain('Back');
  });

  it('asks why, and leads back to the form', () => {
    const view = confirm(aPlan(aDeployedLimit()), CONFIRM);
    const direct = confirm(aPlan(aDeployedLimit()), {
      ...CONFIRM,
      isPushed: false,
      reason: 'As approved',
    });

    expect(findBlock(view, 'reason')?.element).not.toHaveProperty('initial_value');
    expect(findBlock(direct, 'reason')?.element.initial_value).toBe('As approved');
    expect([view.close?.text, direct.close?.text]).toEqual(['Back', 'Cancel']);
  });

  it('says where nothing would change, and then there is nothing to confirm', () => {
    const view = confirm(aPlan(aDeployedLimit({ limit: 2000 })), CONFIRM);

    expect(findProblems(view)).toEqual([]);
    expect(readTexts(view)).toContain('there is nothing to change');
    expect([view.submit, findBlock(view, 'reason')]).toEqual([undefined, null]);
  });

  it('carries where the plan is kept, and is not read from anything else', () => {
    const view = confirm(aPlan(UNKNOWN, {}, 'not_stopped'), { ...CONFIRM, replyTo: 'D1' });
    const form = buildLimitModal(AGENT, UNKNOWN, BERLIN).private_metadata ?? '';

    expect(parseConfirmState(view.private_metadata ?? '')).toMatchObject({ changeId: 'change-1', replyTo: 'D1' });
    expect([form, '', 'null', '{"schema":1}', '{{'].map(parseConfirmState)).toEqual(Array(5).fill(undefined));
  });

  it('fits whatever the names and ids are like', () => {
    const id = fc.string({ unit: fc.constantFrom('"', '\\', '<', 'x'), minLength: 1, maxLength: 256 });
    const name = fc.string({ unit: fc.constantFrom('"', '\\', '&', '\u0007', '👩‍👩‍👧‍👦', 'x'), maxLength: 3000 });
    const agent = fc.record({
      environmentId: id,
      agentResourceId: id,
      name: id,
      displayName: name,
      environmentName: name,
    });
    fc.assert(
      fc.property(agent, (wild) => {
        const plan = { ...aPlan(aDeployedLimit({ stopped: true }, 12_345.678), {}, 'not_stopped'), agent: wild };
        const options = { ...CONFIRM, replyTo: 'x'.repeat(120) };
        expect(findProblems(buildLimitModal(wild, plan.before, options))).toEqual([]);
        expect(findProblems(confirm(plan, options))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the outcome', () => {
  const plan = aPlan(aDeployedLimit());
  const tell = (outcome: LimitOutcome) => {
    const message = buildChangeOutcome(LIMIT_KIND, { kind: 'limit', plan }, outcome, BERLIN);
    expect(findMessageProblems(message)).toEqual([]);
    return readTexts(message.blocks);
  };

  it.each<[string, LimitOutcome, string[]]>([
    ['verified', { kind: 'verified' }, ['*Verified*', '1,000 credits → *2,000 credits*']],
    [
      'unverified',
      { kind: 'applied_not_verified', reason: 'not_offered' },
      ['*Applied, not verified*', 'does not show'],
    ],
    [
      'unanswered',
      { kind: 'applied_not_verified', reason: 'no_answer' },
      ['may or may not', 'before you set it again'],
    ],
    [
      'a conflict',
      { kind: 'conflict', stage: 'before_write', expected: aDeployedLimit(), found: aDeployedLimit({ limit: 7 }) },
      ['*Conflict*', 'Nothing was changed', 'Expected: *1,000*', 'Found: *7*'],
    ],
    [
      'a conflict after the write',
      { kind: 'conflict', stage: 'after_write', expected: aDeployedLimit(), found: aDeployedLimit({ limit: 7 }) },
      ['*Conflict*', 'was sent', 'Found: *7*'],
    ],
    [
      'a conflict after a write without an answer',
      { kind: 'conflict', stage: 'unanswered', expected: aDeployedLimit(), found: aDeployedLimit({ limit: 7 }) },
      ['*Conflict*', 'may or may not have been set', 'Found: *7*', 'before you set it again'],
    ],
    [
      'failed',
      { kind: 'failed', failure: { code: 'admin_rejected', sentence: 'It says: <!channel>' } },
      ['*Failed*', 'was not changed', 'It says: &lt;!channel&gt;'],
    ],
    ['a repetition', { kind: 'duplicate' }, ['confirmed before']],
  ])('that is %s is told in words', (_, outcome, words) => {
    const text = tell(outcome);

    for (const word of words) expect(text).toContain(word);
  });
});
