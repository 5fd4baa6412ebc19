import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { prepareSchema } from '../../src/backend/sqlite/schema.ts';
import { createSqliteStore } from '../../src/backend/sqlite-store.ts';
import type { Store } from '../../src/backend/store.ts';
import { runTurn } from '../../src/conversation/run-turn.ts';
import { beginRun } from '../storage/begin-run.ts';
import { aTurn } from './a-question.ts';
import { type Harness, startHarness } from './run-harness.ts';

const { id, lane } = aTurn();
const folder = mkdtempSync(join(tmpdir(), 'power-cut-'));
let count = 0;

afterAll(() => rmSync(folder, { recursive: true }));

/** A database whose power is cut instead of a flush. What was flushed before is kept in another file. */
class CutDatabase extends DatabaseSync {
  readonly kept: string;
  isCut = false;
  readonly #path: string;
  #isFlushed = true;
  #flushes = 0;
  readonly #lastFlush: number;

  constructor(path: string, lastFlush: number) {
    super(path);
    this.kept = `${path}.kept`;
    this.#path = path;
    this.#lastFlush = lastFlush;
    this.exec('PRAGMA journal_mode = WAL');
    prepareSchema(this);
    this.#keep();
  }

  override exec(sql: string): void {
    if (sql.startsWith('PRAGMA synchronous')) this.#isFlushed = sql.endsWith('FULL');
    const isFlush = sql === 'COMMIT' && this.#isFlushed;
    this.isCut ||= isFlush && this.#flushes === this.#lastFlush;
    if (this.isCut && sql !== 'ROLLBACK') throw new Error('the power was cut');
    super.exec(sql);
    if (!isFlush) return;
    this.#flushes += 1;
    this.#keep();
  }

  #keep(): void {
    for (const end of ['', '-wal']) copyFileSync(this.#path + end, this.kept + end);
  }
}

function runOn(store: Store, harness: Harness) {
  Object.assign(harness.ports, { turns: store.turns, threads: store.threads });
  return {
    accept: () => store.turns.accept(aTurn()),
    async run() {
      const turn = await beginRun(store.turns, id);
      return turn && runTurn(turn, { ...harness.ports }, new AbortController().signal);
    },
  };
}

describe('a power cut', () => {
  it.each([
    [0, undefined, 'answer to What is on today?'],
    [1, 'accepted', 'answer to What is on today?'],
    [2, 'asking', 'interrupted'],
    [3, 'answered', 'answer to What is on today?'],
  ])('after %i flushes leaves a question that is asked once, with one reply', async (flushes, stage, said) => {
    const harness = startHarness();
    const database = new CutDatabase(join(folder, `${++count}.db`), flushes);
    const cut = createSqliteStore(database, harness.ports.now);
    const first = runOn(cut, harness);
    const { promise: dark, resolve: turnDark } = Promise.withResolvers<void>();
    const { save } = cut.turns;
    cut.turns.save = async (...args) => {
      await save(...args).catch(() => turnDark());
      return database.isCut ? new Promise(() => undefined) : true;
    };

    await Promise.race([first.accept().then(first.run), dark]).catch(() => undefined);
    const kept = createSqliteStore(new DatabaseSync(database.kept), harness.ports.now);
    const found = await kept.turns.get(id);
    harness.pass(60_000);
    const second = runOn(kept, harness);
    // Slack sends it again if it was not acknowledged.
    if (!found) await second.accept();
    await second.run();

    expect(found?.stage).toBe(stage);
    expect(await kept.turns.get(id)).toMatchObject({ stage: 'done' });
    expect(harness.shown.map(({ words }) => words)).toEqual([said]);
    expect(harness.asked).toHaveLength(1);
    expect(await kept.threads.conversation(lane, 'UANA')).toMatchObject({ id: 'conversation-1' });
    await kept.close();
  });
});
