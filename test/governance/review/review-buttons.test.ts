// What each button of a review proposes, and what the windows hand on.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Item } from '../../../src/governance/plan/plan.ts';
import { DRAFT_FORM } from '../../../src/governance/review/draft-form.ts';
import { keepReview } from '../../../src/governance/review/kept-review.ts';
import type { Reviewed } from '../../../src/governance/review/review.ts';
import { encodePlace, parsePlace } from '../../../src/governance/review/review-buttons.ts';
import { registerReview } from '../../../src/governance/review/review-listeners.ts';
import { submitForm } from '../../../src/governance/run/kept-form.ts';
import { type Edit, setEdit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY, findEntry, type Policy } from '../../../src/policy/policy.ts';
import { CURRENCY } from '../samples.ts';
import { aWorld, NOW, textOf, type World } from '../world.ts';
import { aSeen, reviewSeen } from './a-seen.ts';
import { aSeenAgent, aTenant, LIMIT, toPolicy } from './a-tenant.ts';

const ENV = { environmentId: 'env-1' };
const AGENT = { ...ENV, agentId: 'env-1-agent-1' };
const CLASSES = [
  setEdit('standard', { className: 'maker' }, { limit: LIMIT, credits: {} }),
  setEdit('standard', { className: 'production' }, { credits: {} }),
];
const POLICY = toPolicy([...CLASSES, setEdit('class', ENV, 'maker')]);

let world: World;
let proposed: { edits?: readonly Edit[]; items?: readonly Item[] }[];

beforeEach(async () => {
  [world, proposed] = [aWorld(), []];
  await decide(POLICY);
  const plan = { id: 'a1b2c3d4e5f6', items: [], edits: [], leftOut: [] };
  Object.assign(world.services, {
    engine: {
      async propose(edits: readonly Edit[]) {
        proposed.push({ edits });
        return { plan, warnings: ['a warning'] };
      },
      async proposeItems(items: readonly Item[]) {
        proposed.push({ items });
        return { plan, warnings: [] };
      },
    },
  });
});

/** From now on this is the policy. */
const decide = async (policy: Policy) => void (await world.policy.replace(await world.policy.read(), policy));

const press = (actionId: string, value: string) => world.listen(registerReview).press(actionId, value);

async function keep(reviewed: Reviewed): Promise<Item[]> {
  await keepReview(reviewed, world.services);
  return reviewed.findings.flatMap((one) => ('item' in one ? [one.item] : []));
}

const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);

const RAISED = { 'env-1-agent-1': { limit: { ...LIMIT, credits: 900 }, stopped: false } };

describe('Set back', () => {
  it('of all has 40 items in one plan, however many pages they fill', async () => {
    const agents = Array.from({ length: 140 }, (_, index) => aSeenAgent('env-1', index + 1));
    const limitOf = (index: number) => (index < 25 ? 900 : index < 40 ? 1 : 500);
    const thresholds = Object.fromEntries(
      agents.map(({ agentId }, index) => [agentId, { limit: { ...LIMIT, credits: limitOf(index) }, stopped: false }]),
    );
    const items = await keep(reviewSeen(POLICY, aSeen({ agents, thresholds })));

    await press('review_set_back_all', encodePlace({ id: 'r1', groups: ['more', 'less'] }));
    await press('review_set_back_all', encodePlace({ id: 'r1', groups: ['less'] }));

    expect(proposed[0]?.items).toEqual(items);
    expect(items).toHaveLength(40);
    expect(proposed[1]?.items).toHaveLength(15);
  });
});

describe('new environments', () => {
  it('get a class one by one, or all at once', async () => {
    await keep(reviewSeen(POLICY, aSeen({ environments: ['env-8', 'env-9'], agents: [] })));

    await press('review_class:1', encodePlace({ id: 'r1', index: 1, className: 'production' }));
    await press('review_class_all', encodePlace({ id: 'r1', groups: ['new'], className: 'maker' }));

    expect(proposed).toEqual([
      { edits: [setEdit('class', { environmentId: 'env-9' }, 'production')] },
      { edits: ['env-8', 'env-9'].map((environmentId) => setEdit('class', { environmentId }, 'maker')) },
    ]);
  });
});

describe('End now', () => {
  it('ends an exception, and not what stands once that has ended', async () => {
    const target = { ...AGENT, currency: CURRENCY };
    const standing = toPolicy([setEdit('limit', target, LIMIT)]);
    const policy = toPolicy([setEdit('limit', target, { ...LIMIT, credits: 900 }, toDay(NOW))], standing);
    await decide(policy);
    await keep(reviewSeen(policy, aSeen({ thresholds: RAISED })));
    const endings = encodePlace({ id: 'r1', groups: ['ending'] });

    await press('review_end_exception', endings);
    await decide(standing);
    await press('review_end_exception', endings);

    const entry = findEntry(standing, 'limit', target);
    expect(proposed).toEqual([
      { edits: [{ setting: 'limit', target, change: { kind: 'restore', entry } }] },
      { edits: [] },
    ]);
  });
});

