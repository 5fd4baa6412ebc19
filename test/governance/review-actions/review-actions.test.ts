// The modals and messages of what is done about a finding: such as Slack takes, whatever comes from outside.
import { describe, expect, it } from 'vitest';
import { planAllocation } from '../../../src/governance/allocations/allocation-plan.ts';
import type { PlannedChange } from '../../../src/governance/changes/change-kind.ts';
import type { LeftDifference } from '../../../src/governance/review/correction.ts';
import { describeOccasion } from '../../../src/governance/review/decided-views.ts';
import type { AgentFinding, Difference, EnvironmentFinding } from '../../../src/governance/review/finding.ts';
import { buildAcceptModal } from '../../../src/governance/review-actions/accept-action.ts';
import {
  buildApproveLimitModal,
  readApproveLimitForm,
} from '../../../src/governance/review-actions/approve-limit-action.ts';
import { buildClassifyModal } from '../../../src/governance/review-actions/classify-action.ts';
import {
  buildRuleChoice,
  buildStopChoice,
  readChosenRules,
} from '../../../src/governance/review-actions/correct-action.ts';
import {
  buildCorrected,
  buildCorrecting,
  buildCorrectPageModal,
  buildNothingOnPage,
  type CorrectionEnd,
  isShownWhole,
  MAX_PLANNED,
  readStopAnswer,
} from '../../../src/governance/review-actions/correct-page-views.ts';
import { buildCorrectionNotes, buildStuck } from '../../../src/governance/review-actions/correction-views.ts';
import {
  encodeReviewForm,
  parseReviewForm,
  type ReviewFormState,
} from '../../../src/governance/review-actions/review-action-views.ts';
import type { FormValues } from '../../../src/governance/shell/form-fields.ts';
import { checkView } from '../../sandbox/slack/blocks/check-view.ts';
import { findMessageProblems, readTexts } from '../limits/limit-samples.ts';
import { aCurrency, anAllocation, CURRENCY, NOW } from '../review/review-world.ts';
import { AGENT, aDeployedLimit, aPlan } from '../shell/samples.ts';

const LONG = `<!channel> & ${'ß<'.repeat(300)}`;
const ID = 'e'.repeat(256);

const STATE: ReviewFormState = {
  id: 'decision-1',
  place: { report: 'a1b2c3d4e5f6', page: 499, key: `${ID}\n${ID}` },
  replyTo: `https://hooks.slack.com/actions/${'T'.repeat(200)}`,
};

const findProblems = (view: object) => checkView({ ...view } as Parameters<typeof checkView>[0], 'modal');

function aDifference(values: Partial<Difference> = {}): Difference {
  return {
    ...{ setting: 'allocated', currency: CURRENCY, approved: 0, found: 9_000, way: 'looser', exception: undefined },
    ...values,
  };
}

function anEnvironmentFinding(values: Partial<EnvironmentFinding> = {}): EnvironmentFinding {
  return {
    ...{ kind: 'environment', key: ID, environmentId: ID, name: LONG, owners: [], ownerId: LONG, status: 'drift' },
    ...{ differences: [aDifference()], reason: undefined, expiresOn: undefined },
    ...{ classification: undefined, tenantPool: 'on' },
    ...values,
  };
}

function anAgentFinding(values: Partial<AgentFinding> = {}): AgentFinding {
  return {
    ...{ kind: 'agent', key: `${ID}\n${ID}`, environmentId: ID, name: LONG, owners: [], ownerId: undefined },
    ...{
      status: 'drift',
      differences: [],
      reason: undefined,
      expiresOn: undefined,
      agentResourceId: ID,
      agentName: ID,
    },
    ...{ isHarness: true, approvedLimit: undefined, limitSource: 'deployment' },
    ...values,
  };
}

/** As many as no deployment has. */
const MANY = Array.from({ length: 200 }, (_, index) => aDifference({ currency: `${index}${LONG}` }));

describe('the state of a form', () => {
  it('comes back as it went', () => {
    expect(parseReviewForm(encodeReviewForm(STATE))).toEqual({ schema: 1, ...STATE });
  });

  it.each(['', 'nonsense', '{}', '{"schema":2,"id":"a"}'])('is none where it is %s', (text) => {
    expect(parseReviewForm(text)).toBeUndefined();
  });
});

