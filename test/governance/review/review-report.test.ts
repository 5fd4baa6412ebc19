import type { KnownBlock } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Difference, Finding } from '../../../src/governance/review/finding.ts';
import { FINDINGS_PER_PAGE, type ReportPage } from '../../../src/governance/review/report.ts';
import { buildReport, describeLeftAlone } from '../../../src/governance/review/report-views.ts';
import { parseReviewPlace } from '../../../src/governance/review/review-buttons.ts';
import { summarize } from '../../../src/governance/review/review-summary.ts';
import { findMessageProblems, readTexts } from '../limits/limit-samples.ts';
import { AT, aDifference, aHead, anAgentFinding, anEnvironmentFinding, aToldAgentFinding } from './review-samples.ts';

const BERLIN = { timeZone: 'Europe/Berlin' };
const NO_GAPS = { environments: undefined, agents: undefined };

type Button = { action_id: string; value: string; text: { text: string } };

const listButtons = (blocks: readonly unknown[]): Button[] =>
  (blocks as KnownBlock[]).flatMap((block) =>
    block.type === 'actions' ? (block.elements as unknown as Button[]) : [],
  );

function show(page: Partial<ReportPage>, { number = 0, pageCount = 1 } = {}) {
  const shown = { number, page: { environments: [], strayAgents: [], ...page } };
  return buildReport({ head: aHead({ pageCount }), shown }, BERLIN);
}

const showOne = (finding: Finding) =>
  finding.kind === 'environment'
    ? show({ environments: [{ environment: finding, agents: [], coveredAgents: 0 }] })
    : show({ environments: [{ environment: IN_ORDER, agents: [finding], coveredAgents: 0 }] });

const IN_ORDER = anEnvironmentFinding({ status: 'compliant', differences: [] });

describe('the summary', () => {
  it('says that everything is as approved where it is', () => {
    const message = buildReport({ head: aHead(), shown: undefined }, BERLIN);

    expect(message.text).toBe(':white_check_mark: *Review: everything is as approved.*');
    expect(readTexts(message)).toContain('Register 0123456789ab · as of 4 Mar 2026, 14:05 CET · took 1 min 35 s');
    expect(findMessageProblems(message)).toEqual([]);
  });

  it('says how far it goes where the service shows no limits, and what it does not tell', () => {
    const none = aToldAgentFinding({ limitSource: 'unknown', limitSetAt: undefined, limitStaleAt: undefined });
    const summary = summarize([IN_ORDER, aToldAgentFinding(), aToldAgentFinding(), none], NO_GAPS, 0);
    const message = buildReport({ head: aHead({ summary }), shown: undefined }, BERLIN);

    expect(message.text).toBe(':white_check_mark: *Review: everything is as approved, as far as the service tells.*');
    expect(readTexts(message)).toContain('*3 agents*\n3 as approved, as far as the service tells');
    expect(readTexts(message)).toContain(
      ':information_source: The service does not show these limits: 2 agents set from here as approved on 4 Mar 2026, 14:05 CET; 1 agent without an approved limit, and none set from here. If somebody changed one elsewhere since, this review does not see it. From 3 Apr 2026, 15:05 CEST on, the first is to be set again.',
    );
    expect(findMessageProblems(message)).toEqual([]);
  });

  it('counts what was found, and calls out what draws on the pool', () => {
    const exception = { isExpired: true, reason: 'r', approver: 'U1', expiresOn: '2026-01-31' };
    const findings = [
      anEnvironmentFinding({ differences: [aDifference({ exception }), aDifference({ way: 'tighter' })] }),
      anEnvironmentFinding({ status: 'unclassified', tenantPool: 'on', differences: [] }),
      anAgentFinding({ status: 'unreadable', reason: 'admin_forbidden', differences: [] }),
    ];
    const head = aHead({
      summary: summarize(findings, NO_GAPS, 1_200),
      ...{ newOnTenantPool: ['Zoo <1>'], covered: 4, told: ['admin_forbidden'], cut: 7, unused: { in_register: 2 } },
    });

    const text = readTexts(buildReport({ head, shown: undefined }, BERLIN));

    expect(text).toContain('not all of it could be read, so it does not count as compliant.* 3 findings not in order.');
    expect(text).toContain('*A new environment draws on the tenant pool, and nobody has approved it*: Zoo &lt;1&gt;.');
    expect(text).toContain('*2 environments*\n1 with drift\n1 not in the register');
    expect(text).toContain('*1 agent*\n1 unknown');
    expect(text).toContain(
      '2 differences that nobody has accepted, in environments that the register names: 1 allow more, 1 allow less.',
    );
    expect(text).toContain('1 finding with an exception that has ended.');
    expect(text).toContain(
      '• 1: the service does not let your account read this: it lacks the right to read allocations or to read the limits of agents, which the administrator role there has _(not listed one by one)_',
    );
    expect(text).toContain('4 agents of environments that are new or gone: not listed.');
    expect(text).toContain('1,200 agents without a harness: left out, as the register says.');
    expect(text).toContain('2 decisions made in Slack without effect: the register says it itself by now.');
    expect(text).toContain('7 findings more than can be listed.');
  });

  it('never calls compliant what is truncated', () => {
    const gaps = { environments: 'inventory_truncated', agents: 'admin_throttled' };
    const head = aHead({ gaps, summary: summarize([], gaps, 0) });

    const text = readTexts(buildReport({ head, shown: undefined }, BERLIN));

    expect(text).not.toContain('everything is as approved');
    expect(text).toContain('The list of environments is not complete: the service did not list everything.');
    expect(text).toContain('The list of agents is not complete: the service had too much to do, for too long.');
  });
});

