import type { Sheet } from '../../../src/governance/exports/sheet.ts';

type Cell = Sheet['rows'][number][number];

/** Each with the names of its columns. */
export function readRows({ columns, rows }: Sheet): Record<string, Cell | undefined>[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
}

/** What `renderCsv` wrote, each row with the names of its columns. */
export function readCsv(text: string): Record<string, string>[] {
  const [names = [], ...rows] = text
    .replace(/^\ufeff/, '')
    .split(/\r\n(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .filter((line) => line !== '')
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(toCell));
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}

function toCell([, quoted, plain = '']: RegExpExecArray): string {
  return quoted?.replaceAll('""', '"') ?? plain;
}
