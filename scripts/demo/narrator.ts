import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import type { World } from '../../test/app/world.ts';

export type Narrator = ReturnType<typeof createNarrator>;

const colour = process.stdout.isTTY
  ? (code: number, text: string) => `\x1b[${code}m${text}\x1b[0m`
  : (_: number, text: string) => text;

/** Tells in the terminal what happens, so that a person can follow it. */
export function createNarrator(world: World) {
  let steps = 0;
  return {
    step(title: string): void {
      steps++;
      console.log(`\n${colour(1, `${steps}. ${title}`)}`);
    },
    say: (text: string) => console.log(`   ${text}`),
    /** Shows a message or modal as somebody sees it. */
    show(label: string, what: Parameters<World['slack']['render']>[0]): void {
      console.log(`   ${colour(36, label)}`);
      for (const line of world.slack.render(what).split('\n')) console.log(`   ${colour(36, '│')} ${line}`);
    },
    /** States a fact that was checked; throws if it does not hold. */
    check(fact: string, holds: boolean): void {
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
