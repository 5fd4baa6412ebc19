// A world: replicas of the app, Slack, the service and the store in one process, moved by a history.
import type { Log } from '../../src/log.ts';
import type { Kernel } from '../../src/storage/kernel.ts';
import type { WithLock } from '../../src/with-lock.ts';
import { createModel } from '../storage/kernel-model.ts';
import { type AdminMachine, createAdminMachine } from './admin-machine.ts';
import { createAdministrators } from './administrators.ts';
import { createEvents } from './events.ts';
import { createFleet, createSharedLock } from './fleet.ts';
import { type Governed, readGoverned } from './governed.ts';
import { type Act, type History, PEOPLE } from './history.ts';
import { createModelStore, type ModelStore } from './model-store.ts';
import { createNetwork, FAIR, type Network, type Weather } from './network.ts';
import type { Order } from './ordered.ts';
import { createPeople, type Written } from './people.ts';
import { createRandom, type Random } from './random.ts';
import { startReplica } from './replica.ts';
import { createServiceMachine, type ServiceMachine } from './service-machine.ts';
import { createSlackMachine, type SlackMachine } from './slack-machine.ts';
import { createBugLog } from './stand-ins.ts';
import { BEGIN, installVirtualTime, type VirtualTime } from './virtual-time.ts';

/** What a replica is connected to. */
export type World = {
  /** Several replicas, which have one store together. */
  isShared: boolean;
  time: VirtualTime;
  random: Random;
  network: Network;
  slack: SlackMachine;
  service: ServiceMachine;
  admin: AdminMachine;
  /** What allows more needs a second administrator. */
  needsApproval: boolean;
  store: ModelStore;
  /** Without a network. */
  kernel: Kernel;
  withLock: WithLock;
  weather(): Weather;
  log: Log;
  /** Has any replica run the lane, after so many ms: what BullMQ does. */
  handOver(lane: string, delayMs?: number): void;
  /** Every replica hears that a turn was ended. */
  announceEnd(turnId: string): void;
};

/** What is left of a world that has come to rest. */
export type Rest = Pick<World, 'slack' | 'service' | 'store' | 'admin' | 'needsApproval'> & {
  governed: Governed;
  /** What the app logged of errors that nobody expects. */
  bugs: string[];
  history: History;
  written: Written[];
  /** Virtual ms. */
  tookMs: number;
  /** How many timers have fired. */
  steps: number;
  /** False: something was still going on when patience ended. */
  isAtRest: boolean;
};

/** After the last act, the world calms down: everything works again, and everybody has signed in. */
const CALM_AFTER_MS = 30_000;

/** What was confirmed last is approved, and carried out, by then. */
const REVIEW_AFTER_MS = 180_000;

/** What is still on its way may yet change something. */
const QUIET_MS = 20_000;

/** Longer than every wait of the app. */
const PATIENCE_MS = 60 * 60_000;

/** Gets the world before it begins, and how to have something happen in it at once. */
export type Watch = (world: World, apply: (act: Act) => void) => void;

/** Plays a history to its end, and then until nothing is left to do. `order`: of all that happens, instead of its times. */
export async function playWorld(history: History, order?: Order, watch: Watch = () => undefined): Promise<Rest> {
  const random = createRandom(history.seed ^ 0x5eed);
  const { time, restore } = installVirtualTime(random.next, order);
  const { stackTraceLimit } = Error;
  // Many errors are thrown here, and their traces are slow to make.
  Error.stackTraceLimit = 1;
  try {
    return await play(history, { time, random, watch });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    restore();
  }
}

