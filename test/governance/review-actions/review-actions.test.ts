// The modals and messages of what is done about a finding: such as Slack takes, whatever comes from outside.

import { checkView } from '@assistant-bridge/sandbox/slack/blocks/check-view.ts';
import { describe, expect, it } from 'vitest';
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
import { buildCorrectionNotes, buildStuck } from '../../../src/governance/review-actions/correction-views.ts';
import {
  encodeReviewForm,
  parseReviewForm,
  type ReviewFormState,
} from '../../../src/governance/review-actions/review-action-views.ts';
import { readTexts } from '../limits/limit-samples.ts';
import { CURRENCY, NOW } from '../review/review-world.ts';
import { AGENT, aDeployedLimit } from '../shell/samples.ts';

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
