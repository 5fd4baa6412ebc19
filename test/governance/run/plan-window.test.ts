import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { describeNamed } from '../../../src/governance/inventory/inventory-views.ts';
import type { Item, ThresholdItem } from '../../../src/governance/plan/plan.ts';
import type { Proposal } from '../../../src/governance/run/engine.ts';
import {
  describeItemChanges,
  describeItemDone,
  listPlanLines,
  readTargetNames,
} from '../../../src/governance/run/item-words.ts';
import { buildFormWindow } from '../../../src/governance/run/kept-form.ts';
import { buildPlanWindow, PLAN_FORM } from '../../../src/governance/run/plan-form.ts';
import { buildOutcome } from '../../../src/governance/run/run-message.ts';
import type { ItemResult, Run } from '../../../src/governance/run/run-store.ts';
import type { GovernanceServices } from '../../../src/governance/services.ts';
import { type Edit, endException, setEdit } from '../../../src/policy/edit.ts';
import { CURRENCY, KIM, TRAVEL } from './run-world.ts';

const AGENT = {
  ...{ environmentId: 'env-1', agentId: 'a', resourceId: 'a', name: '*Sales* <!channel>' },
  ...{ environmentName: 'Production', ownerId: undefined, isHarness: false },
};

function anItem(values: Partial<ThresholdItem> = {}): ThresholdItem {
  return {
    ...{ resource: 'threshold', agent: AGENT, currency: CURRENCY, way: 'less', isStop: false },
    before: { limit: 'none', stopped: false },
    after: { limit: { credits: 2_000, noticeAt: 80, stopAtLimit: false }, stopped: false },
    ...values,
  };
}

function aProposal(items: Item[], values: Partial<Proposal> = {}): Proposal {
  const plan = { id: '0123456789ab', hash: 'h', basis: 'b', policy: 1, edits: [], items, leftOut: [] };
  return { plan, warnings: [], isGrave: false, typed: undefined, needsApprover: false, ...values };
}

const build = (proposal: Proposal) => {
  const options = { place: { id: 'p', replyTo: '' }, needsApproval: true };
  return buildFormWindow(
    PLAN_FORM,
    buildPlanWindow(proposal, (_target, seen = { name: 'X' }) => describeNamed(seen)),
    options,
  );
};

const listSectionTexts = (blocks: readonly object[]) =>
  (blocks as KnownBlock[]).flatMap((block) => (block.type === 'section' ? (block.text?.text ?? []) : []));

describe('what an item does', () => {
  it.each<[Partial<ThresholdItem>, string, string]>([
    [
      {},
      'limit none → 2,000 credits · notice at 80 % · goes on at the limit',
      '2,000 credits · notice at 80 % · goes on at the limit (was none)',
    ],
    [
      { before: 'unknown', after: { limit: 'none', stopped: true }, isStop: true },
      'unknown → stopped',
      'stopped (was unknown)',
    ],
    [
      { before: { limit: 'none', stopped: true }, after: { limit: 'none', stopped: false } },
      'stopped → running',
      'running (was stopped)',
    ],
    [
      {
        before: { limit: { credits: 5, noticeAt: 'off', stopAtLimit: true }, stopped: false },
        after: { limit: { credits: 7, noticeAt: 'off', stopAtLimit: false }, stopped: false },
      },
      'limit 5 credits → 7 credits · stops at the limit → goes on at the limit',
      '7 credits (was 5 credits) · goes on at the limit (was stops at the limit)',
    ],
  ])('is old → new', (values, changes, done) => {
    expect([describeItemChanges(anItem(values)), describeItemDone(anItem(values))]).toEqual([changes, done]);
  });
});

