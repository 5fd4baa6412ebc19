// Pages of what is too long for one message.

/** The position of a page: `page` counts from 0. */
export type Page = { page: number; pageCount: number };

/** The nearest page there is: what is listed may have changed since its button was made. `size`: rows of a page. */
export function takePage<Row>(rows: readonly Row[], page: number, size: number): Page & { rows: readonly Row[] } {
  const pageCount = Math.max(1, Math.ceil(rows.length / size));
  const shown = Math.min(Math.max(0, Math.trunc(page) || 0), pageCount - 1);
  return { rows: rows.slice(shown * size, (shown + 1) * size), page: shown, pageCount };
}
