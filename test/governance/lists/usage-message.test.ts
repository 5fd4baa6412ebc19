import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Forecast } from '../../../src/governance/allocations/consumption.ts';
import type { HistoryName, Trend } from '../../../src/governance/consumption/consumption-history.ts';
import { buildEnvironmentUsage } from '../../../src/governance/lists/environment-usage-message.ts';
import type { EnvironmentUsage } from '../../../src/governance/lists/list-usage.ts';
import { buildUsageMessage } from '../../../src/governance/lists/usage-message.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { findMessageProblems, readTexts } from '../limits/limit-samples.ts';
import { NOW } from '../shell/samples.ts';
import { aCreditUsage, aTrend, aUsageOverview, aUsageRow } from './list-samples.ts';

const BERLIN = { timeZone: 'Europe/Berlin' };
const DAY_MS = 86_400_000;

type Table = { type: string; rows: { text: string }[][] };

/** The cells of the table, which is the last block. */
function readTable({ blocks }: Content): string[][] {
  const { type, rows } = blocks.at(-1) as Table;
  expect(type).toBe('table');
  return rows.map((row) => row.map(({ text }) => text));
}

const hasTable = ({ blocks }: Content) => blocks.some(({ type }) => type === 'table');

describe('the overview of usage', () => {
  const rows = [
    aUsageRow({ usage: aCreditUsage({ forecast: { kind: 'reaches', at: NOW + 19 * DAY_MS } }) }),
    aUsageRow({ name: 'Lab', usage: aCreditUsage({ consumed: 5, capacity: undefined, share: undefined }) }),
    aUsageRow({ name: 'Empty', usage: 'none' }),
    aUsageRow({ name: 'Broken', usage: 'unreadable' }),
  ];

  it('is a table with a bar for each environment', () => {
    const { content: message } = buildUsageMessage(aUsageOverview({ rows, total: 2_000, pageCount: 100 }), BERLIN);

    const asOf = '4 Mar 2026, 14:05 CET';
    expect(readTable(message)).toEqual([
      ['Environment', 'Used', 'Share', 'Forecast', 'As of'],
      [
        'Contoso Production',
        '18,250 of 25,000 credits',
        '▰▰▰▰▰▰▰▱▱▱ 73 %',
        'reaches its limit on the 23rd of March at this rate',
        asOf,
      ],
      ['Lab', '5 credits', '–', '–', asOf],
      ['Empty', 'no consumption told', '–', '–', '–'],
      ['Broken', 'could not be read', '–', '–', '–'],
    ]);
    expect(readTexts(message)).toContain('2,000 environments, page 1 of 100');
    expect(readTexts(message)).toContain('consumption of some environments could not be read');
  });

  it('says the same without a table: to screen readers, and where Slack takes none', () => {
    const overview = aUsageOverview({ rows });

    const { content, plain } = buildUsageMessage(overview, BERLIN);

    const line =
      '*Contoso Production*: 18,250 of 25,000 credits · ▰▰▰▰▰▰▰▱▱▱ 73 % · reaches its limit on the 23rd of March';
    expect(hasTable(plain)).toBe(false);
    expect(readTexts(plain)).toContain(line);
    expect(content.text).toContain(line);
    expect(findMessageProblems(plain)).toEqual([]);
  });

  it('lets one of them be chosen, by its id', () => {
    const long = aUsageRow({ environmentId: 'x'.repeat(151) });
    const { content } = buildUsageMessage(aUsageOverview({ rows: [...rows, long] }), BERLIN);

    const actions = content.blocks.find(({ type }) => type === 'actions') as unknown as {
      elements: { action_id: string; options: { value: string }[] }[];
    };
    expect(actions.elements[0]?.action_id).toBe('admin_usage_choose');
    expect(actions.elements[0]?.options.map(({ value }) => value)).toEqual(Array(4).fill('env-1'));
  });

  it.each<[Forecast, string]>([
    [{ kind: 'reached' }, 'has reached its limit'],
    [
      { kind: 'reaches', at: Date.parse('2026-03-22T23:30:00Z') },
      'reaches its limit on the 23rd of March at this rate',
    ],
    [
      { kind: 'reaches', at: Date.parse('2026-03-21T10:00:00Z') },
      'reaches its limit on the 21st of March at this rate',
    ],
    [
      { kind: 'reaches', at: Date.parse('2026-03-12T10:00:00Z') },
      'reaches its limit on the 12th of March at this rate',
    ],
    [{ kind: 'reaches', at: NOW - DAY_MS }, 'has probably reached its limit by now'],
    [{ kind: 'stays_within', consumed: 21_234.4 }, 'about 21,234 by the end of the month at this rate'],
  ])('puts the forecast %o into words, in the time zone of the admin', (forecast, words) => {
    const overview = aUsageOverview({ rows: [aUsageRow({ usage: aCreditUsage({ forecast }) })] });

    expect(readTable(buildUsageMessage(overview, BERLIN).content)[1]?.[3]).toBe(words);
  });

  it('says of old figures that they are', () => {
    const { content: message } = buildUsageMessage(
      aUsageOverview({ rows: [aUsageRow({ usage: aCreditUsage({ isStale: true }) })], truncated: true }),
      BERLIN,
    );

    expect(readTable(message)[1]?.[4]).toBe('4 Mar 2026, 14:05 CET (old)');
    expect(readTexts(message)).toContain('more than a day old');
    expect(readTexts(message)).toContain('environments may be missing');
  });

  it('has the trend of the tenant as a chart, or in bars, and of each environment against the month before', () => {
    const trends = new Map<HistoryName, Trend>([
      ['total', aTrend()],
      ['environment:env-1', aTrend()],
      ['missing', aTrend({ latest: { day: 1, credits: 2 } })],
    ]);

    const { content, plain } = buildUsageMessage(aUsageOverview({ rows }), { ...BERLIN, trends });

    const types = (message: Content) => message.blocks.map(({ type }) => type as string);
    expect(types(content)).toContain('data_visualization');
    expect(readTable(content)[1]?.at(-1)).toBe('+20 %');
    expect(types(plain)).not.toContain('data_visualization');
    expect(readTexts(plain)).toContain('until then: 1,000 (+20 %)');
    expect(readTexts(plain)).toContain('Per day since');
    expect(readTexts(plain)).toContain('against last month +20 %');
    expect(readTexts(plain)).toContain('not all environments could be read');
  });

  it('says that there are none', () => {
    const { content: message } = buildUsageMessage(aUsageOverview({ rows: [], query: 'x' }), BERLIN);

    expect(message.text).toContain('no environments matching “x”');
    expect(findMessageProblems(message)).toEqual([]);
  });
});

