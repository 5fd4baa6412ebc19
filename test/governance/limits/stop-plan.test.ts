import { describe, expect, it } from 'vitest';
import { needsSecondApprover } from '../../../src/governance/changes/change.ts';
import type { KnownLimit } from '../../../src/governance/inventory/agent-limit.ts';
import { needsStopDecision } from '../../../src/governance/limits/limit-plan.ts';
import { STOP_KIND } from '../../../src/governance/limits/stop-kind.ts';
import { planStop, readSentLimit, suggestSentLimit } from '../../../src/governance/limits/stop-plan.ts';
import { AGENT, aDeployedLimit, aLastSetLimit, aPlan, NOW } from '../shell/samples.ts';

const UNKNOWN: KnownLimit = { source: 'unknown' };
const ODD = { limit: 3e9, notify: false, notificationThreshold: 0, stopWhenReached: true };

function plan(before: KnownLimit, stopped: boolean, limit = readSentLimit(before)) {
  return planStop({ agent: AGENT, before, limit: limit ?? suggestSentLimit(before), stopped });
}

describe('the plan of a stop', () => {
  it('sends the complete threshold, whose limit is as it is', () => {
    const { change, rows } = plan(aDeployedLimit(ODD), true);

    expect(change).toEqual({
      environmentId: 'env-1',
      agentResourceId: 'bot-1',
      stopResource: true,
      limit: 3e9,
      stopIfOverCapacity: true,
      notifyIfOverCapacity: false,
      notificationThreshold: 0,
    });
    expect(rows.filter(({ isChanged }) => isChanged)).toEqual([
      { label: 'Stopped', before: 'no', after: 'yes', isChanged: true },
    ]);
    expect(rows[0]?.label).toBe('Stopped');
  });

  it.each<[string, KnownLimit]>([
    ['is read', aDeployedLimit()],
    ['was set from here', aLastSetLimit()],
    ['is none', { source: 'none', readAt: NOW }],
    ['is unknown', UNKNOWN],
  ])('needs no second approver, and running again does, where the limit %s', (_, before) => {
    expect(plan(before, true)).toMatchObject({ loosens: false, changes: true, after: { stopped: true } });
    expect(plan(before, false)).toMatchObject({ loosens: true, change: { stopResource: false } });
  });

  it.each<[string, KnownLimit]>([
    ['had none', { source: 'none', readAt: NOW }],
    ['got none with an earlier stop', aDeployedLimit({ ...suggestSentLimit(UNKNOWN), stopped: false })],
  ])('shows that an agent has no limit, and gets none: it %s', (_, before) => {
    expect(plan(before, true).rows).toEqual([
      { label: 'Stopped', before: 'no', after: 'yes', isChanged: true },
      { label: 'Monthly limit', before: 'none', after: 'none', isChanged: false },
    ]);
  });

  it.each<[string, KnownLimit, string]>([
    ['none', { source: 'none', readAt: NOW }, '0 credits go along, which neither notify nor stop'],
    ['the one last set from here', aLastSetLimit(), 'the one last set from here goes along'],
    ['unknown', UNKNOWN, 'is replaced by these values'],
  ])('says which limit goes along: %s', (_, before, words) => {
    const { warnings } = plan(before, true);

    expect(warnings.map(({ text }) => text).join()).toContain(words);
  });

  it('says that an agent stops again whose limit is reached', () => {
    const { warnings } = plan(aDeployedLimit({ stopped: true, stopWhenReached: true }, 1_200), false);

    expect(warnings.map(({ code }) => code)).toEqual(['runs_again', 'stops_at_once']);
  });
});

describe('what a stop leaves behind where there was no limit', () => {
  const { after } = plan({ source: 'none', readAt: NOW }, true);
  const left = aDeployedLimit(after);

  it('lets the agent run again only as loosening', () => {
    expect(plan(left, false)).toMatchObject({ loosens: true });
  });

  it('is no limit: the first real one is not a raise, and needs no second approver', () => {
    const first = aPlan(left, { limit: 500 }, 'keep_stopped');
    const released = aPlan(aDeployedLimit({ ...after, stopped: false }), { limit: 500, stopWhenReached: true });

    for (const one of [first, released]) {
      expect(one.loosens).toBe(false);
      expect(needsSecondApprover(one, { needsApproval: true })).toBe(false);
      expect(one.warnings.map(({ code }) => code)).not.toContain('raises');
    }
  });

  it('needs one together with running again', () => {
    const together = aPlan(left, { limit: 500 }, 'not_stopped');

    expect(needsSecondApprover(together, { needsApproval: true })).toBe(true);
  });

  it('is no way around the second approver: to go back to it takes a limit away', () => {
    const away = aPlan(aDeployedLimit({ limit: 100 }), { limit: 0, notify: false, stopWhenReached: false });

    expect(needsSecondApprover(away, { needsApproval: true })).toBe(true);
  });

  it('is not what an admin set to 0 to stop or to be told', () => {
    for (const real of [{ stopWhenReached: true }, { notify: true }]) {
      const known = aDeployedLimit({ limit: 0, notify: false, stopWhenReached: false, ...real });

      expect(aPlan(known, { limit: 500, stopWhenReached: true }).loosens).toBe(true);
    }
  });
});

describe('running again where another currency stops the agent as well', () => {
  const before: KnownLimit = { ...aDeployedLimit({ stopped: true }), stoppedIn: [{ currencyType: 'A<I' }] };
  const change = { kind: 'stop', plan: plan(before, false) } as const;

  it('does not promise that it runs', () => {
    const words = STOP_KIND.toWords?.(change);

    expect(change.plan.warnings.map(({ code }) => code)).toEqual(['stopped_elsewhere']);
    expect(words?.done).toContain('this limit no longer stops *Invoice Reader*');
    expect(words?.done).toContain('but its limit in A&lt;I still stops it');
    expect(words?.taken).toContain('still stops it');
    expect(change.plan.rows[0]).toMatchObject({ label: 'Stopped by this limit', before: 'yes', after: 'no' });
  });

  it('counts as loosening in a limit, too, which can keep it stopped', () => {
    const elsewhere: KnownLimit = { source: 'none', readAt: NOW, stoppedIn: [{}] };

    expect(needsStopDecision(elsewhere)).toBe(true);
    expect(aPlan(elsewhere, {}, 'keep_stopped')).toMatchObject({ loosens: false, change: { stopResource: true } });
    expect(aPlan(elsewhere, {}, 'not_stopped')).toMatchObject({ loosens: true, change: { stopResource: false } });
  });
});

describe('the limit to send along', () => {
  it('is not made up where there may be one that nobody here knows', () => {
    expect(readSentLimit(UNKNOWN)).toBeUndefined();
  });

  it('begins with what the service told of it', () => {
    const told = { limit: 82.5, notify: 'unknown', notificationThreshold: 12.5, stopWhenReached: true } as const;

    expect(suggestSentLimit({ source: 'unknown', told })).toEqual({
      limit: 82.5,
      notify: false,
      notificationThreshold: 12.5,
      stopWhenReached: true,
    });
    expect(suggestSentLimit(UNKNOWN)).toMatchObject({ limit: 0, notify: false, stopWhenReached: false });
  });
});
