// Killed at every step: the store and the service may each have got the last call or not. Another process goes on.
import { describe, expect, it } from 'vitest';
import { type Edit, setEdit } from '../../../src/policy/edit.ts';
import {
  CURRENCY,
  INVOICES,
  type Kill,
  limitOf,
  MAKERS,
  PRODUCTION,
  startWorld,
  TRAVEL,
  type World,
  writesOf,
} from './run-world.ts';

/** Two minutes is the most that anything may be in doubt. */
const LATER_MS = 60_000;

/** They mostly wait. */
const AT_ONCE = 16;

type Case = { edits: Edit[]; check(world: World): void; mayRepeat: boolean; thresholdList: boolean };

const CASES: Record<string, Case> = {
  'two limits and the credits of an environment': {
    edits: [
      ...[limitOf(TRAVEL), limitOf(INVOICES)],
      setEdit('credits', { environmentId: PRODUCTION, currency: CURRENCY }, { allocated: 30_000, rules: {} }),
    ],
    check(world) {
      expect(['bot-1', 'bot-2'].map((bot) => world.thresholdOf(bot)?.limit)).toEqual([2_000, 2_000]);
      expect(world.admin.state.allocations.get(PRODUCTION)?.currencyAllocations[0]?.allocated).toBe(30_000);
    },
    mayRepeat: false,
    thresholdList: true,
  },
  'the stop of an environment, where the service shows no limits': {
    edits: [setEdit('stop', { environmentId: MAKERS }, true)],
    check(world) {
      const bots = ['bot-1', 'bot-4', 'bot-5'];
      expect(bots.filter((bot) => world.thresholdOf(bot, MAKERS)?.stopResource)).toEqual(bots);
    },
    mayRepeat: true,
    thresholdList: false,
  },
};

describe.each(Object.entries(CASES))('%s', (_, { edits, check, mayRepeat, thresholdList }) => {
  async function run(at: number): Promise<Kill> {
    const world = await startWorld({ thresholdList });
    try {
      await world.start().session.findAgents();
      const kill: Kill = { at: Number.POSITIVE_INFINITY, calls: [], isDead: false };
      const doomed = world.start({ kill });
      const proposal = await doomed.propose(edits);
      kill.at = kill.calls.length + at;
      await doomed.confirm(proposal).catch(() => undefined);
      await doomed.settle();
      world.later += LATER_MS;
      const next = world.start();
      for (let looks = 0; looks < 3 && (await next.services.runs.listOpen()).length > 0; looks += 1) {
        await next.runLane();
        world.later += LATER_MS;
      }

      const { policy } = await next.services.policy.read();
      const log = await next.log();
      const count = (what: string) => log.filter((entry) => entry.what === what).length;
      expect(await next.services.runs.listOpen()).toEqual([]);
      if (policy.revision === 0) {
        expect([writesOf(world), log]).toEqual([[], []]);
      } else {
        check(world);
        expect(count('plan_confirmed')).toBe(1);
        expect(count('policy_set')).toBe(edits.length);
        expect(count('item_ended')).toBe(proposal.plan.items.length);
        if (!mayRepeat) expect(writesOf(world).length).toBe(proposal.plan.items.length);
        const kinds = log.flatMap(({ what, outcome }) => (what === 'item_ended' ? outcome.kind : []));
        expect(new Set(kinds)).toEqual(new Set([thresholdList ? 'verified' : 'sent_not_shown']));
        expect(world.said.length).toBeGreaterThan(0);
      }
      return kill;
    } finally {
      await world.close();
    }
  }

  it('ends as approved, once, and says so', async () => {
    const { calls } = await run(Number.POSITIVE_INFINITY);
    const steps = calls.map((_call, index) => index + 1);
    for (let from = 0; from < steps.length; from += AT_ONCE) {
      await Promise.all(
        steps.slice(from, from + AT_ONCE).map((at) =>
          run(at).catch((error: unknown) => {
            throw new Error(`killed at step ${at}`, { cause: error });
          }),
        ),
      );
    }
  });
});
