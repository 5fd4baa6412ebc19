import { describe, expect, it } from 'vitest';
import {
  buildApprovalRequest,
  buildClosedRequest,
  buildDecidedRequest,
  parseApprovalId,
} from '../../../../src/slack/views/admin/approval-request.ts';
import {
  buildApproved,
  buildAsked,
  buildAskedModal,
  buildAskingModal,
  buildRejected,
} from '../../../../src/slack/views/admin/approval-told.ts';
import { describeClosed } from '../../../../src/slack/views/admin/approval-words.ts';
import { buildLimitOutcome } from '../../../../src/slack/views/admin/limit-outcome.ts';
import {
  aCurrency,
  anAllocation,
  aPlan as anAllocationPlan,
  CURRENCY,
} from '../../../governance/allocation/samples.ts';
import { aPending, BEN, KIM } from '../../../governance/approval/samples.ts';
import { AGENT, aDeployedLimit, aPlan, NOW } from '../../../governance/samples.ts';
import { checkView } from '../../../sandbox/slack/blocks/check-view.ts';
import { readLiveParts } from '../../../sandbox/slack/blocks/live-parts.ts';
import { findMessageProblems, readTexts } from './limit-samples.ts';

const UTC = { timeZone: 'UTC' };
const HOSTILE = '<!channel> *&<@U9EVIL> <mailto:a@evil.example|x>'.repeat(20);
const LONG = '&'.repeat(600);

/** Everything that comes from outside is as bad as it gets. */
function aHostile() {
  const plan = aPlan(aDeployedLimit(), { limit: 2_000 });
  const agent = { ...AGENT, displayName: HOSTILE, environmentName: LONG };
  return aPending({ reason: HOSTILE, planned: { kind: 'limit', plan: { ...plan, agent } } });
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

describe('a request for approval', () => {
  it('says who asks, what for, why, and until when, with two buttons that hold its id', () => {
    const { text, blocks } = buildApprovalRequest(aPending(), UTC);

    const shown = readTexts(blocks);
    expect(text).toBe('<@U1KIM> asks you to approve a change of the limit of *Invoice Reader* in Production.');
    expect(shown).toContain('Monthly limit: 1,000 credits → *2,000 credits*');
    expect(shown).toContain(':warning: The limit is raised');
    expect(shown).toContain('Reason: more people use it now');
    expect(shown).toContain('open until 5 Mar 2026, 13:05 UTC');
    expect(JSON.stringify(blocks)).toContain('"value":"change-1"');
  });

  it.each([
    ['hostile', aHostile()],
    ['large', aLarge()],
  ])('fits into a message in all its states, and notifies nobody but whom it names (%s)', (_, pending) => {
    const request = buildApprovalRequest(pending, UTC);
    const outcome = buildLimitOutcome(aPlan(aDeployedLimit()), { kind: 'verified' }, UTC);
    const contents = [
      request,
      buildDecidedRequest(pending, 'You rejected this.'),
      buildDecidedRequest(pending, 'You approved this.', outcome),
      buildClosedRequest(request.blocks, describeClosed(undefined, 'UTC')),
      buildAsked(pending, UTC),
      buildApproved(pending, outcome),
      buildRejected(pending),
    ];

    for (const content of contents) {
      expect(findMessageProblems(content)).toEqual([]);
      const { mentions, links } = readLiveParts(content as Parameters<typeof readLiveParts>[0]);
      expect(mentions.filter(({ id }) => ![KIM.user, BEN.user].includes(id))).toEqual([]);
      expect(links).toEqual([]);
    }
    for (const view of [
      buildAskingModal(pending.planned, pending.approver),
      buildAskedModal(pending.planned, buildAsked(pending, UTC)),
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

  it.each([undefined, '', 'a b', '../x', 'x'.repeat(65)])('is not found by %s', (value) => {
    expect(parseApprovalId(value)).toBeUndefined();
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
