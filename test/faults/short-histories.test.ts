// What people see in the simulation is what they see of the real app: hence what it finds in millions of turns counts.
import { beforeAll, describe, expect, it } from 'vitest';
import { startCluster } from './cluster.ts';
import { CONVERSATION_PROMISES, type Conversations } from './conversation-promises.ts';
import { playReal } from './play-real.ts';
import { playSimulated } from './play-simulated.ts';
import { settle } from './settle.ts';
import { SHORT_HISTORIES, type ShortHistory } from './short-histories.ts';

const simulated = new Map<ShortHistory, string[]>();
const real = new Map<ShortHistory, string[]>();
const breaches: string[] = [];

/** One after the other on the same processes. What came of them is read at the end: until then nothing may be added. */
async function playAllReal(replicas: 1 | 2): Promise<void> {
  const cluster = await startCluster({ store: replicas === 1 ? 'sqlite' : 'redis', seed: 1, replicas });
  try {
    const played = new Map<ShortHistory, string[]>();
    for (const history of SHORT_HISTORIES.filter((one) => one.replicas === replicas)) {
      played.set(history, await playReal(cluster, history));
    }
    const { conversations } = await settle(cluster);
    breaches.push(...listBreaches(conversations));
    for (const [history, names] of played) real.set(history, toSeen(conversations, names));
  } finally {
    await cluster.close();
  }
}

/** But for those that a busy machine can spoil. */
function listBreaches(conversations: Conversations): string[] {
  return Object.values(CONVERSATION_PROMISES)
    .filter((promise) => !('isTiming' in promise))
    .flatMap(({ name, judge }) => judge(conversations).map((what) => `${name}: ${what}`));
}

/** The replies to these questions, in order. */
function toSeen({ questions }: Conversations, names: string[]): string[] {
  return questions
    .filter(({ name }) => names.includes(name))
    .flatMap(({ name, requests, replies }) => {
      const how = requests.at(-1)?.isEdited ? ', as edited' : '';
      return replies.map(({ ts, ending }) => ({ ts, text: `q${names.indexOf(name)}: ${ending}${how}` }));
    })
    .sort((one, other) => Number(one.ts) - Number(other.ts))
    .map(({ text }) => text);
}

describe('a short history', () => {
  // The simulation has all clocks meanwhile: nothing else may run.
  beforeAll(async () => {
    for (const history of SHORT_HISTORIES) {
      const conversations = await playSimulated(history);
      breaches.push(...listBreaches(conversations));
      simulated.set(history, toSeen(conversations, ['q0', 'q1']));
    }
    await Promise.all([playAllReal(1), playAllReal(2)]);
  }, 600_000);

  it.each(SHORT_HISTORIES)('is the same in the simulation and in processes: $name', (history) => {
    expect(simulated.get(history)).toEqual(history.sees);
    expect(real.get(history)).toEqual(history.sees);
  });

  it('keeps every promise in both', () => {
    expect(breaches).toEqual([]);
  });
});