describe('Accept…', () => {
  const exception = { isExpired: false, reason: LONG, approver: LONG, expiresOn: '2026-12-31' };

  it('shows all that is accepted, what is accepted already, and what cannot be', () => {
    const finding = anEnvironmentFinding({
      differences: [
        ...MANY,
        aDifference({ setting: 'Deny', approved: 'on', found: 'off', exception }),
        aDifference({ setting: 'PayGo', approved: 'off', found: 'unknown' }),
      ],
    });

    const view = buildAcceptModal(finding, {
      ...{ environmentName: undefined, moved: [aDifference({ setting: 'Alert', approved: 'on', found: 'off' })] },
      ...{ foundAt: Date.parse('2026-03-03T23:16:00Z'), timeZone: 'Europe/Berlin', now: NOW, state: STATE },
    });

    const texts = readTexts(view);
    expect(findProblems(view)).toEqual([]);
    expect(texts.match(/• Allocated credits/g)).toHaveLength(200);
    expect(texts).toContain('Accepted already, and as it was:\n• Deny');
    expect(texts).toContain('Not accepted, because its value cannot be read:\n• Pay-as-you-go');
    expect(texts).toContain('as found on 4 Mar, 00:16 and still there now');
    expect(texts).toContain('Not accepted, because it has changed since that review');
    expect(texts).toContain('up to 4 Mar 2027');
    expect(texts).not.toContain('<!channel>');
  });
});

describe('Classify…', () => {
  it('says what each choice approves, and what has to be stated', () => {
    const allocations = [{ currencyType: LONG, allocated: 5_000, rules: { Deny: 'platform-default' as const } }];
    const defaults = { 'maker-development': { allocations, unnamedAgents: { monthlyLimit: 'none' as const } } };

    const view = buildClassifyModal(anEnvironmentFinding(), {
      defaults,
      choices: ['maker-development'],
      currency: 'ServiceMessages',
      state: STATE,
    });

    const texts = readTexts(view);
    expect(findProblems(view)).toEqual([]);
    expect(texts).toContain('5,000 credits, Deny platform default');
    expect(texts).toContain('• Agents: no monthly limit');
    expect(texts).toContain("*Funded production*: the register's defaults do not say all that is approved for it");
    expect(texts).toContain("What the register's defaults say (for maker development only)");
    expect(texts).toContain('What is stated here');
  });
});

describe('Approve limit…', () => {
  const options = { timeZone: 'Europe/Berlin', state: STATE };

  it('begins with what is set now', () => {
    const known = aDeployedLimit({ limit: 1_234, notify: false, notificationThreshold: 55, stopWhenReached: true });

    const view = buildApproveLimitModal({ ...AGENT, displayName: LONG, environmentName: LONG }, known, options);

    expect(findProblems(view)).toEqual([]);
    expect(JSON.stringify(view)).toContain('"initial_value":"1234"');
    expect(JSON.stringify(view)).toContain('"initial_value":"55"');
  });

  it('asks for no percentage where nobody is notified', () => {
    const values = { limit: { value: { value: '5' } }, notify: { value: { selected_options: [] } } };

    expect(readApproveLimitForm(values)).toMatchObject({ notify: false, notificationThreshold: '80', isNone: false });
    expect(
      readApproveLimitForm({ ...values, notify: { value: { selected_options: [{ value: 'yes' }] } } }),
    ).toMatchObject({ notify: true, notificationThreshold: '' });
  });
});

