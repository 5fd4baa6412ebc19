import type { Contender } from './contender.ts';
import { type Measured, measure } from './measure.ts';
import type { Bench } from './part.ts';
import type { Load } from './traffic.ts';

/** Of each process. Until the engine has compiled what is hot, the figures are those of a start, not of a day. */
const WARM_UP_TURNS = 500;

export async function warmUp(
  { world }: Bench,
  contenders: Contender[],
  load: Load,
  turns = WARM_UP_TURNS,
): Promise<void> {
  for (const contender of contenders) {
    await measure(world, contender, { ...load, turns: turns * contender.processes.length });
  }
}

/** Round by round, one contender after the other, so that what else the machine does meets all. One list for each. */
export async function measureInTurn(
  { world }: Bench,
  contenders: Contender[],
  load: Load,
  rounds: number,
): Promise<Measured[][]> {
  const measured = contenders.map((): Measured[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) measured[index]?.push(await measure(world, contender, load));
  }
  return measured;
}

/** The usual turns: mentions, each delivered once, a part of them in threads of others. */
export function toLoad({ options }: Bench): Load {
  const { turns, inFlight, followUps } = options;
  return { turns, inFlight, followUps, twins: 'mention-only' };
}

/** Enough for a percentile; one at a time they take long. */
const QUIET_TURNS = 200;

/** One turn at a time: what a person waits for besides the service. */
export function toQuiet(load: Load): Load {
  return { ...load, turns: Math.min(load.turns, QUIET_TURNS), inFlight: 1 };
}