describe('the lines of a plan', () => {
  /** Two names that begin alike, as somebody may choose them. */
  const LONG = 'Invoices of all subsidiaries '.repeat(10);

  async function listLines(edits: Edit[], items: Item[] = []): Promise<string[]> {
    const known = { read: async () => undefined } as unknown as GovernanceServices['known'];
    const name = await readTargetNames({ known, currency: CURRENCY }, Infinity);
    return listPlanLines({ ...aProposal(items).plan, edits }, name).lines;
  }

  const named = (name: string, agentId: string) => anItem({ agent: { ...AGENT, name, agentId } });

  it('have whole names, also those of currencies', async () => {
    const credits: Item = {
      ...{ resource: 'credits', environmentId: 'e', environmentName: `${LONG}C`, way: 'more', before: {} },
      after: Object.fromEntries(['A', 'B'].map((end) => [`${LONG}${end}`, { allocated: 5, rules: {} }])),
    };

    const text = (await listLines([], [named(`${LONG}A`, 'a'), named(`${LONG}B`, 'b'), credits])).join();

    expect(text).not.toContain('…');
    for (const end of ['A* in', 'B* in', 'C*', 'A) none', 'B) none']) expect(text).toContain(LONG + end);
  });

  it('say every currency that is not the default', async () => {
    const ofCredits = (currency: string) =>
      setEdit('credits', { environmentId: 'e', currency }, { allocated: 5, rules: {} });
    const credits: Item = {
      ...{ resource: 'credits', environmentId: 'e', environmentName: 'Lab', way: 'more', before: {} },
      after: { AI: { allocated: 5, rules: {} } },
    };

    const lines = await listLines([ofCredits(CURRENCY), ofCredits('AI')], [anItem({ currency: 'AI' })]);

    expect(lines).toEqual([
      expect.stringMatching(/^• \*e\*: 5 credits/),
      expect.stringMatching(/^• \*e\* \(AI\): 5 credits/),
      expect.stringMatching(/^• .* in Production \(AI\): limit none/),
    ]);
    expect(await listLines([], [credits])).toEqual(['• *Lab* (AI): credits none → 5']);
  });

  it('have the id where two look alike, also by what nobody sees', async () => {
    const items = [
      named('Bot', 'bot-1'),
      named('B\u200bot', 'bot-2'),
      named('B\u200dot', 'bot-3'),
      named('Other', 'o'),
    ];

    const subjects = (await listLines([], items)).map((line) => line.slice(0, line.indexOf(':')));

    expect(subjects).toEqual([
      '• *Bot* in Production (bot-1)',
      '• *Bot* in Production (bot-2)',
      '• *B\u200dot* in Production (bot-3)',
      '• *Other* in Production',
    ]);
    expect(await listLines([], [named('\u200b\u3164', 'bot-4')])).toEqual([
      expect.stringContaining('*bot-4* in Production:'),
    ]);
  });

  it('say which rules are off where that is all there is to say', async () => {
    const rules = { Alert: false, TenantPool: false, PayGo: false, Deny: false };
    const credits: Item = {
      ...{ resource: 'credits', environmentId: 'e', environmentName: 'Lab', way: 'less', before: {} },
      after: { [CURRENCY]: { rules } },
    };

    expect(await listLines([], [credits])).toEqual([
      expect.stringMatching(/^• \*Lab\*: Alert administrators not set → off · /),
    ]);
  });
});

describe('how a run ended', () => {
  const end = (plan: Proposal['plan'], results: [number, ItemResult][] = []) => {
    const run: Run = {
      ...{
        id: plan.id,
        by: KIM,
        why: { by: KIM.user, reason: 'because', at: 1 },
        policy: 1,
        isStop: false,
        begunAt: 1,
      },
      ...{ edits: plan.edits.length, items: plan.items.length, replyTo: '', lease: { holder: '', until: 0 } },
    };
    return buildOutcome({ run, content: { plan, reverse: [] }, results: new Map(results), why: 'done' }, () => '*X*');
  };

  it('fits into a message also after a large import, with what cannot be shown and the way back', () => {
    const edits = Array.from({ length: 12_000 }, (_, index) =>
      setEdit('class', { environmentId: `env-${index}` }, 'maker'),
    );

    const { blocks } = end({ ...aProposal([]).plan, edits });

    expect(blocks.length).toBeLessThan(5);
    expect(JSON.stringify(blocks)).toMatch(/and 11,980 more: see `\/assistant-admin log`.*Policy 1\..*run_undo/);
  });

  it('is said in a section also where one change is longer than that', () => {
    const after = Object.fromEntries(
      Array.from({ length: 90 }, (_, index) => [`Currency ${index} of the year`, { allocated: 5, rules: {} }]),
    );
    const credits: Item = {
      ...{ resource: 'credits', environmentId: 'e', environmentName: 'Lab', way: 'more', before: {}, after },
    };

    const [first = ''] = listSectionTexts(end(aProposal([credits]).plan).blocks);

    expect(first).toMatch(/^:x: \*X\*: not tried.*…/);
    expect(first.length).toBeLessThanOrEqual(3_000);
  });

  it('says what was wanted only if something was', () => {
    const plan = aProposal([anItem({ after: { limit: 'none', stopped: false } })]).plan;

    const text = JSON.stringify(end(plan, [[0, { kind: 'failed', written: 'no', requestIds: [], at: 1 }]]));

    expect(text).toContain('*X*: failed.');
    expect(text).not.toContain('Wanted');
  });
});

