import type { World } from '../../test/sandbox/world.ts';
import { signInAsker } from './bench-world.ts';
import type { Contender } from './contender.ts';
import { startBridge, startPlainBot } from './contenders.ts';
import { type Figures, type Spread, toFigures, toRatio } from './figures.ts';
import { type Bench, type Measured, measure } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { createTraffic, type Load } from './traffic.ts';

export type Report = {
  /** Many turns at once. */
  busy: Figures[];
  /** One turn at a time: what a person waits for besides the service. */
  quiet: Figures[];
  /** CPU per turn of the bridge over that of the plain bot, round by round. */
  ratio: Spread;
};

export type Comparison = BenchOptions & {
  isPinned: boolean;
  /** Whatever was started and has to be stopped. */
  running: Set<Contender>;
};

/** Until the engine has compiled what is hot, the figures are those of a start, not of a day. */
const WARM_UP_TURNS = 500;

/** Enough for a percentile; one at a time they take long. */
const QUIET_TURNS = 200;

/** Variants of the app are not compared as closely. */
const VARIANT_ROUNDS = 2;

export async function compare(world: World, options: Comparison): Promise<Report> {
  const { turns, inFlight, followUps, rounds, running } = options;
  const load: Load = { turns, inFlight, followUps, twins: 'mention-only' };
  const plain = note(await startPlainBot(world, options));
  const bridge = note(await startBridge(world, 'off', options));
  world.slack.registration.eventsUrl = bridge.eventsUrl;
  await signInAsker(world);
  const bench: Bench = { world, traffic: createTraffic(world) };

  await measure(bench, plain, { ...load, turns: WARM_UP_TURNS });
  await measure(bench, bridge, { ...load, turns: WARM_UP_TURNS });
  const [theirs, ours] = await inTurn(bench, [plain, bridge], load, rounds);
  const [quietTheirs, quietOurs] = await inTurn(bench, [plain, bridge], toQuiet(load), 1);
  const [twins] = await inTurn(bench, [bridge], { ...load, twins: 'mention-first' }, VARIANT_ROUNDS);
  await stop(bridge);
  const streaming = note(await startBridge(world, 'auto', options));
  await measure(bench, streaming, { ...load, turns: WARM_UP_TURNS });
  const [streamed] = await inTurn(bench, [streaming], load, VARIANT_ROUNDS);

  return {
    busy: [
      toFigures('plain Bolt bot', theirs),
      toFigures('bridge', ours),
      toFigures('bridge, each mention delivered twice', twins),
      toFigures('bridge, answers over the stream', streamed),
    ],
    quiet: [toFigures('plain Bolt bot', quietTheirs), toFigures('bridge', quietOurs)],
    ratio: toRatio(ours, theirs),
  };

  function note(contender: Contender): Contender {
    running.add(contender);
    return contender;
  }

  async function stop(contender: Contender): Promise<void> {
    await contender.stop();
    running.delete(contender);
  }
}

/** Round by round, one contender after the other, so that what else the machine does meets both. */
async function inTurn<Names extends Contender[]>(
  bench: Bench,
  contenders: [...Names],
  load: Load,
  rounds: number,
): Promise<{ [Index in keyof Names]: Measured[] }> {
  const measured = contenders.map((): Measured[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      measured[index]?.push(await measure(bench, contender, load));
    }
  }
  return measured as { [Index in keyof Names]: Measured[] };
}

function toQuiet(load: Load): Load {
  return { ...load, turns: Math.min(load.turns, QUIET_TURNS), inFlight: 1 };
}
