import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KnownLimit } from '../../../src/governance/inventory/agent-limit.ts';
import { needsStopDecision, planLimit } from '../../../src/governance/limits/limit-plan.ts';
import { AGENT, aDeployedLimit, aLastSetLimit, aPlan, aWantedLimit, NOW } from '../shell/samples.ts';

const UNKNOWN: KnownLimit = { source: 'unknown' };
const NONE: KnownLimit = { source: 'none', readAt: NOW };

const codes = (plan: { warnings: { code: string }[] }) => plan.warnings.map(({ code }) => code);

describe('what is sent', () => {
  it('is the complete threshold', () => {
    const plan = aPlan(aDeployedLimit(), { limit: 5, notify: false, notificationThreshold: 50, stopWhenReached: true });

    expect(plan.change).toEqual({
      environmentId: 'env-1',
      agentResourceId: 'bot-1',
      limit: 5,
      notifyIfOverCapacity: false,
      notificationThreshold: 50,
      stopIfOverCapacity: true,
      stopResource: false,
    });
  });

  it('keeps a stopped agent stopped while its limit is raised', () => {
    const plan = aPlan(aDeployedLimit({ stopped: true }), { limit: 9000 }, 'keep_stopped');

    expect(plan.change.stopResource).toBe(true);
    expect(codes(plan)).toContain('stays_stopped');
  });

  it('lets a stopped agent run again only where the admin says so, with a warning', () => {
    const plan = aPlan(aDeployedLimit({ stopped: true }), {}, 'not_stopped');

    expect(plan.change.stopResource).toBe(false);
    expect(codes(plan)).toContain('runs_again');
    expect(plan.loosens).toBe(true);
  });

  it('does not stop a running agent, whatever an old form says', () => {
    const plan = aPlan(aDeployedLimit({ stopped: false }), {}, 'keep_stopped');

    expect(plan.change.stopResource).toBe(false);
  });

  it.each<[string, KnownLimit, true | 'unknown']>([
    ['it is stopped', aDeployedLimit({ stopped: true }), true],
    ['the deployment does not tell', aDeployedLimit({ stopped: 'unknown' }), 'unknown'],
    ['a value was last set from here', aLastSetLimit({ stopped: false }), 'unknown'],
    ['nothing is known', UNKNOWN, 'unknown'],
    ['only that it is stopped is told', { source: 'unknown', stopped: true }, true],
  ])('is not planned without a decision where %s', (_, before, stopped) => {
    const result = planLimit({ agent: AGENT, before, wanted: aWantedLimit() });

    expect(result).toEqual({ kind: 'needs_stop_decision', stopped });
  });

  it('needs no decision where the service lists no threshold of the agent: to stop it would have set one', () => {
    const plan = aPlan(NONE);

    expect(plan.change.stopResource).toBe(false);
    expect(codes(plan)).toEqual([]);
    expect(needsStopDecision(NONE)).toBe(false);
  });

  it('is never stopResource false for an agent that may be stopped, unless somebody decided so', () => {
    const known = fc.constantFrom(
      ...[true, false, 'unknown' as const].flatMap((stopped) => [
        aDeployedLimit({ stopped }),
        aLastSetLimit({ stopped }),
      ]),
      UNKNOWN,
      { source: 'unknown' as const, stopped: true },
    );
    const decision = fc.constantFrom('keep_stopped' as const, 'not_stopped' as const, undefined);
    fc.assert(
      fc.property(known, decision, fc.nat(), (before, stopDecision, limit) => {
        const result = planLimit({ agent: AGENT, before, wanted: aWantedLimit({ limit }), stopDecision });
        if (result.kind !== 'planned') return stopDecision === undefined;
        const isKnownToRun = before.source === 'deployment' && before.limit.stopped === false;
        return result.plan.change.stopResource || isKnownToRun || stopDecision === 'not_stopped';
      }),
    );
  });
});

