// What is done to all rows that a filter leaves: edits for each, and one plan.
import { beforeEach, describe, expect, it } from 'vitest';
import { LIMIT_ALL_FORM, registerListActions } from '../../../src/governance/lists/list-actions.ts';
import { applyEdits, type Edit, setEdit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY } from '../../../src/policy/policy.ts';
import { aDesk } from '../desk.ts';
import { anAgent, anEnvironment } from '../samples.ts';
import { aListWorld, CURRENCY, KIM, type ListWorld } from './list-world.ts';

let world: ListWorld;
let proposed: Edit[][];
let modals: object[];
let problems: string[];
/** The proposals that were kept for a plan window. */
let plans: unknown[];

const STANDARD = setEdit('standard', { className: 'maker' }, { credits: {} });
const POLICY = applyEdits(EMPTY_POLICY, [STANDARD], { by: 'U0KIM', reason: 'the first', at: 0 });

beforeEach(() => {
  world = aListWorld();
  world.agents = [anAgent(), anAgent({ name: 'a2' }), anAgent({ name: 'a3', environmentId: undefined })];
  world.environments = [anEnvironment(), anEnvironment({ name: 'env-2', displayName: 'Lab' })];
  [proposed, modals, problems, plans] = [[], [], [], []];
});

const modal = {
  show: async (view: object) => void modals.push(view),
  showProblem: async (sentence: string) => void problems.push(sentence),
  showFailure: async (error: unknown) => {
    throw error;
  },
};

function open() {
  const desk = aDesk();
  const kept = new Map<string, string>();
  const services = {
    ...world.services,
    lists: world.reader,
    inventories: { toSession: (session: object) => session },
    timeZone: async () => 'utc',
    once: {
      async put(key: string, text: string) {
        kept.set(key, text);
        if (key.startsWith('plan')) plans.push(JSON.parse(text));
      },
      peek: async (key: string) => kept.get(key),
    },
    policy: { read: async () => ({ policy: POLICY, version: 1 }) },
    engine: {
      async propose(edits: Edit[]) {
        proposed.push(edits);
        const plan = { id: 'a1b2c3d4e5f6', edits, items: [], leftOut: [] };
        return { plan, warnings: [], isGrave: false, typed: undefined, needsApprover: false };
      },
    },
  };
  registerListActions(desk.shell, services as never);
  const opened = { modal, openSession: async () => world.session, caller: KIM, replyTo: 'D1' };
  return {
    press: (actionId: string, subject: { query: string; className?: string }) =>
      desk.press(actionId, JSON.stringify({ page: 0, ...subject }), opened),
    /** Fills in the window that was opened. */
    send(credits: string) {
      const filled = { limit: credits, notice_at: '80', reason: 'Trial of the travel desk' };
      const values = Object.fromEntries(Object.entries(filled).map(([name, value]) => [name, { [name]: { value } }]));
      const { private_metadata } = modals[0] as { private_metadata: string };
      const view = { private_metadata, state: { values } };
      return desk.submit(LIMIT_ALL_FORM.callbackId, { ...opened, view, toPlace: () => ({ modal }) });
    },
  };
}

describe('one limit for all', () => {
  it('asks for the limit once, and shows one plan with an edit for each', async () => {
    const { press, send } = open();
    await press('admin_agents_limit_all', { query: 'travel' });
    await send('2,000');

    expect(JSON.stringify(modals[0])).toContain('*2 agents* that fit “travel”');
    expect(proposed[0]?.map(({ setting, target, change }) => [setting, target, change])).toEqual(
      ['a1', 'a2'].map((agentId) => [
        'limit',
        { environmentId: 'env-1', agentId, currency: CURRENCY },
        { kind: 'set', value: { credits: 2_000, noticeAt: 80, stopAtLimit: false }, until: undefined },
      ]),
    );
    expect(plans).toHaveLength(1);
  });

  it('says at its field what is no limit', async () => {
    const { press, send } = open();
    await press('admin_agents_limit_all', { query: 'travel' });

    expect(await send('lots')).toMatchObject({
      response_action: 'errors',
      errors: { limit: expect.any(String) },
    });
    expect(proposed).toEqual([]);
  });

  it('changes nothing where nothing fits any more', async () => {
    const { press } = open();
    world.agents = [];
    await press('admin_agents_limit_all', { query: 'travel' });
    await press('admin_agents_stop_all', { query: 'travel' });
    await press('admin_environments_class_0', { query: 'nothing', className: 'maker' });

    expect(problems).toEqual(Array(3).fill('Nothing fits any more: nothing was changed.'));
    expect(proposed).toEqual([]);
  });
});

it('a stop of all is one plan, of what was seen in the list', async () => {
  await world.read('agents', 'travel');
  world.agents = [];

  await open().press('admin_agents_stop_all', { query: 'travel' });

  expect(
    proposed[0]?.map(({ setting, target, change }) => [setting, target, 'value' in change && change.value]),
  ).toEqual([
    ['stop', { environmentId: 'env-1', agentId: 'a1' }, true],
    ['stop', { environmentId: 'env-1', agentId: 'a2' }, true],
  ]);
});

it('a class for all goes on in the window of classes', async () => {
  await open().press('admin_environments_class_0', { query: 'class:none', className: 'maker' });

  const window = JSON.stringify(modals.at(-1));
  expect(window).toContain('*Contoso Production* (no class), *Lab* (no class)');
  expect(window).toContain('"initial_option":{"text":{"type":"plain_text","text":"maker"');
});
