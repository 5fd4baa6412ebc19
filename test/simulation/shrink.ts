// The shortest history that still breaks a promise: acts are left out, halves first, as long as it goes on failing.
import type { Act, History } from './history.ts';
import { type Breach, judge } from './promises.ts';
import { playWorld } from './world.ts';

export type Failure = { history: History; breaches: Breach[] };

/** More worlds are not played for one failure. */
const MAX_WORLDS = 300;

async function findBreaches(history: History): Promise<Breach[]> {
  return judge(await playWorld(history));
}

export async function shrink(failure: Failure): Promise<Failure> {
  const { promise } = failure.breaches[0] ?? { promise: '' };
  let { history, breaches } = failure;
  let worlds = 0;

  async function tryWithout(left: Act[]): Promise<boolean> {
    worlds += 1;
    const found = await findBreaches({ ...history, acts: left });
    if (!found.some((one) => one.promise === promise)) return false;
    history = { ...history, acts: left };
    breaches = found;
    return true;
  }

  for (let size = Math.ceil(history.acts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < history.acts.length && worlds < MAX_WORLDS; ) {
      const left = history.acts.toSpliced(from, size);
      if (!(await tryWithout(left))) from += size;
    }
  }
  return { history, breaches };
}
