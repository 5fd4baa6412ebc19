import { checkView } from '@assistant-bridge/sandbox/slack/blocks/check-view.ts';
import { readLiveParts } from '@assistant-bridge/sandbox/slack/blocks/live-parts.ts';
import { describe, expect, it } from 'vitest';
import { buildChangeOutcome } from '../../../src/governance/changes/change-views.ts';
import {
  buildApprovalRequest,
  buildApproved,
  buildAsked,
  buildAskedModal,
  buildAskingModal,
  buildClosedRequest,
  buildDecidedRequest,
  buildRejected,
  describeClosed,
  isShownToApprover,
  parseApprovalButton,
} from '../../../src/governance/confirmation/approval-views.ts';
import { hashShown } from '../../../src/governance/confirmation/find-objection.ts';
import {
  buildRejectEnd,
  buildRejectForm,
  describeRejected,
} from '../../../src/governance/confirmation/reject-form-views.ts';
import { isConfirmable } from '../../../src/governance/confirmation/slack-confirmed-change.ts';
import { LIMIT_KIND } from '../../../src/governance/limits/limit-kind.ts';
import { aCurrency, anAllocation, aPlan as anAllocationPlan, CURRENCY } from '../allocations/samples.ts';
import { findMessageProblems, readTexts } from '../limits/limit-samples.ts';
import { AGENT, aDeployedLimit, aPlan, NOW } from '../shell/samples.ts';
import { aPending, aPendingDecision, BEN, KIM } from './samples.ts';

const UTC = { timeZone: 'UTC' };
const HOSTILE = '<!channel> *&<@U9EVIL> <mailto:a@evil.example|x>'.repeat(20);
const LONG = '&'.repeat(600);
const HOSTILE_REASON = `${HOSTILE.slice(0, 300)}${LONG}`;

/** Everything that comes from outside is as bad as it gets. */
function aHostile() {
  const agent = { ...AGENT, displayName: HOSTILE, environmentName: LONG };
  const plan = { ...aPlan(aDeployedLimit(), { limit: 2_000 }), agent };
  return aPending({ reason: HOSTILE, planned: { kind: 'limit', plan } });
}

/** Credits in forty currencies at once. */
function aLarge() {
  const names = Array.from({ length: 40 }, (_, index) => `${'<'.repeat(80)}${index}`);
  const currencies = names.map((currencyType) => aCurrency({ currencyType, allocated: 1 }));
  const parts = names.map((name) =>
    anAllocationPlan(anAllocation(...currencies), { currencyType: name, allocated: 9 }),
  );
  const [first] = parts;
  if (!first) throw new Error('no plan');
  const plan = {
    ...first,
    rows: parts.flatMap(({ rows }) => rows),
    warnings: parts.flatMap(({ warnings }, index) => warnings.map((one) => ({ ...one, text: `${one.text} ${index}` }))),
  };
  return aPending({ planned: { kind: 'allocation', plan, environmentName: HOSTILE }, reason: LONG });
}

/** So many values at once, all from outside. */
function aDecision(count: number) {
  const { planned } = aPendingDecision();
  const [first] = planned.finding.differences;
  if (!first || planned.record.kind !== 'exception') throw new Error('no drift');
  const differences = Array.from({ length: count }, (_, index) => ({ ...first, currency: `${index}${HOSTILE}` }));
  const accepts = differences.map(({ setting, currency }) => ({ setting, currency, value: 'off' as const }));
  const finding = { ...planned.finding, name: HOSTILE, differences };
  return aPendingDecision({ finding: finding as typeof planned.finding, record: { ...planned.record, accepts } });
}

