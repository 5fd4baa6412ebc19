import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Column, renderCsv, toFileName, toTime } from '../../../src/governance/exports/sheet.ts';
import { countTurns } from '../../count-turns.ts';

type Row = { name: string; used?: number; stopped?: boolean; at?: number };

const COLUMNS: Column<Row>[] = [
  { name: 'agent_name', read: ({ name }) => name },
  { name: 'used', read: ({ used }) => used },
  { name: 'stopped', read: ({ stopped }) => stopped },
  { name: 'set_at', read: ({ at }) => toTime(at) },
];

const AT = Date.UTC(2027, 0, 31, 9, 30);

function aSheet(rows: Row[]) {
  return { list: 'limits', asOf: AT, gaps: [], columns: COLUMNS, rows };
}

async function toCsvNames(...names: string[]): Promise<string[]> {
  const csv = await renderCsv(aSheet(names.map((name) => ({ name }))));
  return csv
    .split(',,,\r\n')
    .slice(0, -1)
    .map((line, index) => (index === 0 ? line.slice(line.indexOf('\r\n') + 2) : line));
}

describe('a sheet as CSV', () => {
  it('has a line for each row, marked as UTF-8', async () => {
    const csv = await renderCsv(aSheet([{ name: 'Zoë', used: -1.5, stopped: false, at: AT }, { name: 'b' }]));

    expect(csv).toBe('\ufeffagent_name,used,stopped,set_at\r\nZoë,-1.5,false,2027-01-31T09:30:00.000Z\r\nb,,,\r\n');
  });

  it('of many rows keeps nothing else waiting', async () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => ({ name: `${index}` }));

    const turns = await countTurns(renderCsv(aSheet(rows)));

    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('quotes what would end a cell', async () => {
    expect(await toCsvNames('a,b', 'say "hi"', 'two\r\nlines', 'plain; text')).toEqual([
      '"a,b"',
      '"say ""hi"""',
      '"two\r\nlines"',
      '"plain; text"',
    ]);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1+1', '＠A'])('takes no text for a formula: %j', async (name) => {
    expect(await toCsvNames(name)).toEqual([/\t/.test(name) ? `"'\t'=1"` : `'${name}`]);
  });

  it('takes no formula behind a quote or a line break either', async () => {
    expect(await toCsvNames('\n=1', '=HYPERLINK("http://evil.example","see")')).toEqual([
      `"'\n'=1"`,
      `"'=HYPERLINK(""http://evil.example"",""see"")"`,
    ]);
  });

  it('takes no formula behind a separator of other countries', async () => {
    expect(await toCsvNames("x;=cmd|'/C calc'!A0;", 'x\t=1', 'x, "=1')).toEqual([
      `"x;'=cmd|'/C calc'!A0;"`,
      `"x\t'=1"`,
      `"x,' ""=1"`,
    ]);
  });

  it.each([',', ';', '\t'])('begins no formula in a spreadsheet whose separator is %j', async (separator) => {
    const parts = fc.constantFrom(';', ',', '\t', '\r', '\n', '"', "'", '=', '+', '-', '@', '＝', ' ', 'x', '1');
    const name = fc.array(parts, { maxLength: 12 }).map((some) => some.join(''));

    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 3 }), async (names) => {
        const rows = names.map((own) => ({ name: own }));
        const twice = [...COLUMNS.slice(0, 1), ...COLUMNS.slice(0, 1)];
        const csv = await renderCsv({ list: 'a', asOf: AT, gaps: [], columns: twice, rows });

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

it('a file is named by its list and its time', () => {
  expect(toFileName(aSheet([]))).toBe('limits-2027-01-31T0930Z.csv');
});