describe('Correct…', () => {
  it('asks for each rule that is open, and reads what was chosen', () => {
    const open = Array.from({ length: 150 }, (_, index) => ({
      currencyType: `${index}:${LONG}`,
      rule: 'Deny' as const,
    }));

    const view = buildRuleChoice({ kind: 'needs_choice', finding: anEnvironmentFinding(), open, left: [] }, STATE);
    const chosen = readChosenRules({
      'PayGo:Service:Messages': { value: { selected_option: { value: 'on' } } },
      'Deny:AI': { value: { selected_option: { value: 'off' } } },
      'Alert:AI': { value: { selected_option: null } },
      stop_decision: { value: { selected_option: { value: 'keep_stopped' } } },
    });

    expect(findProblems(view)).toEqual([]);
    expect(chosen).toEqual([
      { currencyType: 'Service:Messages', rule: 'PayGo', isOn: true },
      { currencyType: 'AI', rule: 'Deny', isOn: false },
    ]);
  });

  it('asks whether an agent is stopped', () => {
    const view = buildStopChoice(
      {
        ...{ kind: 'needs_stop_decision', stopped: 'unknown', isStoppedFromHere: false },
        ...{ finding: anAgentFinding(), left: [] },
        agent: { ...AGENT, environmentName: LONG },
      },
      STATE,
    );

    expect(findProblems(view)).toEqual([]);
    expect(readTexts(view)).toContain('Is this agent stopped now?');
  });

  it.each([
    ['compliant', undefined, 'it is as the register approves by now'],
    ['approved_exception', undefined, 'all that differs is accepted by now'],
    ['unreadable', 'no_allocation', 'because the service knows no allocation of it'],
    ['unclassified', undefined, '*Classify…* it first'],
    ['drift', undefined, 'Look at the review again'],
  ] as const)('says why there is nothing to confirm where it is %s', (status, reason, sentence) => {
    const view = buildStuck(
      { kind: 'nothing', finding: anEnvironmentFinding({ status, reason }), left: [] },
      undefined,
    );

    expect(findProblems(view)).toEqual([]);
    expect(readTexts(view)).toContain(sentence);
  });

  it('says that what the register does not name is classified, before and after it is corrected', () => {
    const finding = anEnvironmentFinding({ status: 'unclassified', differences: [] });

    const stuck = buildStuck({ kind: 'nothing', finding, left: [], isAsUnnamed: true }, undefined);
    const notes = readTexts(buildCorrectionNotes([], { isRegisterChanged: false, finding }));

    expect(readTexts(stuck)).toContain(
      'it is as the register has it for environments that it does not name. *Classify…* it.',
    );
    expect(readTexts(stuck)).not.toContain('nothing says what is approved');
    expect(notes).toContain('*Not in the register yet*');
    expect(notes).toContain('The better first step is *Classify…*');
  });

  it('says of each that is left why, above the plan', () => {
    const reasons = ['accepted', 'not_in_register', 'platform_default', 'no_removal'] as const;
    const left = reasons.map((reason): LeftDifference => ({ difference: aDifference(), reason }));

    const texts = readTexts(buildCorrectionNotes(left, { isRegisterChanged: true }));

    expect(texts.match(/• Allocated credits/g)).toHaveLength(4);
    for (const part of [
      'It is accepted',
      'does not approve this currency',
      'leaves this to the platform',
      'cannot be removed',
    ]) {
      expect(texts).toContain(part);
    }
    expect(texts).toContain("The register's file was changed since this review");
    expect(buildCorrectionNotes([], { isRegisterChanged: false })).toEqual([]);
  });
});

