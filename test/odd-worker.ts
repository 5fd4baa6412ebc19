// A thread for run-in-worker.test.ts, which does as it is told.
import { threadId } from 'node:worker_threads';
import { serveWork } from '../src/run-in-worker.ts';

serveWork((work: 'tell' | 'hang' | 'throw' | 'exit' | 'hoard') => {
  const hoard: number[][] = [];
  if (work === 'throw') throw new Error('it was told to');
  if (work === 'exit') process.exit(3);
  while (work === 'hang') Math.random();
  while (work === 'hoard') hoard.push(Array.from({ length: 100_000 }, Math.random));
  return threadId;
});
