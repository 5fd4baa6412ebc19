// What people do and what breaks, in the order in which it happens: made from a seed, so that a world can be played again,
// also with fewer of these acts.
import type { Weather } from './network.ts';
import { createRandom } from './random.ts';

export const PEOPLE = ['UANA', 'UBEN', 'UKIM', 'UTOM'];
const CHANNELS = ['C0HALL', 'C0YARD'];

/** `at`: virtual ms. Questions have numbers; `of` names one. */
export type Act = { at: number } & (
  | { kind: 'ask'; question: number; user: string; channel: string; inThreadOf?: number | undefined }
  | { kind: 'edit' | 'delete' | 'stop'; of: number }
  | { kind: 'sign_out' | 'sign_in'; user: string }
  | { kind: 'kill'; replica: number; downMs: number }
  | { kind: 'sweep'; replica: number }
  | { kind: 'freeze'; replica: number; forMs: number }
  | { kind: 'set_clock'; replica: number; byMs: number }
  | { kind: 'power_cut'; downMs: number }
  | { kind: 'govern'; admin: number; agent: number; change: Change; credits: number; thinkMs: number; decideMs: number }
  | { kind: 'set_by_hand'; agent: number; credits: number }
  | { kind: 'weather'; weather: Partial<Weather>; forMs: number }
);

/** What an administrator changes of an agent, or of all agents of its environment. */
type Change = 'limit' | 'limit_today' | 'stop' | 'run' | 'stop_all' | 'end_stop_all';

/** `isBusy`: people ask faster than they get answers. */
export type History = { seed: number; replicas: number; isBusy: boolean; acts: Act[] };

/** `turns`: how many questions are asked. With one replica the store is its own, and goes down with it. */
export function makeHistory(seed: number, { turns, replicas }: { turns: number; replicas: number }): History {
  const random = createRandom(seed);
  const acts: Act[] = [];
  const asked: Asked[] = [];
  // Some worlds are busy, in some people think before they write.
  const pauseMs = random.pick([50, 400, 2_000]);
  let at = 1_000;
  for (let question = 0; question < turns; question += 1) {
    at += Math.floor(random.next() * pauseMs * 2);
    const earlier = random.chance(0.5) && asked.length > 0 ? random.pick(asked.slice(-6)) : undefined;
    acts.push(ask(random, { at, question, earlier }, asked), ...changeMind(random, at, question));
  }
  for (let change = 0; change < turns / 10; change += 1) acts.push(govern(random, at, change));
  const troubles = 2 + (turns / 12) * random.pick([0.2, 1]);
  for (let trouble = 0; trouble < troubles; trouble += 1) acts.push(...makeTrouble(random, at, replicas));
  return { seed, replicas, isBusy: pauseMs < 2_000, acts: acts.toSorted((one, other) => one.at - other.at) };
}

type Random = ReturnType<typeof createRandom>;

type Asked = { question: number; channel: string; root: number };

/** In a channel, a direct message, or the thread of an earlier question. */
function ask(
  random: Random,
  { at, question, earlier }: { at: number; question: number; earlier: Asked | undefined },
  asked: Asked[],
): Act {
  const user = random.pick(PEOPLE);
  const isDirect = earlier === undefined && random.chance(0.25);
  const channel = earlier?.channel ?? (isDirect ? `D${user}` : random.pick(CHANNELS));
  // Others do not write in somebody's direct messages.
  const writer = channel.startsWith('D') ? channel.slice(1) : user;
  asked.push({ question, channel, root: earlier?.root ?? question });
  return { at, kind: 'ask', question, user: writer, channel, ...(earlier && { inThreadOf: earlier.root }) };
}

/** No two limits are the same, so that it can be said who set which. */
function govern(random: Random, lastMs: number, change: number): Act {
  const at = random.between(0, lastMs);
  const agent = random.between(0, 3);
  const credits = 1_000 + change;
  if (random.chance(0.2)) return { at, kind: 'set_by_hand', agent, credits };
  const kinds: Change[] = ['limit', 'limit', 'limit', 'limit_today', 'stop', 'run', 'stop_all', 'end_stop_all'];
  const [thinkMs, decideMs] = [random.between(500, 60_000), random.between(1_000, 120_000)];
  return {
    at,
    kind: 'govern',
    admin: random.between(0, 1),
    agent,
    change: random.pick(kinds),
    credits,
    thinkMs,
    decideMs,
  };
}

/** What some authors do soon afterwards. */
function changeMind(random: Random, at: number, of: number): Act[] {
  const kinds = (['edit', 'delete', 'stop'] as const).filter(() => random.chance(0.05));
  return kinds.map((kind) => ({ at: at + random.between(0, 5_000), kind, of }));
}

