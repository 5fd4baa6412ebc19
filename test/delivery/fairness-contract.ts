import { describe, expect, it } from 'vitest';
import type { Turn } from '../../src/conversation/turn.ts';
import type { Dispatcher } from '../../src/delivery/dispatcher.ts';
import { createRunningTurns, drainLane } from '../../src/delivery/lane.ts';
import { createShares } from '../../src/delivery/shares.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { until } from './dispatcher-contract.ts';

const ANA = { team: 'T0001', user: 'U0ANA' };
const BEN = { team: 'T0001', user: 'U0BEN' };

/** Lanes of two persons, with turns that run until they are let go, on one or more replicas. */
export function aBusyDay(...dispatchers: Dispatcher[]) {
  const lanes = new Map<string, Turn[]>();
  const begun: string[] = [];
  const running = new Map<string, () => void>();
  const turns = {
    head: async (lane: string) => lanes.get(lane)?.[0],
    async takeHead(lane: string) {
      const [turn, second] = lanes.get(lane) ?? [];
      return turn && { turn, isTaken: true, isLast: second === undefined };
    },
  };
  const replicas = dispatchers.map((dispatcher) => {
    const shares = createShares((lane) => void dispatcher.wake(lane));
    const replica = { dispatcher, shares, now: 0, most: 0 };
    const ports = {
      turns,
      running: createRunningTurns(),
      suspects: createShares(() => undefined, 1),
      shares,
      async run({ id, lane }: Turn) {
        begun.push(id);
        replica.most = Math.max(replica.most, ++replica.now);
        await new Promise<void>((resolve) => running.set(id, resolve));
        replica.now--;
        lanes.get(lane)?.shift();
        return true;
      },
      holder: dispatcher.holder,
      isDraining: () => false,
      waitClock: Date.now,
    };
    dispatcher.start(async (lane, isHeld) => {
      const waitMs = await drainLane(lane, isHeld, ports);
      return waitMs === undefined ? undefined : Date.now() + waitMs;
    });
    return replica;
  });
  return {
    begun,
    isWaiting: (lane: string) => replicas.some(({ shares }) => shares.isWaiting(lane)),
    /** Of each replica. */
    mostAtOnce: () => replicas.map(({ most }) => most),
    ask(lane: string, id: string, asker = ANA) {
      const turn = aTurn({ id, lane, question: aQuestion({ asker }) });
      lanes.set(lane, [...(lanes.get(lane) ?? []), turn]);
      void replicas[begun.length % replicas.length]?.dispatcher.wake(lane);
    },
    /** Lets all turns end that run. */
    end() {
      for (const [name, letGo] of running) {
        running.delete(name);
        letGo();
      }
    },
  };
}

/** What every dispatcher does for persons, of whom some ask much more than others. */
export function describeFairness(name: string, create: () => Dispatcher | Promise<Dispatcher>): void {
  describe(`${name}, fair between persons`, () => {
    it("runs another person's turn at once while one has more lanes than a process runs", async () => {
      const day = aBusyDay(await create());
      for (let index = 0; index < 600; index++) day.ask(`ana ${index}`, `ana ${index}`);
      await until(() => expect(day.begun).toHaveLength(8));
      await until(() => expect(day.isWaiting('ana 599')).toBe(true));

      day.ask('ben', 'ben', BEN);
      await until(() => expect(day.begun).toContain('ben'));

      expect(day.begun).toHaveLength(9);
      day.end();
    });
  });
}
