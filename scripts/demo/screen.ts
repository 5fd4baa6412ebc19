import type { Message } from '../../test/sandbox/slack/records.ts';
import type { World } from '../../test/sandbox/world.ts';

/** What Ana sees of the workspace: #general and her direct messages with the app, threads included. */
export type Screen = {
  /** Everything there is, oldest first. */
  read(): Message[];
  /** Prints what has come or changed since the last time and is not her own; says whether there was anything. */
  printNews(): boolean;
  /** Resolves once nothing has happened for a moment, and all of it is printed; after 15 s in any case. */
  quiet(): Promise<void>;
};

export const CHANNEL = 'C0GENERAL';

const QUIET_MS = 600;
const QUIET_AT_LAST_MS = 15_000;
const LOOK_EVERY_MS = 50;

export function createScreen(world: World): Screen {
  const { slack } = world;
  const seen = new Set<string>();
  const read = () => readMessages(world);

  function printNews(): boolean {
    const news = read().filter((message) => message.user !== 'U0ANA' && !seen.has(toKey(message)));
    for (const message of news) {
      seen.add(toKey(message));
      console.log(`\n${describePlace(message)}\n${slack.render(message)}\n`);
    }
    return news.length > 0;
  }

  async function quiet(): Promise<void> {
    const begunAt = performance.now();
    let changedAt = begunAt;
    let traffic = slack.ledger.all().length;
    while (performance.now() - changedAt < QUIET_MS && performance.now() - begunAt < QUIET_AT_LAST_MS) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      // What the app asks of Slack counts as well: a message may be on its way.
      if (printNews() || slack.ledger.all().length !== traffic) changedAt = performance.now();
      traffic = slack.ledger.all().length;
    }
  }

  return { read, printNews, quiet };
}

function readMessages({ slack }: World): Message[] {
  const ana = slack.as('U0ANA');
  const readPlace = (channel: string) => {
    const roots = ana.sees(channel);
    const replies = roots.flatMap(({ ts }) => ana.sees(channel, ts).filter((message) => message.ts !== ts));
    return [...roots, ...replies];
  };
  return [...readPlace(ana.dm), ...readPlace(CHANNEL)].sort((a, b) => (a.ts < b.ts ? -1 : 1));
}

function toKey({ channel, ts, edits }: Message): string {
  return `${channel}:${ts}:${edits}`;
}

function describePlace({ channel, threadTs, ephemeralFor }: Message): string {
  const place = channel === CHANNEL ? '#general' : 'direct message';
  return `— ${place}${threadTs ? ', in the thread' : ''}${ephemeralFor ? ', only you see this' : ''}`;
}
