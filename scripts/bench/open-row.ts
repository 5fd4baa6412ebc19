import { setTimeout as pause } from 'node:timers/promises';
import { type Contender, withLastWords } from './contenders.ts';
import { type Bench, inRounds, listApps, type MeasureRow, toRow } from './measure.ts';
import { GOALS, toMedian, toPercentile, toRatio } from './table.ts';
import { beginAsking } from './traffic.ts';

const PER_SECOND = 100;

/** How long Slack waits for acknowledgements while questions come at a fixed rate. */
export const measureOpenLoop: MeasureRow = async (bench) => {
  const apps = listApps(bench);
  const rounds = await inRounds(bench, apps, (app) =>
    app.process.watch(() => withLastWords(app, askWithoutWaiting(bench, app))),
  );
  const read = (key: 'acknowledged' | 'commits', share: number) =>
    rounds.map((ofApp) => ofApp.map((round) => toPercentile(round[key], share)));
  const acknowledged = read('acknowledged', 0.99);
  const commits = read('commits', 0.99);
  const ratios = acknowledged.map((ofApp, index) => toRatio(ofApp, commits[index] ?? []));
  const title = `Acknowledgements inside the process, while ${PER_SECOND} questions a second come and wait for nothing`;
  return toRow('open', title, apps, [
    { what: 'acknowledged, p50, ms', digits: 1, figures: read('acknowledged', 0.5).map(toMedian) },
    { what: 'acknowledged, p99, ms', digits: 1, figures: acknowledged.map(toMedian) },
    { what: 'commit, or script of Redis, p50, ms', digits: 1, figures: read('commits', 0.5).map(toMedian) },
    { what: 'commit, or script of Redis, p99, ms', digits: 1, figures: commits.map(toMedian) },
    { what: 'p99 over p99', digits: 2, figures: ratios, goal: GOALS.open.overCommit },
  ]);
};

/** Asks each question at its own moment, whether or not the earlier ones are answered. */
async function askWithoutWaiting({ world, sizes }: Bench, { eventsUrl }: Contender): Promise<void> {
  const asking = beginAsking(world, eventsUrl);
  const begunAt = performance.now();
  const asked: Promise<void>[] = [];
  let failure: unknown;
  const noteFailure = (error: unknown) => {
    failure ??= error;
  };
  try {
    for (let number = 0; number < sizes.openS * PER_SECOND; number++) {
      await pause(Math.max(0, begunAt + (number * 1_000) / PER_SECOND - performance.now()));
      asked.push(asking.ask().catch(noteFailure));
    }
    await Promise.all(asked);
    if (failure) throw failure;
  } finally {
    await asking.end();
  }
}