describe('what is shown', () => {
  it('is old → new, with thousands set apart', () => {
    const { rows } = aPlan(aDeployedLimit({ limit: 1000 }), { limit: 1_234_567 });

    expect(rows[0]).toEqual({
      label: 'Monthly limit',
      before: '1,000 credits',
      after: '1,234,567 credits',
      isChanged: true,
    });
    expect(rows.slice(1).map(({ isChanged }) => isChanged)).toEqual([false, false, false, false]);
  });

  it('is unknown where nothing is known, and none where there is none', () => {
    const unknown = aPlan(UNKNOWN, {}, 'not_stopped').rows.map(({ before }) => before);
    const none = aPlan(NONE, {}, 'not_stopped').rows.map(({ before }) => before);

    expect(unknown).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'unknown']);
    expect(none).toEqual(['none', 'none', 'none', 'none', 'no']);
  });

  it('says that the agent is stopped, where that alone is told', () => {
    const plan = aPlan({ source: 'unknown', stopped: true }, {}, 'not_stopped');

    expect(plan.rows.map(({ before }) => before)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'yes']);
    expect(codes(plan)).toContain('runs_again');
  });

  it('never takes "not stopped" from what was last set from here', () => {
    const { rows } = aPlan(aLastSetLimit({ stopped: false }), {}, 'not_stopped');

    expect(rows.at(-1)).toEqual({ label: 'Stopped', before: 'unknown', after: 'no', isChanged: true });
  });
});

describe('what is warned of', () => {
  it.each<[string, KnownLimit, Parameters<typeof aWantedLimit>[0], string]>([
    ['stopping when reached', aDeployedLimit(), { stopWhenReached: true }, 'stops_when_reached'],
    ['a limit that is reached already', aDeployedLimit({}, 1500), { limit: 1200 }, 'below_consumption'],
    ['a stop at once', aDeployedLimit({}, 1500), { limit: 1500, stopWhenReached: true }, 'stops_at_once'],
    ['a stop at once by a limit of 0', aDeployedLimit(), { limit: 0, stopWhenReached: true }, 'stops_at_once'],
    ['no stop any more', aDeployedLimit({ stopWhenReached: true }), { stopWhenReached: false }, 'no_longer_stops'],
    ['no limit any more', aDeployedLimit(), { limit: 0, notify: false, stopWhenReached: false }, 'taken_away'],
    ['raising', aDeployedLimit({ limit: 1 }), { limit: 2 }, 'raises'],
    ['lowering', aDeployedLimit({ limit: 2 }), { limit: 1 }, 'lowers'],
    ['replacing what is unknown', UNKNOWN, {}, 'replaces_unknown'],
    ['running again perhaps', UNKNOWN, {}, 'runs_again_if_stopped'],
  ])('is %s', (_, before, wanted, code) => {
    expect(codes(aPlan(before, wanted, 'not_stopped'))).toContain(code);
  });

  it('is stopping at once an agent that is wrongly taken for stopped', () => {
    expect(codes(aPlan(UNKNOWN, {}, 'keep_stopped'))).toContain('stops_if_running');
  });

  it('is not going on of an agent that stays stopped', () => {
    const before = aDeployedLimit({ stopped: true, stopWhenReached: true });

    expect(codes(aPlan(before, { stopWhenReached: false }, 'keep_stopped'))).not.toContain('no_longer_stops');
    expect(codes(aPlan(before, { limit: 0, notify: false, stopWhenReached: false }, 'keep_stopped'))).toEqual([
      'stays_stopped',
    ]);
  });

  it('is nothing where nothing changes', () => {
    expect(aPlan(aDeployedLimit({ limit: 2000 })).warnings).toEqual([]);
  });
});

describe('loosening', () => {
  it.each<[string, KnownLimit, Parameters<typeof aWantedLimit>[0], boolean | 'unknown']>([
    ['a higher limit', aDeployedLimit({ limit: 1 }), { limit: 2 }, true],
    ['no stop any more', aDeployedLimit({ limit: 2, stopWhenReached: true }), { limit: 1 }, true],
    ['a lower limit', aDeployedLimit({ limit: 2 }), { limit: 1 }, false],
    ['a first limit', NONE, {}, false],
    ['a first limit that nobody can read', { source: 'unknown', neverSet: true }, {}, false],
    ['a limit over an unknown one', UNKNOWN, {}, 'unknown'],
    ['running again over an unknown one', { source: 'unknown', stopped: true }, {}, true],
    ['a lower limit than the one last set from here', aLastSetLimit({ limit: 2 }), { limit: 1 }, false],
    ['a higher limit than the one last set from here', aLastSetLimit({ limit: 2 }), { limit: 3 }, true],
    ['no stop any more over the one last set from here', aLastSetLimit({ stopWhenReached: true }), {}, true],
    ['running again what was stopped from here', aLastSetLimit({ limit: 2, stopped: true }), { limit: 1 }, true],
  ])('of %s is told', (_, before, wanted, loosens) => {
    expect(aPlan(before, wanted, 'not_stopped').loosens).toBe(loosens);
  });

  it('of a lower limit for an agent that stays stopped is none', () => {
    expect(aPlan(aDeployedLimit({ limit: 5000, stopped: true }), {}, 'keep_stopped').loosens).toBe(false);
  });
});
