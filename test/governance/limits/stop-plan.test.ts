import { describe, expect, it } from 'vitest';
import type { KnownLimit } from '../../../src/governance/inventory/agent-limit.ts';
import { planStop, readSentLimit, suggestSentLimit } from '../../../src/governance/limits/stop-plan.ts';
import { AGENT, aDeployedLimit, aLastSetLimit, NOW } from '../shell/samples.ts';

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

  it.each<[string, KnownLimit, string]>([
    ['none', { source: 'none', readAt: NOW }, 'a limit of 0 credits goes along that neither notifies nor stops'],
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
