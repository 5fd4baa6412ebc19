// What is done to all rows that a filter leaves: edits for each, and one plan.
import { beforeEach, describe, expect, it } from 'vitest';
import { LIMIT_ALL_FORM, registerListActions } from '../../../src/governance/lists/list-actions.ts';
import { PLAN_FORM } from '../../../src/governance/run/plan-form.ts';
import { type Edit, setEdit } from '../../../src/policy/edit.ts';
import { anAgent, anEnvironment, CURRENCY } from '../samples.ts';
import { REASON, textOf } from '../world.ts';
import { aListWorld, type ListWorld } from './list-world.ts';

let world: ListWorld;

beforeEach(() => {
  world = aListWorld();
  world.service.agents = [anAgent(), anAgent({ name: 'a2' }), anAgent({ name: 'a3', environmentId: undefined })];
  world.service.environments = [anEnvironment(), anEnvironment({ name: 'env-2', displayName: 'Lab' })];
});

const press = (actionId: string, subject: { query: string; className?: string }) =>
  world.listen(registerListActions).press(actionId, JSON.stringify({ page: 0, ...subject }));

/** Fills in the window that was opened. */
const limitAll = (limit: string) => world.submit(LIMIT_ALL_FORM, world.shown.at(-1), { limit, reason: REASON });

/** Confirms the plan that is shown, and returns its edits. */
async function confirm(): Promise<Edit[]> {
  await world.submit(PLAN_FORM, world.shown.at(-1), { reason: REASON });
  expect(world.confirmed).toHaveLength(1);
  return [...(world.confirmed[0]?.proposal.plan.edits ?? [])];
}

describe('one limit for all', () => {
  it('asks for the limit once, and shows one plan with an edit for each', async () => {
    await press('admin_agents_limit_all', { query: 'travel' });
    const window = textOf(world.shown.at(-1));
    await limitAll('2,000');

    expect(window).toContain('*2 agents* that fit “travel”');
    expect(await confirm()).toEqual(
      ['a1', 'a2'].map((agentId) => {
        const limit = { credits: 2_000, noticeAt: 80, stopAtLimit: false };
        return setEdit('limit', { environmentId: 'env-1', agentId, currency: CURRENCY }, limit);
      }),
    );
  });

  it('says at its field what is no limit', async () => {
    await press('admin_agents_limit_all', { query: 'travel' });

    expect(await limitAll('lots')).toEqual({ limit: expect.any(String) });
  });

  it('changes nothing where nothing fits any more', async () => {
    world.service.agents = [];
    await press('admin_agents_limit_all', { query: 'travel' });
    await press('admin_agents_stop_all', { query: 'travel' });
    await press('admin_environments_class_0', { query: 'nothing', className: 'maker' });

    expect(world.problems).toEqual(Array(3).fill('Nothing fits any more: nothing was changed.'));
    expect(world.shown).toEqual([]);
  });
});

it('a stop of all is one plan, of what was seen in the list', async () => {
  await world.read('agents', 'travel');
  world.service.agents = [];

  await press('admin_agents_stop_all', { query: 'travel' });

  expect(await confirm()).toEqual(
    ['a1', 'a2'].map((agentId) => setEdit('stop', { environmentId: 'env-1', agentId }, true)),
  );
});

it('a class for all goes on in the window of classes', async () => {
  await world.approve(setEdit('standard', { className: 'maker' }, { credits: {} }));

  await press('admin_environments_class_0', { query: 'class:none', className: 'maker' });

  const window = textOf(world.shown.at(-1));
  expect(window).toContain('*Contoso Production* (no class), *Lab* (no class)');
  expect(window).toContain('"initial_option":{"text":{"type":"plain_text","text":"maker"');
});
