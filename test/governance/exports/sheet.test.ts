import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSheet, type Column, renderSheet, toFileName } from '../../../src/governance/exports/sheet.ts';
import { parseExport } from '../../../src/governance/exports/slack-export.ts';

type Row = { name: string; used?: number; stopped?: boolean; at?: number };

const COLUMNS: Column<Row>[] = [
  { name: 'agent_name', type: 'text', read: ({ name }) => name },
  { name: 'used', type: 'number', read: ({ used }) => used },
  { name: 'stopped', type: 'boolean', read: ({ stopped }) => stopped },
  { name: 'set_at', type: 'time', read: ({ at }) => at },
];

const AT = Date.UTC(2027, 0, 31, 9, 30);

function aSheet(rows: Row[], gaps: string[] = []) {
  return buildSheet({ list: 'limits', asOf: AT, about: { query: 'tr' }, gaps }, COLUMNS, rows);
}

function toCsvNames(...names: string[]): string[] {
  const csv = renderSheet(aSheet(names.map((name) => ({ name }))), 'csv');
  return csv
    .split(',,,\r\n')
    .slice(0, -1)
    .map((line, index) => (index === 0 ? line.slice(line.indexOf('\r\n') + 2) : line));
}

describe('a sheet as CSV', () => {
  it('has a line for each row, marked as UTF-8', () => {
    const csv = renderSheet(aSheet([{ name: 'Zoë', used: -1.5, stopped: false, at: AT }, { name: 'b' }]), 'csv');

    expect(csv).toBe('\ufeffagent_name,used,stopped,set_at\r\nZoë,-1.5,false,2027-01-31T09:30:00.000Z\r\nb,,,\r\n');
  });

  it('quotes what would end a cell', () => {
    expect(toCsvNames('a,b', 'say "hi"', 'two\r\nlines', 'plain; text')).toEqual([
      '"a,b"',
      '"say ""hi"""',
      '"two\r\nlines"',
      '"plain; text"',
    ]);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1+1', '＠A'])('takes no text for a formula: %j', (name) => {
    expect(toCsvNames(name)).toEqual([/\t/.test(name) ? `"'\t'=1"` : `'${name}`]);
  });

  it('takes no formula behind a quote or a line break either', () => {
    expect(toCsvNames('\n=1', '=HYPERLINK("http://evil.example","see")')).toEqual([
      `"'\n'=1"`,
      `"'=HYPERLINK(""http://evil.example"",""see"")"`,
    ]);
  });

  it('takes no formula behind a separator of other countries', () => {
    expect(toCsvNames("x;=cmd|'/C calc'!A0;", 'x\t=1', 'x, "=1')).toEqual([
      `"x;'=cmd|'/C calc'!A0;"`,
      `"x\t'=1"`,
      `"x,' ""=1"`,
    ]);
  });

  it.each([',', ';', '\t'])('begins no formula in a spreadsheet whose separator is %j', (separator) => {
    const parts = fc.constantFrom(';', ',', '\t', '\r', '\n', '"', "'", '=', '+', '-', '@', '＝', ' ', 'x', '1');
    const name = fc.array(parts, { maxLength: 12 }).map((some) => some.join(''));

    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), (names) => {
        const rows = names.map((own) => ({ name: own }));
        const twice = [...COLUMNS.slice(0, 1), ...COLUMNS.slice(0, 1)];
        const csv = renderSheet(buildSheet({ list: 'a', asOf: AT, about: {}, gaps: [] }, twice, rows), 'csv');

        for (const cell of parseAsSpreadsheet(csv.slice(1), separator)) expect(cell).not.toMatch(/^\s*[=+\-@＝]/);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** As spreadsheets do: quotes count where they begin a cell, and what follows the closing one belongs to the cell. */
function parseAsSpreadsheet(text: string, separator: string): string[] {
  const ends = `${separator}\\r\\n`;
  const cells = text.matchAll(new RegExp(`(?:"((?:[^"]|"")*)")?([^${ends}]*)(?:[${ends}]|$)`, 'g'));
  return [...cells].map(([, quoted = '', rest = '']) => quoted.replaceAll('""', '"') + rest);
}

describe('a sheet as JSON', () => {
  it('names its columns, their types, and what is missing', () => {
    const json = JSON.parse(renderSheet(aSheet([{ name: '=a', used: 2, at: AT }], ['truncated']), 'json'));

    expect(json).toEqual({
      schema: 1,
      list: 'limits',
      asOf: '2027-01-31T09:30:00.000Z',
      query: 'tr',
      isComplete: false,
      gaps: ['truncated'],
      columns: [
        { name: 'agent_name', type: 'text' },
        { name: 'used', type: 'number' },
        { name: 'stopped', type: 'boolean' },
        { name: 'set_at', type: 'time' },
      ],
      rows: [{ agent_name: '=a', used: 2, stopped: null, set_at: '2027-01-31T09:30:00.000Z' }],
    });
  });
});

it('a file is named by its list and its time', () => {
  expect(toFileName(aSheet([]), 'csv')).toBe('limits-2027-01-31T0930Z.csv');
});

it.each([
  ['export csv', '', 'csv'],
  ['contoso production export JSON ', 'contoso production', 'json'],
  ['env:"a b"  export  csv', 'env:"a b"', 'csv'],
])('%j asks for an export', (typed, rest, format) => {
  expect(parseExport(typed)).toEqual({ rest, format });
});

it.each(['export', 'crm export', '"export csv"', 'export csv file', 'reexport csv', 'export xlsx'])(
  '%j is searched for',
  (typed) => {
    expect(parseExport(typed)).toBeUndefined();
  },
);
