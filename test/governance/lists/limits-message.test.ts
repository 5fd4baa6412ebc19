import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KnownLimit } from '../../../src/governance/inventory/agent-limit.ts';
import { parseAgentValue, SET_LIMIT_ACTION } from '../../../src/governance/limits/limit-form-views.ts';
import { STOP_ACTIONS } from '../../../src/governance/limits/stop-form-views.ts';
import { LIMIT_ALL_TOPIC } from '../../../src/governance/lists/limit-all-views.ts';
import { buildLimitsMessage } from '../../../src/governance/lists/limits-message.ts';
import { parsePageTurn } from '../../../src/governance/lists/list-message.ts';
import { aLimitPage, aLimitRow, findButtons, findMessageProblems, readTexts } from '../limits/limit-samples.ts';
import { AGENT, aDeployedLimit, aLastSetLimit, NOW } from '../shell/samples.ts';

const BERLIN = { timeZone: 'Europe/Berlin' };

describe('the list of limits', () => {
  it.each([
    [796, '79 %'],
    [999, '99 %'],
  ])('rounds down what is used, alone and together: %s of 1,000', (used, percent) => {
    const rows = [1, 2].map(() => aLimitRow({ known: aDeployedLimit({ limit: 1_000 }, used) }));
    const totals = { limited: 2, limits: 2_000, used: 2 * used, told: 2, none: 0, unknown: 0, stopped: 0 };

    const text = readTexts(buildLimitsMessage(aLimitPage({ rows, totals }), BERLIN));

    expect(text).toContain(`${used} credits (${percent})`);
    expect(text).toContain(`used ${(2 * used).toLocaleString('en-US')} (${percent})`);
  });

  it('tells limit, consumption, owner and harness, as people read them', () => {
    const known = aDeployedLimit({ limit: 1_234_567, stopWhenReached: true, stopped: true }, 617_283.5);
    const environmentUse = { consumed: 18_250, capacity: 25_000, unit: 'Credit', asOf: NOW };

    const text = readTexts(buildLimitsMessage(aLimitPage({ rows: [aLimitRow({ known, environmentUse })] }), BERLIN));

    expect(text).toContain('*Invoice Reader* in Production');
    expect(text).toContain('*1,234,567* credits a month, notice at 80 %, stops when reached · *stopped now*');
    expect(text).toContain('▰▰▰▰▰▱▱▱▱▱ 617,283.5 credits (50 %)');
    expect(text).toContain('18,250 of 25,000 credits, as of 4 Mar 2026, 14:05');
    expect(text).toContain('Owner: owner-1 · Harness agent: yes');
    expect(text).toContain('As of 4 Mar 2026, 14:05');
  });

  it.each<[string, KnownLimit, string]>([
    ['was last set from here', aLastSetLimit(), 'last set from here by <@U1> on 4 Mar 2026, 14:05'],
    ['does not exist', { source: 'none', readAt: NOW }, 'Limit: none set'],
    ['is not known', { source: 'unknown' }, 'Limit: unknown'],
  ])('says of a limit that it %s, and that consumption is not told', (_, known, words) => {
    const text = readTexts(buildLimitsMessage(aLimitPage({ rows: [aLimitRow({ known })] }), BERLIN));

    expect(text).toContain(words);
    expect(text).toContain('Used this month: unknown');
  });

  it('keeps what is not known of the harness apart from no', () => {
    const rows = (['unknown', false] as const).map((isHarness) => aLimitRow({ isHarness }));

    const text = readTexts(buildLimitsMessage(aLimitPage({ rows }), BERLIN));

    expect(text).toContain('Harness agent: unknown');
    expect(text).toContain('Harness agent: no');
  });

  it('offers to set each limit, and says why where it cannot', () => {
    const rows = [aLimitRow(), aLimitRow({ environmentId: undefined })];

    const message = buildLimitsMessage(aLimitPage({ rows }), BERLIN);

    const buttons = findButtons(message.blocks);
    expect(buttons.map(({ action_id }) => action_id)).toEqual([
      SET_LIMIT_ACTION,
      STOP_ACTIONS.stop,
      'admin_limits_export_csv',
    ]);
    expect(parseAgentValue(buttons[0]?.value ?? '')).toEqual(AGENT);
    expect(readTexts(message)).toContain('names no usable environment');
  });

  it('offers one limit for all on its pages where there are several, with the filters', () => {
    const list = aLimitPage({ settable: 1_200, query: 'none env:Lab' });

    const button = findButtons(buildLimitsMessage(list, BERLIN).blocks).find(
      ({ action_id }) => action_id === LIMIT_ALL_TOPIC.id,
    );

    expect(readTexts(button)).toContain('Set one limit for all 1,200…');
    expect(parsePageTurn(button?.value ?? '')).toEqual({ query: 'none env:Lab', page: 0 });
  });

  it('turns pages both ways, with the search', () => {
    const page = aLimitPage({ page: 1, pageCount: 3, total: 2500, query: 'a "quoted" <name>' });

    const message = buildLimitsMessage(page, BERLIN);

    const turns = findButtons(message.blocks).filter(({ action_id }) => action_id.startsWith('admin_limits_'));
    expect(turns.map(({ action_id, value }) => [action_id, parsePageTurn(value)])).toEqual([
      ['admin_limits_previous', { query: page.query, page: 0 }],
      ['admin_limits_next', { query: page.query, page: 2 }],
      ['admin_limits_export_csv', { query: page.query, page: 0 }],
    ]);
    expect(message.text).toContain('2,500 agents matching “a "quoted" &lt;name&gt;”, page 2 of 3');
  });

  it('says what is missing', () => {
    const page = aLimitPage({ truncated: true, gaps: ['environments', 'limits', 'consumption'] });

    const text = readTexts(buildLimitsMessage(page, BERLIN));

    expect(text).toContain('agents may be missing');
    expect(text).toContain('names of environments could not be read');
    expect(text).toContain('limits could not be read');
    expect(text).toContain('consumption of some environments could not be read');
  });

  it('says that there are none, and what to try', () => {
    const message = buildLimitsMessage(aLimitPage({ rows: [], query: 'x' }), BERLIN);

    expect(message.text).toContain('no agents matching “x”');
    expect(findMessageProblems(message)).toEqual([]);
  });

  it('takes a time zone that is none for UTC', () => {
    const text = readTexts(buildLimitsMessage(aLimitPage(), { timeZone: 'Middle/Earth' }));

    expect(text).toContain('As of 4 Mar 2026, 13:05 UTC');
  });

  it('says when the list was read whose pages are turned', () => {
    const text = readTexts(buildLimitsMessage(aLimitPage({ listedAt: NOW - 120_000 }), BERLIN));

    expect(text).toContain('As of 4 Mar 2026, 14:05 CET; the list of agents as of 4 Mar 2026, 14:03 CET.');
  });

  it('says that a service does not show limits', () => {
    const text = readTexts(buildLimitsMessage(aLimitPage({ gaps: ['limits_not_offered'] }), BERLIN));

    expect(text).toContain('This service does not show limits: shown is what was last set from here.');
  });

  it('lets no name mention, link or break a line', () => {
    const displayName = '<!channel> & <https://evil.test|x>\n*Limit*: 0\u202e';

    const text = readTexts(buildLimitsMessage(aLimitPage({ rows: [aLimitRow({ displayName })] }), BERLIN));

    expect(text).toContain('*&lt;!channel&gt; &amp; &lt;https://evil.test|x&gt; ∗Limit∗: 0*');
  });

  it('fits into a message whatever the names are like', () => {
    const wild = fc.string({ unit: fc.constantFrom('<', '&', '"', '\\', '\n', '👩‍👩‍👧‍👦', 'é', 'x'), maxLength: 3000 });
    const id = fc.string({ unit: fc.constantFrom('"', '\\', '<', 'x', 'ü'), minLength: 1, maxLength: 256 });
    const row = fc.record({ displayName: wild, environmentName: wild, ownerId: wild, environmentId: id, name: id });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), wild, (values, query) => {
        const rows = values.map((value) =>
          aLimitRow({ ...value, agentResourceId: value.name, known: aLastSetLimit({ limit: 1e300 }) }),
        );
        const page = aLimitPage({ rows, total: 20_000, page: 1, pageCount: 2000, query: query.slice(0, 200) });
        expect(findMessageProblems(buildLimitsMessage(page, BERLIN))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
