// Processes that are killed with SIGKILL while they carry out runs of every kind: the next one brings each to its end, once.
import { expect, it } from 'vitest';
import { readDirect, readPrivate } from '../app/administer.ts';
import { KIM } from './admin-world.ts';
import { OPERATIONS, type Operation, openTableWorld, RESULTS, type TableWorld } from './governance-table.ts';

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

/**
 * At the place `nth` of each: one step after the other has places of its own. Returns how much was said by the time that each
 * was confirmed.
 */
async function killAll(world: TableWorld, step: Step, operations: readonly Operation[], nth: number) {
  const confirmedAt = new Map<Operation, number>();
  for (const operation of operations) {
    const { view, entries } = await world.begin(operation, nth);
    const held = hold(world, step);
    confirmedAt.set(operation, readSaid(world).length);
    // Nobody hears how it ends.
    void world.decide(view, entries).catch(() => undefined);
    await world.slack.until(() => held.reached() === 1, { what: `${operation}, ${step}` });
    held.stop();
  }
  await world.restart('SIGKILL');
  return confirmedAt;
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

const STEPS: [Step, readonly Operation[]][] = [
  ['before the service takes it', WRITING],
  ['once the service has it', WRITING],
  ['before it is read back', ['limit', 'stop', 'credits', 'class']],
];

async function comeToTheirEnd(world: TableWorld, [step, operations]: (typeof STEPS)[number], nth: number) {
  const confirmedAt = await killAll(world, step, operations, nth);
  const killedAt = readSaid(world).length;
  const written = countWrites(world);
  const countEnds = (said: string[], operation: Operation, since = 0) => {
    const isIts = new RegExp(`(?:Agent|Env) ${operation.toLowerCase().replace(' ', '-')}-${nth}`);
    return said.slice(since).filter((text) => text.startsWith('✓') && isIts.test(text)).length;
  };
  const haveEnded = () => {
    const said = readSaid(world);
    return operations.every((operation) => countEnds(said, operation, confirmedAt.get(operation)) > 0);
  };
  // Two minutes are promised; the lease of a dead process is taken over after half a minute.
  await world.slack.until(haveEnded, {
    what: `how all of them ended that were killed ${step}`,
    timeoutMs: 120_000,
  });
  const report = world.render(await world.review());

  for (const operation of operations) {
    expect([step, operation, world.read(operation, nth)]).toEqual([step, operation, RESULTS[operation].after]);
    // On a busy machine the first process may have said it already.
    expect(countEnds(readSaid(world), operation, killedAt), `${operation}, ${step}`).toBeLessThanOrEqual(1);
  }
  expect(report).toMatch(/^:white_check_mark: \*All/);
  // What the service had taken is not sent again; but for a stop, of which twice is once.
  const most = step === 'before the service takes it' ? Infinity : operations.includes('stop') ? 2 : 0;
  expect(countWrites(world) - written).toBeLessThanOrEqual(most);
}

it.concurrent.for(['SQLite', 'Redis'])(
  'runs of a process that was killed at any step come to their end, in %s',
  { timeout: 600_000 },
  async (store, { onTestFinished }) => {
    const world = await openTableWorld(
      { redis: store === 'Redis', environment: { LEASE_SECONDS: '5' } },
      onTestFinished,
    );

    for (const [nth, step] of STEPS.entries()) await comeToTheirEnd(world, step, nth);
  },
);
