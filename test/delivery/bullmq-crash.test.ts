import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { afterEach, describe, expect, it } from 'vitest';
import type { Dispatcher } from '../../src/delivery/dispatcher.ts';
import { useBullmqWorld } from './bullmq-world.ts';
import { until } from './dispatcher-contract.ts';

const LEASE_MS = 1_000;

const script = fileURLToPath(new URL('lane-process.ts', import.meta.url));

type Step = { lane: string; at: number; isHeld: boolean };

const world = useBullmqWorld();
const processes: ChildProcess[] = [];

afterEach(async () => {
  clearInterval(looking);
  for (const one of processes.splice(0)) {
    const ended = once(one, 'exit');
    if (one.kill('SIGKILL')) await ended;
  }
});

/** A replica in a process of its own, and the steps of its runs. */
function aProcess(leaseMs = LEASE_MS) {
  const child = startChild(process.execPath, [script, world.server.url, String(leaseMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  processes.push(child);
  const steps: Step[] = [];
  if (child.stdout) createInterface(child.stdout).on('line', (line) => steps.push(JSON.parse(line)));
  return { child, steps };
}

const LANES = ['a', 'b', 'c'];

/** As whoever looks for lanes that are due. */
const LOOK_EVERY_MS = 50;
let looking: NodeJS.Timeout;
const lookFrom = ({ remind }: Pick<Dispatcher, 'remind'>, lanes: string[]) => {
  looking = setInterval(() => lanes.forEach(remind), LOOK_EVERY_MS);
};

/** Has all lanes run in the process, and then adds a replica here that would take them over. */
async function startLanes({ steps }: { steps: Step[] }) {
  const here = world.replica(LEASE_MS);
  for (const lane of LANES) here.wake(lane, Date.now() + 50);
  await until(() => expect(new Set(steps.map(({ lane }) => lane)).size).toBe(LANES.length));
  const taken: string[] = [];
  await here.start((lane) => new Promise(() => taken.push(lane)));
  lookFrom(here, LANES);
  return { taken };
}

describe('a replica in a process of its own', () => {
  it('keeps its lanes for longer than a lease', async () => {
    // Long enough for a machine that is busy with other things.
    const leaseMs = 2_500;
    const other = aProcess(leaseMs);
    const { taken } = await startLanes(other);

    await new Promise((resolve) => setTimeout(resolve, 2 * leaseMs));

    expect(taken).toEqual([]);
    expect(other.steps.every(({ isHeld }) => isHeld)).toBe(true);
  });

  it('loses its lanes to another when it is killed', async () => {
    const other = aProcess();
    const { taken } = await startLanes(other);

    other.child.kill('SIGKILL');

    await until(() => expect(taken.toSorted()).toEqual(LANES));
  });

  it('knows in its very next step that it was stopped for too long', async () => {
    const other = aProcess();
    const { taken } = await startLanes(other);

    other.child.kill('SIGSTOP');
    await until(() => expect(taken.toSorted()).toEqual(LANES));
    const continuedAt = Date.now();
    other.child.kill('SIGCONT');

    const isLost = (lane: string) => other.steps.some((step) => step.lane === lane && !step.isHeld);
    await until(() => expect(LANES.filter(isLost)).toEqual(LANES));
    expect(other.steps.filter(({ at, isHeld }) => at >= continuedAt && isHeld)).toEqual([]);
  });
});
