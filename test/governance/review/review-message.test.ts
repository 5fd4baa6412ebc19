import { describe, expect, it } from 'vitest';
import { keepReview, showPage } from '../../../src/governance/review/kept-review.ts';
import type { Review } from '../../../src/governance/review/review.ts';
import { buildReviewMessage } from '../../../src/governance/review/review-views.ts';
import { buildFindingSheet } from '../../../src/governance/review/review-words.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { CURRENCY } from '../samples.ts';
import { NOW } from '../world.ts';
import { aSeen, reviewSeen } from './a-seen.ts';
import { aSeenAgent, LIMIT, toPolicy } from './a-tenant.ts';

const owners = {
  findUser: async (_: object, id: string) => (id === 'owner-of-env-9' ? 'UOWNER' : undefined),
  findId: async () => undefined,
};

async function show(review: Review, page = 0) {
  const { once } = createMemoryStore(() => NOW);
  const kept = await keepReview(review, { once });
  const shown = await showPage(kept, page, { team: 'T1' }, { owners });
  return { kept: kept.review, pageCount: shown.pageCount, content: buildReviewMessage(shown, { timeZone: 'UTC' }) };
}

const textOf = (content: object) => JSON.stringify(content);

/** `count` agents in env-1, of which `more` have too high a limit and `less` too low a one. */
function aReview({ count = 60, more = 0, less = 0 } = {}) {
  const agents = Array.from({ length: count }, (_, index) => aSeenAgent('env-1', index + 1));
  const limitOf = (index: number) => (index < more ? 900 : index < more + less ? 1 : 500);
  const thresholds = Object.fromEntries(
    agents.map(({ agentId }, index) => [agentId, { limit: { ...LIMIT, credits: limitOf(index) }, stopped: false }]),
  );
  const policy = toPolicy([
    setEdit('standard', { className: 'maker' }, { limit: LIMIT, credits: {} }),
    setEdit('class', { environmentId: 'env-1' }, 'maker'),
  ]);
  return reviewSeen(policy, aSeen({ agents, thresholds }));
}

const CLASSES = ['maker', 'production'].map((className) => setEdit('standard', { className }, { credits: {} }));

describe('the message of a review', () => {
  it('says in one line how much differs, and sets all of it back with one button', async () => {
    const { content } = await show(aReview({ more: 30, less: 10 }));

    expect(content.text).toMatch(/^:warning: \*40 of 60 differ from policy 1\* · 0 unknown\n/);
    const text = textOf(content);
    expect(text).toContain('Set all 40 back…');
    expect(text).toContain('Set all 30 back…');
    expect(text).toContain('*Allow more (30)*');
    expect(text).not.toContain('*Allow less (10)*');
    expect(text).toContain('Next (2 of 5)');
  });

  it('is a line where all is in order', async () => {
    const { content } = await show(aReview());

    expect(content.text).toMatch(/^:white_check_mark: \*All 60 settings are as policy 1 says\* · 0 unknown\n/);
    expect(content.blocks).toHaveLength(2);
  });

  it('says of how many agents the policy states no limit', async () => {
    const policy = toPolicy([...CLASSES, setEdit('class', { environmentId: 'env-1' }, 'maker')]);
    const agents = [1, 2].map((nth) => aSeenAgent('env-1', nth));

    expect(textOf((await show(reviewSeen(policy, aSeen({ agents })))).content)).toContain(
      'No limit is approved for 2 agents.',
    );
  });

  it('gives a new environment its class with one button, and all of them with a menu', async () => {
    const seen = aSeen({ environments: ['env-8', 'env-9'], agents: [] });
    const { content } = await show(reviewSeen(toPolicy(CLASSES), seen));
    const text = textOf(content);

    expect(text).toContain('"Maker"');
    expect(text).toContain('"Production"');
    expect(text).toContain('All 2 as…');
    expect(text).toContain('owner <@UOWNER>');
    expect(text).toContain('whether it draws on the tenant pool is unknown');
  });

  it('says what is unknown once, with what to do', async () => {
    const agents = [1, 2, 3].map((number) => aSeenAgent('env-1', number));
    const thresholds = Object.fromEntries(agents.map(({ agentId }) => [agentId, 'hidden' as const]));
    const policy = toPolicy([
      setEdit('standard', { className: 'maker' }, { limit: LIMIT, credits: {} }),
      setEdit('class', { environmentId: 'env-1' }, 'maker'),
      ...agents.slice(1).map(({ environmentId, agentId }) => setEdit('stop', { environmentId, agentId }, false)),
    ]);
    const sent = { 'env-1-agent-3': { limit: LIMIT, stopped: false, at: NOW, run: 'r' } };
    const { content } = await show(reviewSeen(policy, aSeen({ agents, thresholds }), { sent }));
    const text = textOf(content);

    expect(text).toContain('*1 limit unknown*: the service shows none.');
    expect(text).toContain('Set 1…');
    expect(text).toContain('They run: set 1…');
    expect(text).toContain('1 limit as we sent it; changes made elsewhere are invisible. Send again by 22 Feb 2027.');
  });
});

describe('the file of a review', () => {
  it('has a row for each setting that differs', async () => {
    const review = aReview({ more: 1, less: 1 });
    const { kept } = await show(review);

    const { columns, rows } = buildFindingSheet({ review: kept, findings: review.findings });

    const cells = rows.map((row) => columns.map(({ read }) => read(row)));
    expect(columns.map(({ name }) => name)).toContain('approved');
    expect(cells.map((row) => [row[0], row[4], row[7], row[8]])).toEqual([
      ['more', 'env-1-agent-1', '500 credits', '900 credits'],
      ['less', 'env-1-agent-2', '500 credits', '1 credits'],
    ]);
    expect(cells[0]).toContain(CURRENCY === 'ServiceMessages' ? 'The env-1' : '');
  });

  it('says where it does not have all', async () => {
    const review = aReview({ more: 3, less: 1 });
    const { kept } = await show(review);

    const gapsOf = (findings: Review['findings']) => buildFindingSheet({ review: kept, findings }).gaps;

    expect(gapsOf(review.findings)).toEqual([]);
    expect(gapsOf(review.findings.filter(({ group }) => group === 'more'))).toEqual([]);
    const some = { ...kept, head: { ...kept.head, counts: { ...kept.head.counts, more: 7_000 } } };
    expect(buildFindingSheet({ review: some, findings: review.findings }).gaps).toEqual([
      'Only the first 4 findings: there are more. Set those back, and review again.',
    ]);
  });
});
