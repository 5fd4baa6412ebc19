import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import type { World } from '../../test/app/world.ts';

/** Tells in the terminal what happens, so that a person can follow it. */
export type Narrator = {
  step(title: string): void;
  say(text: string): void;
  /** Shows a message or modal as somebody sees it. */
  show(label: string, what: Parameters<World['slack']['render']>[0]): void;
  /** States a fact that was checked; throws if it does not hold. */
  check(fact: string, holds: boolean): void;
};

const colour = process.stdout.isTTY
  ? (code: number, text: string) => `\x1b[${code}m${text}\x1b[0m`
  : (_: number, text: string) => text;

export function createNarrator(world: World): Narrator {
  let steps = 0;
  return {
    step(title) {
      steps++;
      console.log(`\n${colour(1, `${steps}. ${title}`)}`);
    },
    say: (text) => console.log(`   ${text}`),
    show(label, what) {
      console.log(`   ${colour(36, label)}`);
      for (const line of world.slack.render(what).split('\n')) console.log(`   ${colour(36, '│')} ${line}`);
    },
    check(fact, holds) {
      if (!holds) throw new Error(`this does not hold: ${fact}\n\n${world.slack.describe()}`);
      console.log(`   ${colour(32, '✓')} ${fact}`);
    },
  };
}

/** The one message of the app in a thread after the given one; waits for it. */
export function nextReply(
  world: World,
  user: string,
  thread: { channel: string; ts: string },
  after: string,
): Promise<Message> {
  const { slack } = world;
  return slack.until(
    () =>
      slack
        .as(user)
        .sees(thread.channel, thread.ts)
        .find(({ botId, ts, ephemeralFor }) => botId && !ephemeralFor && ts > after),
    { what: `a reply in the thread ${thread.ts}`, timeoutMs: 15_000 },
  );
}
