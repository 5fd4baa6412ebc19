import { LARGE_CHANNEL, MEMBERS, SMALL_CHANNEL, SMALL_SIZE } from './bench-world.ts';
import type { Contender } from './contenders.ts';
import { inRounds, listApps, type MeasureRow, measureTurns, toRow } from './measure.ts';
import { GOALS, toMedian, toRatio } from './table.ts';
import { runTraffic } from './traffic.ts';

/** The cost of a turn in a channel with thousands of members, beside that in a small one. */
export const measureChannel: MeasureRow = async (bench) => {
  const { world, sizes } = bench;
  const apps = listApps(bench);
  const toLoad = (channel: string, turns: number) => ({ turns, inFlight: 1, askers: MEMBERS, channel });
  const watch = async ({ process, eventsUrl }: Contender, channel: string, turns: number) =>
    (await process.watch(() => runTraffic(world, eventsUrl, toLoad(channel, turns)))).blocked;
  const inChannel = async (app: Contender, channel: string) => {
    const { cpuMs } = await measureTurns(world, app, toLoad(channel, sizes.turnsAlone));
    // In separate turns, because watching costs processor time.
    return { cpuMs, blocked: await watch(app, channel, sizes.turnsAlone) };
  };

  const first: number[] = [];
  for (const app of apps) {
    await watch(app, SMALL_CHANNEL, 1);
    first.push(await watch(app, LARGE_CHANNEL, 1));
  }
  const rounds = await inRounds(bench, apps, async (app) => ({
    small: await inChannel(app, SMALL_CHANNEL),
    large: await inChannel(app, LARGE_CHANNEL),
  }));

  const read = (channel: 'small' | 'large', key: 'cpuMs' | 'blocked') =>
    rounds.map((ofApp) => ofApp.map((round) => round[channel][key]));
  const cpuOfSmall = read('small', 'cpuMs');
  const cpuOfLarge = read('large', 'cpuMs');
  const ratios = cpuOfLarge.map((ofApp, index) => toRatio(ofApp, cpuOfSmall[index] ?? []));
  const many = sizes.members.toLocaleString('en');
  return toRow('channel', `A channel of ${many} members beside one of ${SMALL_SIZE}, one turn at a time`, apps, [
    { what: `CPU with ${SMALL_SIZE}, ms a turn`, digits: 2, figures: cpuOfSmall.map(toMedian) },
    { what: `CPU with ${many}, ms a turn`, digits: 2, figures: cpuOfLarge.map(toMedian) },
    { what: 'the second over the first', digits: 2, figures: ratios, goal: GOALS.channel.largeOverSmall },
    { what: `longest block with ${SMALL_SIZE}, ms`, digits: 1, figures: read('small', 'blocked').map(toMedian) },
    { what: `longest block with ${many}, ms`, digits: 1, figures: read('large', 'blocked').map(toMedian) },
    { what: 'longest block while these are read, ms', digits: 1, figures: first.map((ms) => toMedian([ms])) },
  ]);
};