async function play(
  history: History,
  { time, random, watch }: { time: VirtualTime; random: Random; watch: Watch },
): Promise<Rest> {
  const { acts, replicas } = history;
  const wall = () => BEGIN + Math.floor(time.now());
  const sky = createSky(time);
  const slack = createSlackMachine(time.now);
  const service = createServiceMachine(wall);
  const isShared = replicas > 1;
  const admin = createAdminMachine(wall);
  const store = createModelStore(wall, isShared);
  const kernel = createModel(wall);
  const kill = () => fleet.kill(time.current(), random.between(100, 3_000));
  const network = createNetwork({ isShared, time, random, weather: sky.weather, kill });
  const fleet = createFleet(time, random, (owner) => startReplica(owner, world));
  const bugs: string[] = [];
  const world: World = {
    log: createBugLog((error) => bugs.push(String(error))),
    ...{ isShared, time, random, network, slack, service, admin, store, kernel, weather: sky.weather },
    needsApproval: random.chance(0.5),
    withLock: createSharedLock(time, random, () => network),
    handOver(lane, delayMs = 0) {
      const hand = () => fleet.on(fleet.pick(), ({ wake }) => wake(lane));
      const jitterMs = random.next() * 5;
      if (delayMs > 0) time.at(time.now() + delayMs + jitterMs, hand);
      else time.arrive(jitterMs, hand);
    },
    announceEnd(turnId) {
      for (const replica of fleet.live()) {
        time.arrive(random.next() * 5, () => fleet.on(replica, ({ abort }) => abort(turnId)));
      }
    },
  };
  const events = createEvents(time, random, fleet);
  const administrators = createAdministrators(world, fleet, wall);
  const people = createPeople({ slack, service, events, fleet, kernel, wall });

  function cutPower(downMs: number): void {
    // Redis answers only after the flush (`appendfsync always`), so it loses nothing that somebody knows of.
    if (isShared) return sky.change({ storeCut: 1 }, downMs);
    // A replica that is alone has its store in its own machine.
    store.cutPower();
    fleet.kill(fleet.find(0)?.owner, downMs);
  }

  const find = (question: number) => people.written.get(question);
  const doing: { [Kind in Act['kind']]: (act: Extract<Act, { kind: Kind }>) => unknown } = {
    ask: people.ask,
    edit: ({ of }) => people.edit(find(of)),
    delete: ({ of }) => people.remove(find(of)),
    stop: ({ of }) => people.stop(find(of)),
    sign_in: ({ user }) => people.signIn(user),
    sign_out: ({ user }) => people.signOut(user),
    kill: ({ replica, downMs }) => fleet.kill(fleet.find(replica)?.owner, downMs),
    sweep: ({ replica }) => fleet.on(fleet.find(replica), ({ sweep }) => sweep()),
    freeze: ({ replica, forMs }) => fleet.freeze(replica, forMs),
    set_clock: ({ replica, byMs }) => fleet.setClock(replica, byMs),
    power_cut: ({ downMs }) => cutPower(downMs),
    govern: administrators.govern,
    set_by_hand: administrators.setByHand,
    weather: (act) => sky.change(act.weather, act.forMs),
  };
  const apply = (act: Act) => void (doing[act.kind] as (act: Act) => unknown)(act);

  for (const user of PEOPLE) await people.signIn(user);
  watch(world, apply);
  for (let index = 0; index < replicas; index += 1) fleet.start(index);
  for (const act of acts) {
    if (act.at > 0) time.at(act.at, () => apply(act));
    else time.arrive(0, () => apply(act));
  }
  const calmAt = (acts.at(-1)?.at ?? 0) + CALM_AFTER_MS;
  time.at(calmAt, () => {
    sky.clear();
    for (const user of PEOPLE) void people.signIn(user);
    time.at(time.now() + REVIEW_AFTER_MS, administrators.review);
  });

  const isQuiet = () =>
    administrators.agreedAt() !== undefined && events.underway() === 0 && store.isIdle() && slack.busy().length === 0;
  let quietSince = calmAt;
  const isOver = () => {
    if (!isQuiet()) quietSince = time.now();
    return time.now() - Math.max(quietSince, calmAt) > QUIET_MS;
  };
  const isAtRest = await time.pass(isOver, calmAt + PATIENCE_MS);
  fleet.endAll();
  const written = [...people.written.values()];
  let governed: Governed | undefined;
  void readGoverned(kernel, administrators, wall()).then((read) => {
    governed = read;
  });
  if (!(await time.pass(() => governed !== undefined, Number.POSITIVE_INFINITY)) || !governed)
    throw new Error('not read');
  const rest = { bugs, history, slack, service, admin, store, written, governed, needsApproval: world.needsApproval };
  return { ...rest, tookMs: time.now(), steps: time.steps(), isAtRest };
}

/** What is wrong with the world, each for a while. */
function createSky(time: VirtualTime) {
  let faults: Partial<Weather>[] = [];
  let weather = FAIR;
  const sum = () => {
    weather = Object.assign({ ...FAIR }, ...faults);
  };
  return {
    weather: () => weather,
    change(fault: Partial<Weather>, forMs: number): void {
      faults.push(fault);
      sum();
      time.at(time.now() + forMs, () => {
        faults = faults.filter((one) => one !== fault);
        sum();
      });
    },
    clear(): void {
      faults = [];
      sum();
    },
  };
}