describe('Correct all on this page…', () => {
  const result = planAllocation({
    before: anAllocation(
      aCurrency({ allocated: 9 }),
      ...MANY.map(({ currency }) => aCurrency({ currencyType: currency ?? '' })),
    ),
    stated: [CURRENCY, ...MANY.map(({ currency }) => currency ?? '')].map((currencyType) => {
      return { currencyType, allocated: 5, rules: { TenantPool: true, Deny: false } };
    }),
  });
  if (result.kind !== 'planned') throw new Error('the plan needs a choice');
  const huge: PlannedChange = { kind: 'allocation', plan: result.plan, environmentName: LONG };
  const rows = result.plan.rows.slice(0, 10);
  const allocation: PlannedChange = { ...huge, plan: { ...result.plan, rows } };
  const agent = { ...AGENT, displayName: LONG, environmentName: LONG };
  const plan = { ...aPlan(aDeployedLimit()), agent };
  const limit: PlannedChange = { kind: 'limit', plan };
  const planned = Array.from({ length: MAX_PLANNED }, (_, index) => {
    return { changeId: `change-${index}`, change: index % 2 === 0 ? allocation : limit };
  });
  const leftOut = Array.from({ length: 8 }, () => ({ name: '*X*', why: 'y'.repeat(2_000) }));

  it('fits, with all ticked and a reason to begin with', () => {
    const view = buildCorrectPageModal(
      { planned, leftOut },
      { state: STATE, reason: 'Drift found', isRegisterChanged: true },
    );

    expect(findProblems(view)).toEqual([]);
    expect(
      JSON.stringify(view)
        .match(/"initial_options":\[(.*?)\]/)?.[1]
        ?.match(/change-/g),
    ).toHaveLength(MAX_PLANNED);
    expect(readTexts(view.blocks.filter(({ type }) => type === 'section'))).not.toContain('<!channel>');
    expect(findProblems(buildNothingOnPage(leftOut))).toEqual([]);
  });

  it('ticks nothing that the register does not name, and shows it under a heading of its own', () => {
    const unnamed = { changeId: 'change-9', change: allocation, isUnnamed: true };
    const options = { state: STATE, reason: 'Drift found', isRegisterChanged: false };

    const mixed = buildCorrectPageModal({ planned: [...planned.slice(0, 1), unnamed], leftOut: [] }, options);
    const alone = buildCorrectPageModal({ planned: [unnamed], leftOut: [] }, options);

    expect([mixed, alone].map(findProblems)).toEqual([[], []]);
    expect(JSON.stringify(mixed).match(/"initial_options":\[(.*?)\]/)?.[1]).not.toContain('change-9');
    expect(JSON.stringify(alone)).not.toContain('initial_options');
    expect(readTexts(mixed)).toMatch(
      /1 finding of this page[\s\S]*\*1\.\*[\s\S]*\*Not in the register yet\*[\s\S]*\*2\.\*/,
    );
    expect(readTexts(alone)).toContain('Nothing that the register names can be corrected at once');
  });

  it('asks once whether agents are stopped, where that is not told of some', () => {
    const again = { changeId: 'change-9', change: limit, mayBeStopped: true, again: '500 credits a month' };
    const options = { state: STATE, reason: '', isRegisterChanged: false };
    const view = buildCorrectPageModal({ planned: [again, { ...again, changeId: 'change-8' }], leftOut: [] }, options);
    const without = buildCorrectPageModal({ planned: planned.slice(0, 2), leftOut: [] }, options);
    const answered = (value: string | null) => ({ stopped: { value: { selected_option: value && { value } } } });

    expect(findProblems(view)).toEqual([]);
    expect(readTexts(view)).toContain('Set again: 500 credits a month');
    expect(view.blocks.filter(({ block_id }) => block_id === 'stopped')).toHaveLength(1);
    expect(without.blocks.filter(({ block_id }) => block_id === 'stopped')).toEqual([]);
    expect(readStopAnswer({})).toBeUndefined();
    expect(readStopAnswer(answered(null) as FormValues)).toBe('missing');
    expect(readStopAnswer(answered('leave_out') as FormValues)).toBe('leave_out');
  });

  it('counts what was set on a service that shows no limits', () => {
    const end: CorrectionEnd = { kind: 'applied_not_verified', reason: 'not_offered' };
    const ends = new Map<string, CorrectionEnd>([
      ['change-0', { kind: 'verified' }],
      ['change-1', end],
    ]);

    const texts = readTexts(buildCorrected({ corrections: planned.slice(0, 2), ends, leftOut: [] }));

    expect(texts).toContain(
      ':white_check_mark: *Corrected*: 2 of 2 findings. 1 limit could not be read back, because the service does not show limits.',
    );
    expect(texts).toContain('*Set*. The service took it, and does not show limits, so this could not be checked.');
  });

  it('shows all that changes of each, and takes none of which that is too much', () => {
    const texts = readTexts(
      buildCorrectPageModal({ planned, leftOut: [] }, { state: STATE, reason: '', isRegisterChanged: false }),
    );

    expect(texts).toContain('ServiceMessages: Allocated 9 credits → *5 credits*, Draw on the tenant pool off → *on*');
    expect([allocation, limit, huge].map(isShownWhole)).toEqual([true, true, false]);
  });

  it('tells of each how it ended, also where the work stopped half-way', () => {
    const failure = { code: 'admin_forbidden', sentence: LONG };
    const ends: CorrectionEnd[] = [
      { kind: 'verified' },
      { kind: 'applied_not_verified', reason: 'still_old' },
      { kind: 'applied_not_verified', reason: 'no_answer' },
      { kind: 'conflict', stage: 'before_write', expected: { source: 'unknown' }, found: { source: 'unknown' } },
      { kind: 'conflict', stage: 'after_write', expected: { source: 'unknown' }, found: { source: 'unknown' } },
      { kind: 'failed', failure },
      { kind: 'repeated', ended: 'conflict' },
      { kind: 'repeated', ended: undefined },
    ];
    const byId = new Map(ends.map((end, index) => [`change-${index}`, end]));
    const progress = { corrections: planned, ends: byId, leftOut };

    const content = buildCorrected(progress, true);

    const texts = readTexts(content);
    expect(findMessageProblems(content)).toEqual([]);
    expect(findProblems(buildCorrecting(progress))).toEqual([]);
    expect(content.text).toBe(':warning: *Corrected*: 1 of 10 findings, and read back.');
    expect(texts.match(/: not tried, nothing was changed\./g)).toHaveLength(2);
    expect(texts).toContain('It ended as *Conflict*.');
    expect(texts).toContain('It has not ended yet.');
    expect(texts).not.toContain('<!channel>');
    expect(readTexts(buildCorrecting(progress))).toContain('8 of 10 done…');
  });
});

describe('the reason that is filled in', () => {
  it('has the day of the review where the admin is', () => {
    const at = Date.parse('2026-11-21T22:30:00Z');

    expect(
      describeOccasion(at, 'UTC', [
        {
          finding: anAgentFinding({
            status: 'unreadable',
            reason: 'limit_stale',
            approvedLimit: { monthlyLimit: 9, alertAt: 80, stopWhenReached: 'on' },
          }),
        },
      ]),
    ).toBe('Set to what the register approves, after the review of 21 Nov 2026: the service does not show it.');
    expect(describeOccasion(at, 'Europe/Berlin')).toContain('the review of 21 Nov 2026');
    expect(describeOccasion(at, 'Asia/Tokyo')).toContain('the review of 22 Nov 2026');
    expect(describeOccasion(at, 'nowhere')).toContain('the review of 21 Nov 2026');
  });
});
