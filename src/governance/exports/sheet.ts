// A list or a report as a file for spreadsheets: rows under columns.
import { setImmediate } from 'node:timers/promises';

/** Null: unknown, or there is none. */
export type Cell = string | number | boolean | null;

/** `name`: stable, for programs. */
export type Column<Row> = { name: string; read(row: Row): Cell | undefined };

export type Sheet<Row> = {
  /** The word of its command; also begins the name of the file. */
  list: string;
  /** When the data was read (epoch ms). */
  asOf: number;
  /** What could not be read, or is left out. Empty: the sheet is complete. */
  gaps: readonly string[];
  columns: readonly Column<Row>[];
  rows: readonly Row[];
};

/** Epoch ms as ISO 8601 in UTC. */
export function toTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** `limits-2027-01-31T0930Z.csv` */
export function toFileName({ list, asOf }: Pick<Sheet<unknown>, 'list' | 'asOf'>): string {
  return `${list}-${new Date(asOf).toISOString().slice(0, 16).replace(':', '')}Z.csv`;
}

/** Without it, spreadsheet programs read UTF-8 as something else. */
const BYTE_ORDER_MARK = '\ufeff';

/** They take a few milliseconds, and the event loop has to run in between. */
const ROWS_AT_ONCE = 100;

/** As in RFC 4180: https://www.rfc-editor.org/rfc/rfc4180 */
export async function renderCsv<Row>({ columns, rows }: Sheet<Row>): Promise<string> {
  const lines = [columns.map(({ name }) => name).join(',')];
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_AT_ONCE === 0) await setImmediate();
    lines.push(columns.map(({ read }) => toCsvCell(read(row) ?? null)).join(','));
  }
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

/**
 * Where a spreadsheet could begin a formula (https://owasp.org/www-community/attacks/CSV_Injection). Many programs split
 * cells at `;` or a tab and then ignore our quotes, so a cell may begin after each separator in a text. No program looks for
 * a formula after 64 blanks. Without that limit, long runs of blanks would take minutes.
 */
const FORMULAS = /(?<=^|[;,\t\n]|\r(?!\n))(?=["\s]{0,64}[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** Names are untrusted: a text that would be a formula gets an apostrophe in front. Numbers stay as they are. */
function toCsvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = cell.replace(FORMULAS, "'");
  return /[";,\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