describe('a request for approval', () => {
  it('says who asks, what for, why, and until when, with two buttons that hold its id', () => {
    const { text, blocks } = buildApprovalRequest(aPending(), UTC);

    const shown = readTexts(blocks);
    expect(text).toBe('<@U1KIM> asks you to approve a change of the limit of *Invoice Reader* in Production.');
    expect(shown).toContain('Monthly limit: 1,000 credits → *2,000 credits*');
    expect(shown).toContain(':warning: The limit is raised');
    expect(shown).toContain('Reason: more people use it now');
    expect(shown).toContain('open until 5 Mar 2026, 13:05 UTC');
    expect(JSON.stringify(blocks)).toContain('"value":"change-1.');
  });

  it('has no reason in it that could pass for words of ours', () => {
    const { blocks } = buildApprovalRequest(aPending({ reason: 'asked for\n*Approved* by `BEN`' }), UTC);

    expect(readTexts(blocks)).toContain('Reason: asked for ∗Approved∗ by ˋBENˋ');
  });

  it.each([
    ['hostile', aHostile()],
    ['large', aLarge()],
    ['a decision', aDecision(20)],
  ])('fits into a message in all its states, and notifies nobody but whom it names (%s)', (_, pending) => {
    const request = buildApprovalRequest(pending, UTC);
    const planned = { kind: 'limit', plan: aPlan(aDeployedLimit()) } as const;
    const outcome = buildChangeOutcome(LIMIT_KIND, planned, { kind: 'verified' }, UTC);
    const contents = [
      request,
      buildDecidedRequest(pending, 'You rejected this.'),
      buildDecidedRequest(pending, 'You approved this.', outcome),
      buildClosedRequest(request.blocks, describeClosed(undefined, 'UTC')),
      buildAsked(pending, UTC),
      buildApproved(pending, outcome),
      buildRejected(pending, HOSTILE_REASON),
      buildDecidedRequest(pending, describeRejected(pending, { reason: HOSTILE_REASON, at: NOW, timeZone: 'UTC' })),
    ];

    for (const content of contents) {
      expect(findMessageProblems(content)).toEqual([]);
      const { mentions, links } = readLiveParts(content as Parameters<typeof readLiveParts>[0]);
      expect(mentions.filter(({ id }) => ![KIM.user, BEN.user].includes(id))).toEqual([]);
      expect(links).toEqual([]);
    }
    for (const view of [
      ...(pending.planned.kind === 'decision' ? [] : [buildAskingModal(pending.planned, pending.approver)]),
      buildAskedModal(pending.planned, buildAsked(pending, UTC)),
      buildRejectForm(pending, { id: 'x'.repeat(64), replyTo: 'D0123456789 1700000000.000100' }),
      buildRejectEnd(describeRejected(pending, { reason: HOSTILE_REASON, at: NOW, timeZone: 'UTC' })),
    ]) {
      expect(checkView({ ...view }, 'modal')).toEqual([]);
    }
  });

  it('loses its buttons with the decision', () => {
    const pending = aPending();
    const request = buildApprovalRequest(pending, UTC);

    for (const { blocks } of [
      buildDecidedRequest(pending, 'You rejected this.'),
      buildClosedRequest(request.blocks, 'It is over.'),
    ]) {
      expect(blocks.filter(({ type }) => type === 'actions')).toEqual([]);
      expect(readTexts(blocks)).toContain('Reason: more people use it now');
    }
  });

  it.each([undefined, '', 'a b', '../x', 'x'.repeat(65), 'x.y', `x.${'y'.repeat(44)}`])(
    'is not found by %s',
    (value) => {
      expect(parseApprovalButton(value)).toBeUndefined();
    },
  );

  it('has buttons with a hash of what it shows, and none without is one', () => {
    const { blocks } = buildApprovalRequest(aPending(), UTC);
    const values = [...JSON.stringify(blocks).matchAll(/"value":"([^"]+)"/g)].map(([, value]) => value);

    const shown = hashShown(aPending());
    expect(values.map(parseApprovalButton)).toEqual([
      { id: 'change-1', shown },
      { id: 'change-1', shown },
    ]);
    expect(parseApprovalButton('change-1')).toBeUndefined();
  });

  it('says to who asked where the approver has to sign in first', () => {
    expect(readTexts(buildAsked(aPending(), { ...UTC, isApproverSignedIn: false }))).toContain(
      '<@U2BEN> is not signed in for administration, and has to be before they can approve it.',
    );
    expect(readTexts(buildAsked(aPending(), UTC))).not.toContain('not signed in');
  });
});

