// A list or a report as a file: rows under columns that have types, as CSV for spreadsheets or JSON for programs.

export type ExportFormat = 'csv' | 'json';

/** Null: not told, or there is none. */
type Cell = string | number | boolean | null;

/** `name`: stable, for programs. `time`: epoch ms, written as ISO 8601 in UTC. */
export type Column<Row> = {
  name: string;
  type: 'text' | 'number' | 'boolean' | 'time';
  read(row: Row): Cell | undefined;
};

export type Sheet = {
  /** The word of its command; also begins the name of the file. */
  list: string;
  /** Epoch ms: of what is in it. */
  asOf: number;
  /** What else a program wants to know of it, such as what it was searched by. */
  about: { [name: string]: unknown };
  /** Stable codes of what could not be read, or is left out. None: it is complete. */
  gaps: readonly string[];
  columns: readonly { name: string; type: Column<never>['type'] }[];
  /** Each as long as the columns. */
  rows: readonly (readonly Cell[])[];
};

export function buildSheet<Row>(
  head: Omit<Sheet, 'columns' | 'rows'>,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Sheet {
  return {
    ...head,
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: rows.map((row) => columns.map((column) => readCell(column, row))),
  };
}

function readCell<Row>({ type, read }: Column<Row>, row: Row): Cell {
  const value = read(row) ?? null;
  return type === 'time' && typeof value === 'number' ? toTime(value) : value;
}

function toTime(at: number): string {
  return new Date(at).toISOString();
}

/** `limits-2027-01-31T0930Z.csv` */
export function toFileName({ list, asOf }: Sheet, format: ExportFormat): string {
  return `${list}-${toTime(asOf).slice(0, 16).replace(':', '')}Z.${format}`;
}

export function renderSheet(sheet: Sheet, format: ExportFormat): string {
  return format === 'csv' ? renderCsv(sheet) : renderJson(sheet);
}

/** Without it, spreadsheet programs read UTF-8 as something else. */
const BYTE_ORDER_MARK = '\ufeff';

/** As in RFC 4180: https://www.rfc-editor.org/rfc/rfc4180 */
function renderCsv({ columns, rows }: Sheet): string {
  const names = columns.map(({ name }) => name);
  const lines = [names, ...rows].map((row) => row.map(toCsvCell).join(','));
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

/**
 * Where a spreadsheet would begin a formula (https://owasp.org/www-community/attacks/CSV_Injection). Many of them separate
 * cells with `;` or a tab and keep no count of our quotes then, so behind each separator in a text a cell may begin.
 */
const FORMULAS = /(?<=^|[;,\t\n]|\r(?!\n))(?=["\s]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** Names come from their makers: what would be a formula gets an apostrophe in front. Numbers stay as they are. */
function toCsvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = cell.replace(FORMULAS, "'");
  return /[";,\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One object for each row, with the names of the columns. */
function renderJson({ list, asOf, about, gaps, columns, rows }: Sheet): string {
  const names = columns.map(({ name }) => name);
  const head = { schema: 1, list, asOf: toTime(asOf), ...about, isComplete: gaps.length === 0, gaps, columns };
  const objects = rows.map((row) => Object.fromEntries(row.map((cell, index) => [names[index], cell])));
  return `${JSON.stringify({ ...head, rows: objects }, null, 2)}\n`;
}
