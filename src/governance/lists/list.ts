// The description of a list. Its message, pages, filters, totals and CSV are made from it.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Cell } from '../exports/sheet.ts';
import { hasWords, toComparable } from '../inventory/inventory.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { type Query, readPercent } from './list-query.ts';

export type ListServices = Pick<
  GovernanceServices,
  'audit' | 'currency' | 'hasInterface' | 'history' | 'now' | 'owners' | 'policy' | 'readsLimits' | 'sent' | 'stopping'
>;

/** What a list is read with. `timeZone`: of the reader, IANA. */
export type Look = { session: AdminSession; caller: Caller; timeZone: string; query: Query; services: ListServices };

/** Plain text, perhaps from outside; or a person of Slack, with more to say about them. */
export type Shown = string | { user: string; more: string };

export type Column<Row> = {
  /** In the CSV: stable. */
  name: string;
  read(row: Row): Cell | undefined;
  /** In the message, with what it is: `limit 2,000`. Undefined: nothing is shown. */
  show?(row: Row, shown: { timeZone: string; now: number }): Shown | undefined;
  /** In which line of its row. Default: the first below the name. */
  line?: 1 | 2 | 3;
};

type Filter<Row> = {
  /** As in FILTERS of list-query.ts. */
  word: string;
  /** Undefined: it is not known for this row. `value`: comparable text. `percent`: the number of a percentage. */
  test(row: Row, value: string, percent: number): boolean | undefined;
  /** It needs what `complete` reads. */
  isCostly?: boolean;
};

/** If the filter `word` is used, the row with the largest `size` comes first. */
type Sort<Row> = { word: string; size(row: Row): number };

/** `notes`: what could not be read or is left out, in mrkdwn without names. `asOf`: epoch ms. */
export type Rows<Row> = { rows: readonly Row[]; notes: string[]; asOf: number };

export type List<Row> = {
  /** The word of its command. */
  name: 'agents' | 'environments';
  one: string;
  many: string;
  columns: readonly Column<Row>[];
  filters: readonly Filter<Row>[];
  sorts: readonly Sort<Row>[];
  /** What a row is called: names, perhaps from outside. */
  title(row: Row): { name: string; where?: string | undefined };
  /** The texts that are searched for words. */
  texts(row: Row): string[];
  /** Everything that costs a few calls. Throws the errors of admin-errors.ts and StoreUnavailableError. */
  read(look: Look): Promise<Rows<Row>>;
  /** Adds what costs calls for each row. For a file or a filter, it waits if the service asks for that. */
  complete?(rows: readonly Row[], look: Look): Promise<Row[]>;
  /** In plain text, of all rows that the filter leaves. */
  totals(rows: readonly Row[]): string[];
  /** Small print about the rows of a page, in mrkdwn without names. */
  remarks?(rows: readonly Row[]): string[];
};

/** With more rows than this, only a page is completed, unless a filter or a file needs all. */
const MAX_COMPLETED = 250;

/** `unsure`: how many rows were left out because it is not known whether they fit. `isComplete`: all rows are complete. */
export type Result<Row> = Rows<Row> & { unsure: number; isComplete: boolean };

/** All rows that the query leaves, in order. Throws what the list's `read` throws. */
export async function findRows<Row>(list: List<Row>, look: Look): Promise<Result<Row>> {
  const { query } = look;
  const asked = list.filters.filter(({ word }) => query.filters.has(word));
  const { rows, ...read } = await list.read(look);
  const named = rows.filter((row) => hasWords(query.words, toComparable(list.texts(row).join(' '))));
  const cheap = applyFilters(
    named,
    asked.filter(({ isCostly }) => !isCostly),
    query,
  );
  const needsAll = query.isFile || asked.some(({ isCostly }) => isCostly) || cheap.rows.length <= MAX_COMPLETED;
  const isComplete = list.complete === undefined || needsAll;
  const completed = list.complete && needsAll ? await list.complete(cheap.rows, look) : cheap.rows;
  const left = applyFilters(
    completed,
    asked.filter(({ isCostly }) => isCostly),
    query,
  );
  return { ...read, rows: sortRows(left.rows, list, query), unsure: cheap.unsure + left.unsure, isComplete };
}

function applyFilters<Row>(
  rows: readonly Row[],
  filters: readonly Filter<Row>[],
  query: Query,
): { rows: readonly Row[]; unsure: number } {
  let left = rows;
  let unsure = 0;
  for (const { word, test } of filters) {
    const typed = query.filters.get(word) ?? '';
    const tested = left.map((row) => ({ row, fits: test(row, toComparable(typed), readPercent(typed) ?? 0) }));
    unsure += tested.filter(({ fits }) => fits === undefined).length;
    left = tested.filter(({ fits }) => fits === true).map(({ row }) => row);
  }
  return { rows: left, unsure };
}

function sortRows<Row>(rows: readonly Row[], { sorts }: List<Row>, { filters }: Query): readonly Row[] {
  const sort = sorts.find(({ word }) => filters.has(word));
  if (sort === undefined) return rows;
  const { size } = sort;
  // Not a difference, because that of two infinities is NaN.
  return rows.toSorted((one, other) => Number(size(other) > size(one)) - Number(size(one) > size(other)));
}

/** Rows of a page. */
export const PAGE_SIZE = 10;

/** What all rows have. `ownerId`: in the directory. `ownerUser`: a Slack user id. */
export type Owned = { className: string | undefined; ownerId: string | undefined; ownerUser?: string | undefined };

/** Columns and filters that all lists have. `line`: see Column. */
export const CLASS_COLUMN: Column<Owned> = {
  name: 'class',
  read: ({ className }) => className,
  show: ({ className }) => className ?? 'no class',
};

export const OWNER_COLUMN: Column<Owned> = {
  name: 'owner_id',
  read: ({ ownerId }) => ownerId,
  show({ ownerId, ownerUser }) {
    if (ownerId === undefined) return 'no owner';
    return ownerUser === undefined ? `owner ${ownerId}` : { user: ownerUser, more: ownerId };
  },
};

/** Part of the name or the id of an agent's environment. */
export const ENVIRONMENT_FILTER: Filter<{ environmentName?: string | undefined; environmentId?: string | undefined }> =
  {
    word: 'env',
    test: ({ environmentName = '', environmentId = '' }, value) =>
      toComparable(`${environmentName}\n${environmentId}`).includes(value),
  };

/** `owner`: an id in the directory, or part of it. */
export const COMMON_FILTERS: Filter<Owned>[] = [
  { word: 'class', test: ({ className }, value) => (className ?? 'none').toLowerCase() === value },
  { word: 'owner', test: ({ ownerId }, value) => ownerId?.toLowerCase().includes(value) ?? false },
];