function makeTrouble(random: Random, lastMs: number, replicas: number): Act[] {
  const at = random.between(0, lastMs + 3_000);
  const replica = random.between(0, replicas - 1);
  const forMs = random.between(100, 8_000);
  const user = random.pick(PEOPLE);
  const some = (share: number) => random.pick([share, 1]);
  const weather = (one: Partial<Weather>): Act[] => [{ at, kind: 'weather', weather: one, forMs }];
  const kill = (): Act[] => [{ at, kind: 'kill', replica, downMs: random.between(100, 5_000) }];
  return random.pick<() => Act[]>([
    ...[kill, kill],
    () => weather({ death: 0.005 }),
    () => [{ at, kind: 'freeze', replica, forMs: random.between(500, 25_000) }],
    // What a process has in its own machine answers, or does not.
    () => weather({ storeCut: some(0.2), storeReplyLost: replicas > 1 ? random.pick([0, 0.2]) : 0 }),
    () => weather({ slackLimited: 0.4 }),
    () => weather({ slackInDoubt: 0.3 }),
    () => weather({ slackDown: some(0.5) }),
    () => weather({ serviceRefuses: 0.5, serviceInDoubt: 0.2 }),
    () => [
      { at, kind: 'sign_out', user },
      { at: at + random.between(500, 120_000), kind: 'sign_in', user },
    ],
    // The clocks of several replicas are kept together; that of one may be set by anything.
    () => [{ at, kind: 'set_clock', replica, byMs: random.pick(replicas > 1 ? [-300, 300] : [-3_600_000, 60_000]) }],
    () => weather({ stall: 0.01 }),
    () => weather({ adminRefuses: some(0.5) }),
    () => weather({ adminInDoubt: 0.5 }),
    () => weather({ providerDown: some(0.5) }),
    () => [{ at, kind: 'power_cut', downMs: random.between(100, 4_000) }],
  ])();
}

/** An act in words, for a story. */
export function describeAct(act: Act): string {
  switch (act.kind) {
    case 'ask':
      return `${act.user} asks q${act.question} in ${act.channel}${act.inThreadOf === undefined ? '' : `, in the thread of q${act.inThreadOf}`}`;
    case 'edit':
    case 'delete':
    case 'stop':
      return `q${act.of}: its author does: ${act.kind}`;
    case 'sign_out':
    case 'sign_in':
      return `${act.user}: ${act.kind.replace('_', ' ')}`;
    case 'kill':
      return `replica ${act.replica} is killed, and started again ${act.downMs} ms later`;
    case 'sweep':
      return `replica ${act.replica} sweeps`;
    case 'freeze':
      return `replica ${act.replica} stands still for ${act.forMs} ms`;
    case 'set_clock':
      return `the clock of replica ${act.replica} is set by ${act.byMs} ms`;
    case 'power_cut':
      return `the store loses power for ${act.downMs} ms`;
    case 'govern':
      return `administrator ${act.admin}, agent ${act.agent}: ${act.change} (${act.credits}), confirmed after ${act.thinkMs} ms`;
    case 'set_by_hand':
      return `somebody sets agent ${act.agent} to ${act.credits} in the service`;
    case 'weather':
      return `for ${act.forMs} ms: ${JSON.stringify(act.weather)}`;
  }
}

/** How long something is still broken after it happened: leases run out, lanes are found, waits end. */
const AFTERMATH_MS = 25_000;

/** Whether something may be broken at a time (virtual ms). */
export function isTroubled({ acts }: History, at: number): boolean {
  return acts.some((act) => {
    if (['ask', 'edit', 'delete', 'stop', 'sweep', 'govern', 'set_by_hand'].includes(act.kind)) return false;
    const lastsMs = 'forMs' in act ? act.forMs : 'downMs' in act ? act.downMs : 0;
    return act.at <= at && at < act.at + lastsMs + AFTERMATH_MS;
  });
}

/** Leases end by so long after their last renewal, and the question that was asked goes on. */
const LANES_LOST_MS = 20_000;

/** Whether a replica may have lost its lanes while it asked: its answer still comes, and counts if nobody else went on. */
export function mayLoseLanes({ acts }: History, at: number): boolean {
  return acts.some((act) => {
    const cuts = act.kind === 'weather' && (act.weather.storeCut ?? act.weather.storeReplyLost ?? act.weather.stall);
    if (!cuts && act.kind !== 'freeze' && act.kind !== 'power_cut') return false;
    const lastsMs = 'forMs' in act ? act.forMs : act.downMs;
    return act.at <= at && at < act.at + lastsMs + LANES_LOST_MS;
  });
}