describe('what an item does to credits', () => {
  const after = { AI: { allocated: 5, rules: { Alert: false, TenantPool: false, PayGo: false, Deny: true } } };
  const anyItem = { resource: 'credits', environmentId: 'e', environmentName: 'Lab', way: 'unknown', after } as const;

  it('is old → new also where the service does not show the old one, and may have had a rule on', () => {
    expect(describeItemChanges({ ...anyItem, before: { AI: { rules: { Alert: true, Deny: true } } } })).toBe(
      'credits not shown → 5 · Alert administrators on → off · Draw on the tenant pool not shown → off · Pay as you go not shown → off',
    );
    expect(describeItemChanges({ ...anyItem, before: {} })).toBe('credits none → 5 · Deny when used up not set → on');
  });
});

describe('the plan window', () => {
  it('says on its button what it does, and shows names literally', () => {
    const window = build(aProposal([anItem()]));

    expect(window.submit?.text).toBe('Set back');
    expect(JSON.stringify(window.blocks)).not.toContain('<!channel>');
    expect(build(aProposal(Array.from({ length: 40 }, () => anItem()))).submit?.text).toBe('Set back 40');
    expect(build(aProposal([anItem({ isStop: true }), anItem({ isStop: true })])).submit?.text).toBe('Stop 2');
    expect(build(aProposal([anItem()], { needsApprover: true })).submit?.text).toBe('Ask for approval');
  });

  it('asks for the number where there are many, for the approver where one is needed, and always why', () => {
    const ids = (proposal: Proposal) => build(proposal).blocks.flatMap(({ block_id: id }) => id ?? []);

    expect(ids(aProposal([anItem()]))).toEqual(['reason']);
    expect(ids(aProposal([anItem()], { typed: 60, needsApprover: true }))).toEqual(['typed', 'reason', 'approver']);
  });

  it('names what is left out', () => {
    const proposal = aProposal([]);
    Object.assign(proposal.plan, { leftOut: [{ environmentId: 'e', reason: 'changed' }] });

    expect(JSON.stringify(build(proposal).blocks)).toContain('changed since this review, so review again: *X*');
  });

  it('stays within the limits of Slack with thousands of items, and says what is left out', () => {
    const proposal = aProposal(
      Array.from({ length: 2_000 }, () => anItem()),
      { warnings: ['Stops at once.'], typed: 2_000 },
    );
    const leftOut = Array.from({ length: 9 }, () => ({ environmentId: 'e', agent: AGENT, reason: 'maybe_stopped' }));
    Object.assign(proposal.plan, { leftOut });

    const { blocks } = build(proposal);

    expect(blocks.length).toBeLessThan(50);
    expect(JSON.stringify(blocks)).toMatch(/and 1,960 more.*9 left out/s);
    for (const text of JSON.stringify(blocks).match(/"text":"[^"]*"/g) ?? []) {
      expect(JSON.parse(`{${text}}`).text.length).toBeLessThanOrEqual(3_000);
    }
  });

  it('says how many lines it leaves out where they are too long for a message', () => {
    const edits = Array.from({ length: 60 }, (_, index) =>
      setEdit('owners', { environmentId: `env-${index}` }, Array(20).fill('o'.repeat(320))),
    );
    const proposal = aProposal([]);
    Object.assign(proposal.plan, { edits });

    const texts = listSectionTexts(build(proposal).blocks);

    expect(texts).toHaveLength(21);
    expect(texts.at(-1)).toBe('_… and 40 more_');
    expect(texts[0]?.length).toBeGreaterThan(400);
  });

  it('says what holds again where an exception ends, and that the entry ends where nothing does', () => {
    const target = { ...TRAVEL, currency: CURRENCY };
    const why = { by: 'U1', reason: 'because', at: 1 };
    const entry = { setting: 'limit' as const, target, standing: { value: 'none' as const, why } };
    const exception = { ...entry.standing, until: '2026-12-31' };
    const proposal = aProposal([]);
    const show = (edit: Edit) => {
      Object.assign(proposal.plan, { edits: [edit] });
      return JSON.stringify(build(proposal).blocks);
    };

    expect(show(endException({ ...entry, exception }))).toContain('*X*: monthly limit no limit');
    expect(show(endException({ ...entry, standing: undefined, exception }))).toContain(
      'entry of its monthly limit ends',
    );
  });

  it('shows what changes in the policy beside an item of the same environment or agent', () => {
    const toCredits = (allocated: number) => ({ allocated, rules: {} });
    const credits: Item = {
      ...{ resource: 'credits', environmentId: 'e', environmentName: 'Lab', way: 'more' },
      ...{ before: { A: toCredits(5), B: toCredits(9_000) }, after: { A: toCredits(6) } },
    };
    const ofEnvironment = (currency: string, value: number) =>
      setEdit('credits', { environmentId: 'E', currency }, toCredits(value));
    const agent = { environmentId: 'env-1', agentId: 'a' };
    const stopped = { limit: { credits: 800, noticeAt: 80, stopAtLimit: true }, stopped: true } as const;
    const item = anItem({ before: { ...stopped, stopped: false }, after: stopped });
    const proposal = aProposal([credits, item]);
    Object.assign(proposal.plan, {
      edits: [
        ...[ofEnvironment('a', 6), ofEnvironment('b', 9_000)],
        ...[setEdit('limit', { ...agent, currency: CURRENCY }, stopped.limit), setEdit('stop', agent, true)],
      ],
    });

    const text = JSON.stringify(build(proposal).blocks);

    expect(text).toMatch(/9,000 credits.*monthly limit 800 credits.*Lab.*5 → 6.*running → stopped/);
    expect(text.match(/• /g)).toHaveLength(4);
  });

  it('shows what counts once an exception has ended beside the item that writes the exception', () => {
    const target = { environmentId: 'env-1', agentId: 'a', currency: CURRENCY };
    const limitOf = (credits: number) => ({ credits, noticeAt: 80, stopAtLimit: false }) as const;
    const why = { by: 'U1', reason: 'because', at: 1 };
    const item = anItem({ after: { limit: limitOf(400), stopped: false } });
    const show = (edits: Edit[]) => {
      const proposal = aProposal([item]);
      Object.assign(proposal.plan, { edits });
      return JSON.stringify(build(proposal).blocks);
    };

    expect(
      show([
        setEdit('limit', target, limitOf(1_000_000)),
        { setting: 'limit', target, change: { kind: 'set', value: limitOf(400), until: '2026-12-31' } },
      ]),
    ).toMatch(/limit 1,000,000 credits.*limit 400 credits[^•]* until 31 Dec 2026.*none → 400 credits/);

    const standing = { value: limitOf(1_000_000), why };
    const exception = { value: limitOf(400), why, until: '2026-12-31' };
    const entry = { setting: 'limit' as const, target, standing, exception };
    expect(show([{ setting: 'limit', target, change: { kind: 'restore', entry } }])).toMatch(
      /limit 400 credits[^•]* until 31 Dec 2026, then monthly limit 1,000,000 credits.*none → 400 credits/,
    );
  });
});