describe('a finding', () => {
  const exception = { isExpired: false, reason: 'Closing of the year', approver: 'U0KIM', expiresOn: '2027-01-31' };

  it.each<[string, Partial<Difference>, string]>([
    ['a rule', {}, 'Deny when used up (ServiceMessages): approved on → found *off* · allows more'],
    ['a default', { setting: 'TenantPool', approved: 'off', found: 'platform-default' }, 'found *platform default*'],
    ['credits', { setting: 'allocated', approved: 25_000, found: 26_000 }, 'approved 25,000 → found *26,000*'],
    [
      'credits that nobody approved',
      { setting: 'allocated', approved: 'none', found: 5 },
      'approved nothing → found *5*',
    ],
    [
      'no limit',
      { setting: 'monthlyLimit', currency: undefined, found: 'none' },
      'Monthly limit: approved on → found *no limit*',
    ],
    [
      'a notice',
      { setting: 'alertAt', approved: 80, found: 'off', way: 'tighter' },
      'approved 80 % → found *off* · allows less',
    ],
    ['what is not told', { found: 'unknown', way: 'unclear' }, 'found *unknown* · effect unknown'],
    ['what is accepted', { exception }, 'accepted until 31 Jan 2027 by <@U0KIM>: Closing of the year'],
    ['what was accepted', { exception: { ...exception, isExpired: true } }, '*the exception ended on 31 Jan 2027*'],
  ])('tells %s in words', (_, values, words) => {
    expect(readTexts(showOne(anEnvironmentFinding({ differences: [aDifference(values)] })))).toContain(words);
  });

  it.each<[string, Finding, string[]]>([
    ['drift', anEnvironmentFinding(), ['Correct…', 'Accept…']],
    [
      'drift that is not told',
      anEnvironmentFinding({ differences: [aDifference({ found: 'unknown' })] }),
      ['Correct…'],
    ],
    ['a new environment', anEnvironmentFinding({ status: 'unclassified', differences: [] }), ['Classify…']],
    ['drift of an agent', anAgentFinding(), ['Correct…', 'Accept…']],
    ['an agent without a limit', anAgentFinding({ status: 'unclassified', differences: [] }), ['Approve limit…']],
    ['what has gone', anAgentFinding({ status: 'vanished', differences: [] }), []],
    ['what is unreadable', anAgentFinding({ status: 'unreadable', reason: 'x', differences: [] }), []],
    ['an id that is too long', anAgentFinding({ key: 'x'.repeat(2_000) }), []],
  ])('has buttons for what can be done about %s', (_, finding, labels) => {
    // The last two export the report.
    const buttons = listButtons(showOne(finding).blocks).slice(0, -1);

    expect(buttons.map(({ text }) => text.text)).toEqual(labels);
    for (const { value } of buttons)
      expect(parseReviewPlace(value)).toEqual({ report: 'r1', page: 0, key: finding.key });
  });

  it.each<[string, Finding, string]>([
    ['a classification', anEnvironmentFinding(), '*Production* · funded production · :warning: *drift*'],
    [
      'that it is gone',
      anEnvironmentFinding({ status: 'vanished', differences: [] }),
      'the service does not list it any more',
    ],
    [
      'the reason',
      anEnvironmentFinding({ status: 'unreadable', reason: 'no_allocation' }),
      'knows no allocation of it',
    ],
    ['a reason it does not know', anAgentFinding({ status: 'unreadable', reason: 'a<b' }), 'reason: a&lt;b'],
    [
      'an owner of the register',
      anEnvironmentFinding({ owners: ['ana@x.example', 'U0ANA'] }),
      'Owner: ana@x.example, <@U0ANA>',
    ],
    ['an owner of the inventory', anEnvironmentFinding(), 'Owner: owner-1 _(id in the directory)_'],
    ['that nobody is', anEnvironmentFinding({ ownerId: undefined }), 'Owner: unknown'],
    ['that it is old', anAgentFinding({ limitSource: 'last_set' }), 'somebody may have changed it elsewhere since'],
    [
      'a pool by default',
      anEnvironmentFinding({ status: 'unclassified', tenantPool: 'platform-default' }),
      'platforms let it draw by default',
    ],
  ])('tells %s', (_, finding, words) => {
    expect(readTexts(showOne(finding))).toContain(words);
  });

  it('tells how many agents stand under it', () => {
    const environment = anEnvironmentFinding({ status: 'unclassified', differences: [] });

    const text = readTexts(show({ environments: [{ environment, agents: [], coveredAgents: 1_000 }] }));

    expect(text).toContain('Its 1,000 agents are reviewed after it is classified.');
  });

  it('lets no name mention, link or break a line', () => {
    const name = '<!channel> <https://evil.test|x>\n*Owner*: 0\u202e';

    const text = readTexts(showOne(anEnvironmentFinding({ name, owners: ['<!here>'] })));

    expect(text).toContain('*&lt;!channel&gt; &lt;https://evil.test|x&gt; ∗Owner∗: 0*');
    expect(text).toContain('Owner: &lt;!here&gt;');
  });
});

