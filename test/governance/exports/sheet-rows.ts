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
