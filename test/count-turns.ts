import { setImmediate } from 'node:timers/promises';

/** How often the event loop turns until the work is done. Work that never lets others run has at most one or two. */
export async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const counting = { isOn: true };
  const ended = work.finally(() => {
    counting.isOn = false;
  });
  for (; counting.isOn; turns += 1) await setImmediate();
  await ended;
  return turns;
}
