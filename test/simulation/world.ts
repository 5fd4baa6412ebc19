// A world: replicas of the app, Slack, the service and the store in one process, moved by a history.
import type { Kernel } from '../../src/storage/kernel.ts';
import type { WithLock } from '../../src/with-lock.ts';
import { createEvents } from './events.ts';
import { createFleet, createSharedLock } from './fleet.ts';
import { type Act, type History, PEOPLE } from './history.ts';
import { createModelKernel, type ModelKernel } from './model-kernel.ts';
import { createModelStore, type ModelStore } from './model-store.ts';
import { createNetwork, FAIR, type Network, type Weather } from './network.ts';
import { createPeople, type Written } from './people.ts';
import { createRandom, type Random } from './random.ts';
import { startReplica } from './replica.ts';
import { createServiceMachine, type ServiceMachine } from './service-machine.ts';
import { createSlackMachine, type SlackMachine } from './slack-machine.ts';
import { BEGIN, installVirtualTime, type VirtualTime } from './virtual-time.ts';

/** What a replica is connected to. */
export type World = {
  time: VirtualTime;
  random: Random;
  network: Network;
  slack: SlackMachine;
  service: ServiceMachine;
  store: ModelStore;
  kernel: ModelKernel;
  withLock: WithLock;
  weather(): Weather;
  /** Has any replica run the lane, after so many ms: what BullMQ does. */
  handOver(lane: string, delayMs?: number): void;
  /** Every replica hears that a turn was ended. */
  announceEnd(turnId: string): void;
};

/** What is left of a world that has come to rest. */
export type Rest = Pick<World, 'slack' | 'service' | 'store'> & {
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

/** What is still on its way may yet change something. */
const QUIET_MS = 20_000;

/** Longer than every wait of the app. */
const PATIENCE_MS = 60 * 60_000;

/** Plays a history to its end, and then until nothing is left to do. */
export async function playWorld(history: History): Promise<Rest> {
  const random = createRandom(history.seed ^ 0x5eed);
  const { time, restore } = installVirtualTime(random.next);
  try {
    return await play(history, time, random);
  } finally {
    restore();
  }
}

async function play({ acts, replicas }: History, time: VirtualTime, random: Random): Promise<Rest> {
  const wall = () => BEGIN + Math.floor(time.now());
  const sky = createSky(time);
  const slack = createSlackMachine(time.now);
  const service = createServiceMachine(wall);
  const store = createModelStore(wall);
  const kernel = createModelKernel(wall);
  const kill = () => fleet.kill(time.current(), random.between(100, 3_000));
  const network = createNetwork({ time, random, weather: sky.weather, kill });
  const fleet = createFleet(time, random, (owner) => startReplica(owner, world));
  const world: World = {
    ...{ time, random, network, slack, service, store, kernel, weather: sky.weather },
    withLock: createSharedLock(time, random, () => network),
    handOver(lane, delayMs = 0) {
      time.at(time.now() + delayMs + random.next() * 5, () => fleet.on(fleet.pick(), ({ wake }) => wake(lane)));
    },
    announceEnd(turnId) {
      for (const replica of fleet.live()) {
        time.at(time.now() + random.next() * 5, () => fleet.on(replica, ({ abort }) => abort(turnId)));
      }
    },
  };
  const events = createEvents(time, random, fleet);
  const people = createPeople({ slack, service, events, fleet, kernel: toPlain(kernel), wall });

  function cutPower(downMs: number): void {
    store.cutPower();
    // A replica that is alone has its store in its own machine.
    if (replicas === 1) fleet.kill(fleet.find(0)?.owner, downMs);
    else sky.change({ storeCut: 1 }, downMs);
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
    freeze: ({ replica, forMs }) => fleet.freeze(replica, forMs),
    set_clock: ({ replica, byMs }) => fleet.setClock(replica, byMs),
    power_cut: ({ downMs }) => cutPower(downMs),
    weather: (act) => sky.change(act.weather, act.forMs),
  };
  const apply = (act: Act) => void (doing[act.kind] as (act: Act) => unknown)(act);

  for (const user of PEOPLE) await people.signIn(user);
  for (let index = 0; index < replicas; index += 1) fleet.start(index);
  for (const act of acts) time.at(act.at, () => apply(act));
  const calmAt = (acts.at(-1)?.at ?? 0) + CALM_AFTER_MS;
  time.at(calmAt, () => {
    sky.clear();
    for (const user of PEOPLE) void people.signIn(user);
  });

  const isQuiet = () => events.underway() === 0 && store.isIdle() && slack.busy().length === 0;
  let quietSince = calmAt;
  const isOver = () => {
    if (!isQuiet()) quietSince = time.now();
    return time.now() - Math.max(quietSince, calmAt) > QUIET_MS;
  };
  const isAtRest = await time.pass(isOver, calmAt + PATIENCE_MS);
  fleet.endAll();
  const written = [...people.written.values()];
  return { slack, service, store, written, tookMs: time.now(), steps: time.steps(), isAtRest };
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

/** For those outside the app, who need no network. */
function toPlain(kernel: ModelKernel): Kernel {
  return {
    get: async (keys) => kernel.get(keys),
    range: async (index, range) => kernel.range(index, range),
    count: async (index, from) => kernel.count(index, from),
    commit: async (writes) => kernel.commit(writes),
    clear: async () => kernel.clear(),
  };
}
