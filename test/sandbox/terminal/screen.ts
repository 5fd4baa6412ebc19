import type { Sandbox, SandboxUser } from '../sandbox.ts';
import type { Message } from '../slack/records.ts';
import type { Offers } from './offers.ts';
import { paint, toTerminalText } from './terminal-text.ts';
import { createUnheardWatch } from './unheard-events.ts';

export type Screen = ReturnType<typeof createScreen>;

export const CHANNEL = 'C0GENERAL';

const QUIET_MS = 600;
const QUIET_AT_LAST_MS = 15_000;
const LOOK_EVERY_MS = 50;

/** What one person sees of the workspace: #general and their direct messages with the app, threads, and modals. */
export function createScreen(world: Sandbox, offers: Offers) {
  const { slack } = world;
  const seen = new Set<string>();
  const findUnheard = createUnheardWatch(world);
  let user: SandboxUser = 'U0ANA';
  /** Everything there is, oldest first. */
  const read = () => readMessages(world, user);

  function print(key: string, label: string, shown: Parameters<Offers['add']>[0]): boolean {
    if (seen.has(`${user} ${key}`)) return false;
    seen.add(`${user} ${key}`);
    const buttons = offers.add(shown);
    console.log(`\n${paint('cyan', label)}\n${toTerminalText(slack.render(shown))}`);
    console.log(buttons && paint('bold', buttons));
    return true;
  }

  const describe = (message: Message) =>
    message.botId
      ? describePlace(message)
      : `${describePlace(message)}, ${slack.workspace.user(message.user).realName}`;

  /** Prints what has come or changed since the last time and is not their own; says whether there was anything. */
  function printNews(): boolean {
    // A stream changes many times before it is whole.
    const whole = read().filter(({ stream }) => stream?.state !== 'streaming');
    const messages = whole
      .filter((message) => message.user !== user)
      .map((message) => print(toKey(message), describe(message), message));
    const view = slack.as(user).openView();
    const isReady = view !== undefined && !view.callbackId.endsWith('_loading');
    const unheard = findUnheard();
    if (unheard) console.log(`\n${paint('bold', unheard)}`);
    return [...messages, unheard, isReady && print(`${view.id}:${view.hash}`, '— in front of you', view)].some(Boolean);
  }

  /** Resolves once nothing has happened for a moment, and all of it is printed; after 15 s in any case. */
  async function quiet(): Promise<void> {
    const begunAt = performance.now();
    let changedAt = begunAt;
    let traffic = countTraffic(world);
    while (performance.now() - changedAt < QUIET_MS && performance.now() - begunAt < QUIET_AT_LAST_MS) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      // What the app asks for counts as well: a message may be on its way.
      if (printNews() || isAnswering(world) || countTraffic(world) !== traffic) changedAt = performance.now();
      traffic = countTraffic(world);
    }
  }

  return {
    get user(): SandboxUser {
      return user;
    },
    /** From now on somebody else sits here. */
    switchTo(other: SandboxUser): void {
      user = other;
    },
    read,
    printNews,
    quiet,
  };
}

function countTraffic({ slack, assistant, admin }: Sandbox): number {
  return slack.ledger.all().length + assistant.ledger.count() + admin.ledger.count();
}

/** The service has a question, or the app an event. */
function isAnswering({ assistant, slack }: Sandbox): boolean {
  const isUnderWay = ({ status, error }: { status?: number; error?: string }) => status === undefined && !error;
  return (
    assistant.ledger.requests.some(({ closedAt }) => closedAt === undefined) ||
    slack.ledger.deliveries().some(isUnderWay)
  );
}

function readMessages({ slack }: Sandbox, user: SandboxUser): Message[] {
  const person = slack.as(user);
  const readPlace = (channel: string) => {
    const roots = person.sees(channel);
    const replies = roots.flatMap(({ ts }) => person.sees(channel, ts).filter((message) => message.ts !== ts));
    return [...roots, ...replies];
  };
  return [...readPlace(person.dm), ...readPlace(CHANNEL)].sort((a, b) => (a.ts < b.ts ? -1 : 1));
}

function toKey({ channel, ts, edits }: Message): string {
  return `${channel}:${ts}:${edits}`;
}

function describePlace({ channel, threadTs, ephemeralFor }: Message): string {
  const place = channel === CHANNEL ? '#general' : 'direct message';
  return `— ${place}${threadTs ? ', in the thread' : ''}${ephemeralFor ? ', only you see this' : ''}`;
}
