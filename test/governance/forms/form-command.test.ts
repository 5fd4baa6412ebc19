// What the forms listen to: buttons, menus, and what is typed into the search.
import { describe, expect, it } from 'vitest';
import { AdminRefusedError } from '../../../src/admin-api/admin-errors.ts';
import { registerFormCommands } from '../../../src/governance/forms/form-command.ts';
import {
  encodeAgent,
  encodeEnvironment,
  FORM_ACTIONS,
  parseAgent,
} from '../../../src/governance/forms/target-buttons.ts';
import { registerListActions } from '../../../src/governance/lists/list-actions.ts';
import { registerForms } from '../../../src/governance/run/kept-form.ts';
import { PLAN_FORM } from '../../../src/governance/run/plan-form.ts';
import { registerRuns } from '../../../src/governance/run/run-action.ts';
import { aCurrency, anAgent, aThreshold } from '../samples.ts';
import { aWorld, initialOf, type World } from '../world.ts';

function listen(world: World) {
  const desk = world.listen(registerFormCommands);
  return {
    suggest: (value: string) => desk.suggest('form_search_pick', { view: world.shown.at(-1), value }, world.opened),
    isCounted: (actionId: string) => desk.checkOf(actionId)?.isCounted,
    press: async (actionId: string, value: string | undefined) => {
      await desk.press(actionId, value ?? '');
      return world.shown.at(-1);
    },
    choose: (actionId: string, value: string) => desk.press(actionId, value, { body: { view: world.shown.at(-1) } }),
  };
}

const AGENT = {
  ...{ environmentId: 'env-1', agentId: 'a1', resourceId: 'a1', name: 'Travel Planner', environmentName: undefined },
  ...{ ownerId: undefined, isHarness: false },
};

describe('a button of a form', () => {
  it('opens it for what its value names', async () => {
    const world = aWorld();
    const { press, isCounted } = listen(world);

    const limit = await press(FORM_ACTIONS.limit, encodeAgent({ ...AGENT, typed: '800' }));
    const stop = await press(FORM_ACTIONS.stop, encodeAgent(AGENT));
    world.service.thresholds = [aThreshold({ stopResource: true })];
    const run = await press(FORM_ACTIONS.run, encodeAgent(AGENT));
    const all = await press(FORM_ACTIONS.stop, encodeEnvironment({ environmentId: 'env-1', name: 'Burning' }));
    const credits = await press(FORM_ACTIONS.credits, encodeEnvironment({ environmentId: 'env-1', name: 'Burning' }));

    const buttons = [limit, stop, run, all, credits].map((view) => view?.submit?.text);
    expect(buttons).toEqual(['Set limit', 'Stop', 'Run again', 'Stop 1', 'Set credits']);
    expect(initialOf(limit, 'limit')).toBe('800');
    // However many agents have to be stopped, each of them is.
    expect([isCounted(FORM_ACTIONS.stop), isCounted(FORM_ACTIONS.run)]).toEqual([false, undefined]);
    await Promise.all(world.background);
  });

  it.each(['', '{', '[]', '{"environmentId":"e"}', 'null'])('takes no other value: %s', (value) => {
    expect(parseAgent(value)).toBeUndefined();
  });

  it('carries names of any length and kind, and no ids that do not fit', () => {
    const value = encodeAgent({ ...AGENT, name: '"\\\u0000'.repeat(500), environmentName: '\ud800'.repeat(500) });

    expect(parseAgent(value ?? '')).toMatchObject({ agentId: 'a1' });
    expect(encodeAgent({ ...AGENT, agentId: 'x'.repeat(2_000) })).toBeUndefined();
  });
});

describe('a stop', () => {
  it.each([
    ['its search', 'form_search'],
    ['a button of an agent', 'form_stop'],
    ['its window', 'form_stop_now'],
    ['the button of a list', 'admin_agents_stop_all'],
    ['the plan', 'plan_confirm'],
    ['the rest of a run', 'run_stop_rest'],
  ])('is never counted, so that nobody waits with it: %s', (_, name) => {
    const desk = aWorld().listen((shell, services) => {
      registerFormCommands(shell, services);
      registerListActions(shell, services as never);
      registerRuns(shell, services);
      registerForms(shell, [PLAN_FORM], services);
    });

    expect(desk.checkOf(name)?.isCounted).toBe(false);
    expect(desk.checkOf('form_limit_set')?.isCounted).toBeUndefined();
  });
});

describe('the search', () => {
  it('offers a hundred at most of all that fit, and asks the service once, however much is typed', async () => {
    const world = aWorld();
    world.service.agents = Array.from({ length: 150 }, (_, nth) =>
      anAgent({ name: `a${nth}`, displayName: `Agent ${nth}` }),
    );
    const { suggest } = listen(world);

    await world.give('limit', '');
    const first = { label: expect.objectContaining({ text: 'The first 100 of 150: type more of the name' }) };
    expect(await suggest('')).toMatchObject({ option_groups: [{ ...first, options: { length: 100 } }] });
    expect(await suggest('agent 149')).toMatchObject({ options: [{ description: { text: 'a149' } }] });
    expect(await suggest('<!channel> nobody')).toEqual({ options: [] });
    await world.give('limit', '');

    expect(world.service.calls.filter((call) => call === 'agents')).toHaveLength(1);
  });

  it('ends with what the service said where it cannot be looked up, which the window then shows', async () => {
    const world = aWorld();
    const findAgents = () => Promise.reject(new AdminRefusedError('admin_forbidden', 'find agents'));
    Object.assign(world.session, { findAgents });

    await expect(world.give('limit', '')).rejects.toMatchObject({ code: 'admin_forbidden' });
  });
});

describe('the menu of currencies', () => {
  it.each([
    ['limit', 'form_limit_currency', 'limit:Images'],
    ['credits', 'form_credits_currency', 'allocated:Images'],
  ] as const)('makes the window of %s one of that currency', async (command, actionId, field) => {
    const world = aWorld();
    const images = aCurrency({ currencyType: 'Images', allocated: 7 });
    world.service.allocations.set('env-1', { environmentId: 'env-1', currencyAllocations: [aCurrency(), images] });
    const { choose } = listen(world);

    await world.give(command, 'contoso');
    await choose(actionId, 'Images');

    const view = world.shown.at(-1);
    expect(JSON.parse(view?.private_metadata ?? '{}')).toMatchObject({ replyTo: 'reply-to' });
    expect(view?.blocks.some(({ block_id }) => block_id === field)).toBe(true);
  });
});