describe('unknown limits', () => {
  it('are sent, and those of agents of which nobody knew whether they run are asked about once', async () => {
    const agents = [aSeenAgent('env-1', 1), aSeenAgent('env-1', 2)];
    const thresholds = { 'env-1-agent-1': 'hidden', 'env-1-agent-2': 'hidden' } as const;
    const policy = toPolicy([setEdit('stop', AGENT, false)], POLICY);
    await decide(policy);
    const items = await keep(reviewSeen(policy, aSeen({ agents, thresholds })));

    await press('review_set_unknown', encodePlace({ id: 'r1', groups: ['unknown'], way: 'send' }));
    await press('review_set_unknown', encodePlace({ id: 'r1', groups: ['unknown'], way: 'run' }));

    expect(items).toHaveLength(1);
    expect(proposed).toEqual([{ items }, { edits: [setEdit('stop', { ...ENV, agentId: 'env-1-agent-2' }, false)] }]);
  });
});

describe('Keep…', () => {
  it.each([
    ['asks who approves, of necessity, where it allows more than is approved', 900, [false]],
    ['asks nobody to approve where it allows less', 1, []],
  ])('%s', async (_what, credits, asked) => {
    world.services.needsApproval = true;
    const thresholds = { 'env-1-agent-1': { limit: { ...LIMIT, credits }, stopped: false } };
    await keep(reviewSeen(POLICY, aSeen({ thresholds })));
    await press('review_keep', encodePlace({ id: 'r1', index: 0 }));

    const blocks = (world.shown[0]?.blocks ?? []) as { block_id?: string; optional?: boolean }[];
    const fields = blocks.filter(({ block_id }) => block_id === 'approver');
    expect(fields.map(({ optional = false }) => optional)).toEqual(asked);
  });

  it('does not put an exception back that somebody has changed since the review', async () => {
    const cap = { workspace: 'T1', channel: 'C1' };
    const policy = toPolicy([setEdit('personCap', cap, 20, '2026-12-01')], POLICY);
    await decide(policy);
    await keep(reviewSeen(policy, aSeen({ thresholds: { 'env-1-agent-1': { limit: LIMIT, stopped: false } } })));
    await decide(toPolicy([setEdit('personCap', cap, 50, '2027-01-31')], policy));

    await press('review_keep', encodePlace({ id: 'r1', index: 0 }));

    expect(world.problems).toEqual([expect.stringContaining('Somebody changed this since the review')]);
  });
});

describe('Draft a policy…', () => {
  const FIELDS = { words: 'env-2', maker: '500', reason: 'the first policy' };

  async function open() {
    await decide(EMPTY_POLICY);
    await press('review_draft', 'draft');
    return world.shown[0];
  }

  it('ends with what stopped it, however late Slack shows how far it was', async () => {
    const view = await open();
    const [begun, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { session } = aTenant({ environments: 2 });
    session.readAllocation = async (id) => {
      if (id === 'env-2') return begun.promise.then(() => Promise.reject(new Error('no store')));
      world.passMs(60_000);
      return 'none';
    };
    const shown: string[] = [];
    const modal = {
      show: async () => {
        begun.resolve();
        await late.promise;
        shown.push('progress');
      },
      showFailure: async () => void shown.push('failure'),
    };
    const submission = { ...world.toSubmission(view, FIELDS), openSession: async () => session };
    const place = { toPlace: () => ({ modal }) } as never;
    const { afterwards } = await submitForm(DRAFT_FORM, Object.assign(submission, place), world.services);
    const done = afterwards?.();
    await begun.promise;
    setImmediate(late.resolve);
    await Promise.all([done, late.promise]);

    expect(shown).toEqual(['progress', 'failure']);
  });
});

describe('pages and files', () => {
  it('take the place of the message, and come as a file', async () => {
    await keep(reviewSeen(POLICY, aSeen({ thresholds: RAISED })));

    await press('review_page:next', encodePlace({ id: 'r1', page: 7 }));
    await press('review_csv', encodePlace({ id: 'r1', groups: ['more'] }));

    expect(textOf(world.said[0])).toContain('*1 of 1 differs from policy 1*');
    expect(world.files[0]?.content).toContain('env-1-agent-1');
  });
});

describe('what a button carries', () => {
  it.each(['', 'r1', '[]', '{}', '{"id":"r1","index":-1}', '{"id":"r1","groups":["<script>"]}'])(
    'is nothing where it is %s',
    (value) => {
      expect(parsePlace(value)).toBeUndefined();
    },
  );
});