describe('the usage of one environment', () => {
  const usage: EnvironmentUsage = {
    environmentId: 'env-1',
    credits: [
      aCreditUsage({ payGoConsumed: 300, forecast: { kind: 'reaches', at: NOW + 19 * DAY_MS } }),
      aCreditUsage({ currencyType: 'AI', consumed: undefined, share: undefined, asOf: undefined }),
    ],
    agents: [
      { name: 'Invoice <Reader>', consumption: 190, limit: 200, stopped: false },
      { name: 'Spec Writer', consumption: undefined, limit: 100, stopped: true },
    ],
    asOf: NOW,
  };
  const options = { ...BERLIN, name: 'Contoso <Production>' };

  it('tells every currency, and its agents in a table', () => {
    const { content: message } = buildEnvironmentUsage(usage, options);

    const text = readTexts(message);
    expect(text).toContain('*Usage* of *Contoso &lt;Production&gt;*');
    expect(text).toContain('*ServiceMessages*: 18,250 of 25,000 credits\n▰▰▰▰▰▰▰▱▱▱ 73 %');
    expect(text).toContain('Forecast: reaches its limit on the 23rd of March at this rate.');
    expect(text).toContain('Billed besides, as you go: 300 credits.');
    expect(text).toContain('As of 4 Mar 2026, 14:05 CET.');
    expect(text).toContain('*AI*: unknown');
    expect(readTable(message).slice(1)).toEqual([
      ['Invoice <Reader>', '190 credits', '200 credits', '▰▰▰▰▰▰▰▰▰▱ 95 %', 'no'],
      ['Spec Writer', 'unknown', '100 credits', '–', 'yes'],
    ]);
  });

  it('says the same without a table', () => {
    const { plain } = buildEnvironmentUsage(usage, options);

    expect(hasTable(plain)).toBe(false);
    expect(readTexts(plain)).toContain(
      '*Invoice &lt;Reader&gt;*: 190 credits · limit 200 credits · ▰▰▰▰▰▰▰▰▰▱ 95 % · stopped: no',
    );
  });

  it.each<[EnvironmentUsage['agents'], string]>([
    ['not_offered', 'does not show what single agents have used'],
    ['unreadable', ':warning: What its agents have used of their limits could not be read.'],
    [[], 'None of its agents has a limit; only for those the service tells what they used.'],
    [
      Array.from({ length: 25 }, (_, index) => ({ name: `${index}`, consumption: 1, limit: 2, stopped: false })),
      'the 20 agents that have used the most of their limits. 5 more have one, too.',
    ],
  ])('says what is not told of its agents', (agents, words) => {
    expect(readTexts(buildEnvironmentUsage({ ...usage, agents }, options).content)).toContain(words);
  });

  it('says of old figures that they are, and that there are none', () => {
    const old = { ...usage, credits: [aCreditUsage({ isStale: true })] };

    expect(readTexts(buildEnvironmentUsage(old, options).content)).toContain(':warning: That is more than a day ago.');
    expect(readTexts(buildEnvironmentUsage({ ...usage, credits: [] }, options).content)).toContain(
      'The service tells of no consumption here. What is allocated: *Allocation…*.',
    );
  });
});

