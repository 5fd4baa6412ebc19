/** The position of a page in its list: `page` counts from 0, `total` counts the rows of all pages. */
export type Page = { page: number; pageCount: number; total: number };

/** `pageSize`: where it is not the list's own. */
export type WantedPage = { page?: number; pageSize?: number };

/** The nearest existing page: a list may have changed since its button was made. */
export function takePage<Row>(rows: readonly Row[], page: number, size: number): Page & { rows: Row[] } {
  const pageCount = Math.max(1, Math.ceil(rows.length / size));
  const shown = Math.min(Math.max(0, Math.trunc(page) || 0), pageCount - 1);
  return { rows: rows.slice(shown * size, (shown + 1) * size), page: shown, pageCount, total: rows.length };
}
