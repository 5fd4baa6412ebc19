import { startBridge } from './contenders.ts';
import { toFigures } from './figures.ts';
import type { Bench, Section } from './part.ts';
import { measureInTurn, toLoad, toQuiet, warmUp } from './rounds.ts';
import { buildTable, showPercentiles } from './table.ts';
import { FIGURE_COLUMNS } from './turns-tables.ts';

/** Variants of the app are not compared as closely. */
const ROUNDS = 2;

/** What costs more than the usual turn: Slack's second event of a mention, and a service that streams its answers. */
export async function measureVariants(bench: Bench): Promise<Section> {
  const load = toLoad(bench);
  const [store = 'sqlite'] = bench.options.stores;
  const replicas = store === 'redis' ? { replicas: 1 } : {};
  const usual = await startBridge(bench, { name: 'usual', ...replicas });
  const streaming = await startBridge(bench, { name: 'streaming', streaming: 'auto', ...replicas });
  await warmUp(bench, [usual, streaming], load);
  const [once = []] = await measureInTurn(bench, [usual], load, ROUNDS);
  const [twice = []] = await measureInTurn(bench, [usual], { ...load, twins: 'mention-first' }, ROUNDS);
  const [streamed = []] = await measureInTurn(bench, [streaming], load, ROUNDS);
  const [quiet = []] = await measureInTurn(bench, [streaming], toQuiet(load), 1);
  await bench.running.stop(usual, streaming);

  const figures = [
    toFigures('each mention delivered once', once),
    toFigures('each mention delivered twice', twice),
    toFigures('answers over the stream', streamed),
  ];
  const { added } = toFigures('answers over the stream, one at a time', quiet);
  const title = `Variants of the app on ${store === 'redis' ? 'Redis' : 'SQLite'}:`;
  const first = `Over the stream, one turn at a time, first token → Slack: ${showPercentiles(added.toPostMs)} (p50 / p99)`;
  return { text: [title, buildTable(FIGURE_COLUMNS, figures), first].join('\n\n'), figures: { figures, added } };
}
