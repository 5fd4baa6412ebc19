// A thread of the scenario generated-answers: checks the answers that it is told to, and reports.
import { parentPort } from 'node:worker_threads';
import { checkGenerated } from './check-generated.ts';

// The thread that renders long answers keeps none alive.
setInterval(() => undefined, 60_000);
parentPort?.on('message', async ({ from, to, seed }: { from: number; to: number; seed: number }) => {
  parentPort?.postMessage(await checkGenerated({ from, to }, seed));
});
