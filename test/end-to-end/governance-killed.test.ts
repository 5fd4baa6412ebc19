// Processes that are killed with SIGKILL while they carry out runs of every kind: the next one brings each to its end, once.
import { describe, expect, it, type TestContext } from 'vitest';
import { readDirect, readPrivate } from '../app/administer.ts';
import { KIM } from './admin-world.ts';
import { OPERATIONS, type Operation, RESULTS, startTableWorld, type TableWorld } from './governance-table.ts';

/** What is written to the service: *Keep* writes nothing there. */
const WRITING = OPERATIONS.filter((operation) => operation !== 'Keep');

type Step = 'before the service takes it' | 'once the service has it' | 'before it is read back';

/** Each write comes to this step and goes no further: `reached` counts them. */
function hold({ admin }: TableWorld, step: Step): { reached(): number; stop(): void } {
  const forever = new Promise<void>(() => undefined);
  let reached = 0;
  let unread = 0;
  const wait = () => {
    reached += 1;
    return forever;
  };
  const isWrite = (operation: string) => operation.startsWith('write-');
  const stops = {
    'before the service takes it': () => [admin.onCall(({ operation }) => (isWrite(operation) ? wait() : undefined))],
    'once the service has it': () => [admin.onWritten(wait)],
    'before it is read back': () => [
      admin.onWritten(() => {
        unread += 1;
      }),
      admin.onCall(({ operation }) => {
        const isRead = operation === 'list-thresholds' || operation === 'read-allocation';
        if (!isRead || unread === 0) return undefined;
        unread -= 1;
        return wait();
      }),
    ],
  }[step]();
  return { reached: () => reached, stop: () => void stops.map((stop) => stop()) };
}

async function killAll(world: TableWorld, step: Step, operations: readonly Operation[]): Promise<void> {
  for (const [index, operation] of operations.entries()) {
    const { view, entries } = await world.begin(operation, 0);
    const held = hold(world, step);
    // Nobody hears how it ends.
    void world.decide(view, entries).catch(() => undefined);
    await world.slack.until(() => held.reached() === 1, { what: `${operation}, ${step} (${index})` });
    held.stop();
  }
  await world.restart('SIGKILL');
}

async function passes(world: TableWorld, step: Step, operations: readonly Operation[]): Promise<void> {
  await killAll(world, step, operations);
  const before = readSaid(world).length;
  const written = countWrites(world);
  const said = () => readSaid(world).slice(before);
  const saidOf = (operation: Operation) => {
    const id = operation.toLowerCase().replace(' ', '-');
    return said().filter((text) => /^✓/.test(text) && new RegExp(`(?:Agent|Env) ${id}-0`).test(text));
  };
  // Two minutes are promised; the lease of a dead process is taken over after half a minute.
  await world.slack.until(() => operations.every((operation) => saidOf(operation).length > 0), {
    what: 'how all of them ended',
    timeoutMs: 120_000,
  });
  const report = world.render(await world.review());

  for (const operation of operations) {
    expect([operation, world.read(operation, 0)]).toEqual([operation, RESULTS[operation].after]);
    expect([operation, saidOf(operation).length]).toEqual([operation, 1]);
  }
  expect(report).toMatch(/^:white_check_mark: \*All/);
  // What the service had taken is not sent again; but for a stop, of which twice is once.
  const again = countWrites(world) - written;
  if (step !== 'before the service takes it') expect(again).toBeLessThanOrEqual(operations.includes('stop') ? 2 : 0);
}

/** Oldest first. */
function readSaid(world: TableWorld): string[] {
  return [...readPrivate(world, KIM), ...readDirect(world, KIM)]
    .toSorted((one, other) => (one.ts < other.ts ? -1 : 1))
    .map((message) => world.render(message));
}

function countWrites({ admin }: TableWorld): number {
  return admin.ledger.count(({ method }) => method === 'PUT' || method === 'PATCH');
}

async function startOn(store: string, { onTestFinished }: TestContext): Promise<TableWorld> {
  const world = await startTableWorld({ redis: store === 'Redis', environment: { LEASE_SECONDS: '5' } });
  onTestFinished(() => world.close());
  return world;
}

const STEPS: readonly [Step, readonly Operation[]][] = [
  ['before the service takes it', WRITING],
  ['once the service has it', WRITING],
  ['before it is read back', ['limit', 'stop', 'credits', 'class']],
];

describe.each(['SQLite', 'Redis'])('runs of a process that was killed, in %s', (store) => {
  it.concurrent.for(STEPS)('come to their end: %s', { timeout: 300_000 }, async ([step, operations], context) =>
    passes(await startOn(store, context), step, operations),
  );
});
