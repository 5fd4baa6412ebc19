import { signIn } from '../app/sign-in.ts';
import { CHANNEL, type Cluster } from './cluster.ts';
import { toEditedText } from './item.ts';
import type { Said } from './journal.ts';
import { lookUntil } from './look-until.ts';
import type { Doing, ShortHistory, Strike } from './short-histories.ts';
import { speak } from './speak.ts';
import { hookInto, STEP_TIMEOUT_MS } from './steps.ts';

const toReal = (user: string) => `U0${user.slice(1)}` as 'U0ANA';

/** Plays it with real processes until they are at rest. Returns the names of its questions there, in order. */
export async function playReal(cluster: Cluster, { name, begins, strikes = [] }: ShortHistory): Promise<string[]> {
  const { world, replicas, balancer, journal, redis } = cluster;
  const { slack, assistant } = world;
  const said = new Map<number, Said>();

  /** Once Slack has to send something again. */
  function onRefused(act: () => unknown): void {
    const stop = balancer.onPassed(({ status }) => {
      if (status === 200) return;
      stop();
      act();
    });
  }

  async function find(question: number) {
    const { number, author, channel, ts, threadTs } = said.get(question) as Said;
    await journal.untilAcknowledged(number);
    return { number, author: slack.as(author), place: { channel, ts, threadTs } };
  }

  const doing: { [Kind in Doing['kind']]?: (act: Extract<Doing, { kind: Kind }>) => unknown } = {
    async ask({ question, user, inThreadOf = question }) {
      const thread = said.get(inThreadOf);
      said.set(question, await speak(cluster, { author: toReal(user), thread }));
    },
    async edit({ of }) {
      const { author, place } = await find(of);
      const { text = '' } = slack.workspace.messages.find(CHANNEL, place.ts) ?? {};
      await author.edit(place, toEditedText(text));
    },
    async delete({ of }) {
      const { author, place, number } = await find(of);
      journal.deleting(number);
      await author.delete(place);
    },
    stop: async ({ of }) => find(of).then(({ author, place }) => author.stop(place)),
    sign_out: ({ user }) => slack.as(toReal(user)).command('/assistant', 'sign-out', CHANNEL),
    sign_in: ({ user }) => signIn(world, toReal(user), 'thread'),
    kill: ({ replica }) => replicas[replica]?.kill(),
    freeze({ replica }) {
      replicas[replica]?.freeze();
      onRefused(() => replicas[replica]?.thaw());
    },
    async power_cut() {
      await redis?.kill();
      onRefused(() => redis?.restart());
    },
  };

  async function perform(acts: Doing[]): Promise<void> {
    for (const act of acts) await (doing[act.kind] as ((act: Doing) => unknown) | undefined)?.(act);
  }

  /** Where nobody is left, whoever died first starts again. */
  async function revive(): Promise<void> {
    if (replicas.every(({ state }) => state === 'down')) await replicas.at(-1)?.start();
  }

  /** Resolves once all of it has happened, and the app runs again. */
  async function arm([first, ...later]: Strike[]): Promise<unknown> {
    if (!first) return undefined;
    const { at, acts, failure } = first;
    if (failure === '503-retry-after' || failure === '504-html') assistant.faults.next(failure);
    else if (failure) slack.faults.next('chat.postMessage', { kind: failure, status: 503 });
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const remove = hookInto(world, at, async () => {
      remove();
      const next = arm(later);
      await perform(acts);
      resolve(next);
      return acts.some(({ kind }) => kind === 'kill') ? 'drop' : undefined;
    });
    await promise;
    return revive();
  }

  const struck = arm(strikes);
  await perform(begins);
  await revive();
  await struck;
  for (const { number } of said.values()) await journal.untilAcknowledged(number);
  const isOver = () => journal.open().length + slack.workspace.sessions.busy().length === 0;
  if (!(await lookUntil(isOver, STEP_TIMEOUT_MS))) throw new Error(`“${name}” does not end:\n${slack.describe()}`);
  for (const replica of replicas) if (replica.state === 'down') await replica.start();
  return [...said.values()].map(({ number }) => String(number));
}
