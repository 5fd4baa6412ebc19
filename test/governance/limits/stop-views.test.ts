import { describe, expect, it } from 'vitest';
import { buildApplyingModal, buildChangeOutcome } from '../../../src/governance/changes/change-views.ts';
import type { KnownLimit } from '../../../src/governance/inventory/agent-limit.ts';
import { parseAgentValue, parseLimitFormState } from '../../../src/governance/limits/limit-form-views.ts';
import { buildStopForm, listStopButtons } from '../../../src/governance/limits/stop-form-views.ts';
import { STOP_KIND } from '../../../src/governance/limits/stop-kind.ts';
import { planStop, suggestSentLimit } from '../../../src/governance/limits/stop-plan.ts';
import { AGENT, aDeployedLimit, aLastSetLimit, NOW } from '../shell/samples.ts';
import { readTexts } from './limit-samples.ts';

const ZONE = { timeZone: 'Europe/Berlin' };

function aStop(stopped: boolean) {
  const before = aDeployedLimit({ stopped: !stopped });
  const plan = planStop({ agent: AGENT, before, limit: suggestSentLimit(before), stopped });
  return { kind: 'stop', plan } as const;
}

describe('the buttons beside an agent', () => {
  it.each<[string, KnownLimit, string[]]>([
    ['runs', aDeployedLimit(), ['Stop now…']],
    ['is stopped', aDeployedLimit({ stopped: true }), ['Run again…']],
    ['may be stopped', { source: 'unknown' }, ['Stop now…']],
    ['has no limit', { source: 'none', readAt: NOW }, ['Stop now…']],
    ['was stopped from here', aLastSetLimit({ stopped: true }), ['Run again…', 'Stop now…']],
    ['is stopped by another limit', { ...aDeployedLimit(), stoppedIn: [{}] }, ['Run again…', 'Stop now…']],
  ])('are for what can be done: the agent %s', (_, known, labels) => {
    const buttons = listStopButtons(AGENT, known);

    expect(buttons.map(({ text }) => text.text)).toEqual(labels);
    expect(buttons.map(({ value }) => parseAgentValue(value ?? ''))).toEqual(labels.map(() => AGENT));
  });
});

it('a stop is by the usual limit, and running again by the one that is shown', () => {
  const agent = { ...AGENT, currencyType: 'AI' };
  const known: KnownLimit = { ...aDeployedLimit(), stoppedIn: [{}] };

  const [run, stop] = listStopButtons(agent, known).map(({ value }) => parseAgentValue(value ?? ''));

  expect(run).toEqual(agent);
  expect(stop).toEqual(AGENT);
});

describe('the form of a stop', () => {
  it('carries the agent and what was known of it', () => {
    const known: KnownLimit = { source: 'unknown' };

    const view = buildStopForm({ agent: AGENT, known, replyTo: 'D1' }, { ...ZONE, stopped: true });

    expect(parseLimitFormState(view.private_metadata ?? '')).toMatchObject({ agent: AGENT, known, replyTo: 'D1' });
  });
});

describe('how it ended', () => {
  it.each([
    [true, 'Stopping *Invoice Reader* in Production…'],
    [false, 'Letting *Invoice Reader* in Production run again…'],
  ])('is announced in the words of what is done (stop: %s)', (stopped, words) => {
    expect(readTexts(buildApplyingModal(STOP_KIND, aStop(stopped)))).toContain(words);
  });

  it.each([
    [true, { kind: 'verified' }, '*Invoice Reader* in Production is stopped, and was read back.'],
    [true, { kind: 'applied_not_verified', reason: 'not_offered' }, 'does not show whether agents are stopped'],
    [true, { kind: 'applied_not_verified', reason: 'no_answer' }, 'may or may not be stopped.'],
    [true, { kind: 'failed', failure: { code: 'x', sentence: 'Why.' } }, 'was not stopped.'],
    [false, { kind: 'verified' }, '*Invoice Reader* in Production may run again, and was read back.'],
    [
      false,
      { kind: 'applied_not_verified', reason: 'error_answer' },
      'The service answered with an error that does not say',
    ],
    [false, { kind: 'failed', failure: { code: 'x', sentence: 'Why.' } }, 'nothing was changed.'],
  ] as const)('is told in the words of what was done (stop: %s, %j)', (stopped, outcome, words) => {
    expect(readTexts(buildChangeOutcome(STOP_KIND, aStop(stopped), outcome, ZONE))).toContain(words);
  });
});