describe('a decision for approval', () => {
  it('is shown with its values, why, and what approving does', () => {
    const { text, blocks } = buildApprovalRequest(aPendingDecision(), UTC);

    const shown = readTexts(blocks);
    expect(text).toBe('<@U1KIM> asks you to approve an exception for the drift of *Production*.');
    expect(shown).toContain('What was found may stay until 30 Apr 2026, at exactly these values:');
    expect(shown).toContain('• Deny when used up (ServiceMessages): approved on → found *off*');
    expect(shown).toContain('Reason: a pilot');
    expect(shown).toContain('Approving records it at once beside the register');
    expect(shown).not.toContain('with your rights');
  });

  it('of a classification says what the register then approves', () => {
    const { record } = aPendingDecision().planned;
    const { id, by, at, registerHash, reason, environmentId } = record;
    const pending = aPendingDecision({
      record: {
        ...{ schema: 1, id, by, at, registerHash, reason, environmentId, kind: 'classification', name: undefined },
        ...{ classification: 'funded-production', owners: [BEN.user], allocations: undefined },
      },
      defaults: {
        allocations: [{ currencyType: CURRENCY, allocated: 9_000, rules: { TenantPool: 'on' } }],
        unnamedAgents: { monthlyLimit: 500, alertAt: 80, stopWhenReached: 'on' },
      },
    });

    const { text, blocks } = buildApprovalRequest(pending, UTC);

    expect(text).toContain('asks you to approve a classification of *Production*.');
    expect(readTexts(blocks)).toContain('It counts as *funded production* from then on');
    expect(readTexts(blocks)).toContain('• ServiceMessages: 9,000 credits, TenantPool on');
    expect(readTexts(buildRejected(pending, 'too much'))).toContain('Their reason: too much');
    expect(buildRejected(pending, 'too much').text).toContain(
      'rejected your classification of *Production*. Nothing was changed.',
    );
    expect(buildApproved(pending, { text: '', blocks: [] }).text).toContain('approved your classification of');
    expect(readTexts(buildAsked(pending, UTC))).toContain('Nothing is recorded yet.');
  });

  it('is asked for only where all of it is shown', () => {
    expect([20, 1_000].map((count) => isShownToApprover(aDecision(count).planned))).toEqual([true, false]);
  });
});

describe('a change', () => {
  it('is confirmed and approved only where all that changes is shown', () => {
    const large = aLarge().planned;
    if (large.kind !== 'allocation') throw new Error('no credits');
    const unchanged = large.plan.rows.map((row, index) => ({ ...row, isChanged: row.isChanged && index < 50 }));
    const small = { ...large, plan: { ...large.plan, rows: unchanged, warnings: [] } };
    const warnings = Array.from({ length: 60 }, (_, index) => ({
      code: 'raises' as const,
      text: `${index}${'x'.repeat(60)}`,
    }));
    const warned = { ...small, plan: { ...small.plan, warnings } };

    expect([large, small, warned, aPending().planned].map(isConfirmable)).toEqual([false, true, false, true]);
    expect(readTexts(buildApprovalRequest(aPending({ planned: small }), UTC))).not.toMatch(/And \d+ more/);
  });
});

describe('a request that is over', () => {
  const at = NOW;
  const expiresAt = NOW + 86_400_000;

  it.each([
    [{ kind: 'approved', at, expiresAt }, 'approved on 4 Mar 2026, 13:05 UTC already'],
    [{ kind: 'rejected', at, expiresAt }, 'rejected on 4 Mar 2026, 13:05 UTC already, and nothing was changed'],
    [{ kind: 'asked', at, expiresAt }, 'ran out on 5 Mar 2026, 13:05 UTC, and nothing was changed'],
    [{ kind: 'withdrawn', at, expiresAt }, 'withdrawn, and nothing was changed'],
    [undefined, 'is over'],
  ] as const)('says so: %o', (state, words) => {
    expect(describeClosed(state, 'UTC')).toContain(words);
  });
});

it('credits are asked for by the name of their environment, or else its id', () => {
  const plan = anAllocationPlan(anAllocation(), { currencyType: CURRENCY, allocated: 2_000 });

  const named = buildApprovalRequest(aPending({ planned: { kind: 'allocation', plan, environmentName: 'Lab' } }), UTC);
  const unnamed = buildApprovalRequest(aPending({ planned: { kind: 'allocation', plan } }), UTC);

  expect(named.text).toContain('the allocation of *Lab*');
  expect(unnamed.text).toContain('the allocation of *env-1*');
});