describe('a page', () => {
  it('can be turned both ways, and exported', () => {
    const agents = [anAgentFinding()];
    const environments = [{ environment: anEnvironmentFinding(), agents, coveredAgents: 0 }];

    const buttons = listButtons(show({ environments }, { number: 1, pageCount: 3 }).blocks).slice(-3);

    expect(buttons.map(({ text, value }) => [text.text, parseReviewPlace(value)])).toEqual([
      ['Previous', { report: 'r1', page: 0, key: '' }],
      ['Next', { report: 'r1', page: 2, key: '' }],
      ['Export CSV', { report: 'r1', page: 0, key: '' }],
    ]);
  });

  it.each([
    [{ limit: 1_200, allocation: 3 }, 'Correct all 1,203 at once…'],
    [{ limit: 1 }, undefined],
  ])('offers to correct all that the register names, where there are several findings: %o', (counts, label) => {
    const head = aHead({ candidates: { counts, cut: 0 } });

    const buttons = listButtons(buildReport({ head, shown: undefined }, BERLIN).blocks);

    expect(buttons.find(({ action_id }) => action_id === 'admin_review_correct_all')?.text.text).toBe(label);
  });

  it('fits into a message whatever is in it', () => {
    const wild = fc.string({
      unit: fc.constantFrom('<', '&', '"', '\\', '\n', '👩‍👩‍👧‍👦', 'x'),
      minLength: 1,
      maxLength: 600,
    });
    const value = fc.constantFrom('on', 'platform-default', 'none', 123_456_789.12);
    const exception = fc.record({ isExpired: fc.boolean(), reason: wild, approver: wild, expiresOn: wild });
    const difference = fc
      .record({ currency: wild, approved: value, found: value, exception: fc.option(exception, { nil: undefined }) })
      .map((drawn) => aDifference(drawn as Partial<Difference>));
    const status = fc.constantFrom('drift', 'unclassified', 'vanished', 'unreadable', 'compliant');
    const common = {
      ...{ name: wild, reason: wild, ownerId: wild, status },
      ...{ owners: fc.array(wild, { maxLength: 6 }), differences: fc.array(difference, { maxLength: 20 }) },
    };
    const finding = fc.record(common).map((drawn) => anEnvironmentFinding(drawn as object));
    fc.assert(
      fc.property(
        fc.array(finding, { minLength: FINDINGS_PER_PAGE, maxLength: FINDINGS_PER_PAGE }),
        wild,
        (all, text) => {
          const environments = all.map((environment) => ({ environment, agents: [], coveredAgents: 12_345 }));
          const unreadable = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}${text}`, 20_000]));
          const head = aHead({
            ...{ pageCount: 500, registerHash: text, newOnTenantPool: Array(5).fill(text), covered: 9, cut: 9 },
            gaps: { environments: text, agents: text },
            summary: { ...summarize(all, NO_GAPS, 9_999), unreadable, expired: 3 },
            unused: { in_register: 1, replaced_by_later: 1, defaults_incomplete: 1, environment_unclassified: 1 },
          });
          const message = buildReport({ head, shown: { page: { environments, strayAgents: [] }, number: 1 } }, BERLIN);
          expect(findMessageProblems(message)).toEqual([]);
          expect(message.blocks.length).toBeLessThanOrEqual(40);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('names the time in the admin’s time zone', () => {
    const { blocks } = buildReport({ head: aHead({ at: AT }), shown: undefined }, { timeZone: 'America/New_York' });

    expect(readTexts(blocks)).toContain('as of 4 Mar 2026, 08:05');
  });
});

describe('an agent whose limit is to be set', () => {
  it.each([
    ['limit_not_told', 'Set limit…', 'and none was set from here\nApproved: 100 credits a month, notice at 80 %'],
    ['limit_in_doubt', 'Set again…', 'may or may not have been made; the service does not show what holds now'],
    [
      'limit_stale',
      'Set again…',
      'Set from here as approved on 4 Mar 2026, 14:05 CET; that counted until 3 Apr 2026, 15:05 CEST\nApproved: 100',
    ],
  ])('says what is approved, and offers to set it: %s', (reason, label, words) => {
    const isSet = reason === 'limit_stale';
    const times = isSet ? {} : { limitSource: 'unknown' as const, limitSetAt: undefined, limitStaleAt: undefined };
    const message = showOne(aToldAgentFinding({ status: 'unreadable', reason, ...times }));

    expect(readTexts(message)).toContain(words);
    expect(listButtons(message.blocks).slice(0, -1)).toMatchObject([
      { action_id: 'admin_review_correct', text: { text: label } },
    ]);
    expect(findMessageProblems(message)).toEqual([]);
  });

  it('has no such button where no limit is approved', () => {
    const message = showOne(
      aToldAgentFinding({ status: 'unreadable', reason: 'limit_in_doubt', approvedLimit: { monthlyLimit: 'none' } }),
    );

    expect(listButtons(message.blocks).slice(0, -1)).toEqual([]);
  });
});

describe('what a correction of all leaves alone', () => {
  const settings = [aDifference(), aDifference({ setting: 'PayGo', approved: 'platform-default' })];
  const drift = [anEnvironmentFinding({ differences: settings }), anAgentFinding()];
  const others = (
    ['compliant', 'unclassified', 'vanished', 'vanished', 'approved_exception', 'unreadable'] as const
  ).map((status) => anEnvironmentFinding({ status, differences: [] }));
  const head = aHead({ summary: summarize([...drift, ...others], NO_GAPS, 0) });

  it('is said in numbers: what is no drift, what was not ticked, and settings of the rest', () => {
    const candidates = drift.map((finding) => ({ finding, environmentName: undefined, kind: 'limit' as const }));

    expect(describeLeftAlone(head, candidates)).toEqual([
      'Left as it is: 1 accepted for now, 1 not in the register, 2 gone, 1 unknown, 1 setting of these, accepted or without an approved value.',
    ]);
    expect(describeLeftAlone(head, candidates.slice(1)).join()).toContain('1 accepted for now, 1 with drift, 1 not in');
    expect(describeLeftAlone(aHead({ summary: summarize(drift.slice(1), NO_GAPS, 0) }), candidates.slice(1))).toEqual(
      [],
    );
  });
});