describe('both', () => {
  it('fit into a message whatever the names and figures are like', () => {
    const wild = fc.string({ unit: fc.constantFrom('<', '&', '"', '\\', '\n', '👩‍👩‍👧‍👦', 'é', 'x'), maxLength: 200 });
    const id = fc.string({ unit: fc.constantFrom('"', '\\', '<', 'x', 'ü'), minLength: 1, maxLength: 256 });
    const figure = fc.constantFrom(0, 1e300, -5, 0.001, undefined);
    const values = fc.record({ currencyType: wild, unit: wild, consumed: figure, capacity: figure, share: figure });
    const row = fc.record({ name: wild, environmentId: id, values });
    const messages = fc.record({ rows: fc.array(row, { minLength: 1, maxLength: 20 }), query: wild });
    fc.assert(
      fc.property(messages, ({ rows, query }) => {
        const used = rows.map(({ values: one }) => aCreditUsage({ ...one, payGoConsumed: 1e300 }));
        const shown = rows.map(({ name, environmentId }, index) =>
          aUsageRow({ name, environmentId, usage: used[index] ?? 'none' }),
        );
        const overview = aUsageOverview({ rows: shown, query: query.slice(0, 200), page: 1, pageCount: 3 });
        const agents = rows.map(({ name }) => ({ name, consumption: 1e300, limit: 1, stopped: 'unknown' as const }));
        const usage = { environmentId: 'e', credits: [...used, ...used], agents, asOf: NOW };
        const options = { ...BERLIN, name: query };
        const messages = [buildUsageMessage(overview, BERLIN), buildEnvironmentUsage(usage, options)];
        for (const message of messages.flatMap(({ content, plain }) => [content, plain])) {
          expect(findMessageProblems(message)).toEqual([]);
        }
        const cells = readTable(buildUsageMessage(overview, BERLIN).content).flat();
        // The limit of Slack for a whole table.
        expect(cells.join('').length).toBeLessThanOrEqual(10_000);
        expect(cells).not.toContain('');
      }),
      { numRuns: 15 },
    );
  });
});
