// AUDIT_USERS read and change nothing: everything that is registered is tried as one of them.
import type { App } from '@slack/bolt';
import { beforeAll, describe, expect, it } from 'vitest';
import { createExpiring } from '../../../src/backend/expiring.ts';
import { registerAdminListeners } from '../../../src/governance/admin-listeners.ts';
import { COMMAND_WORDS } from '../../../src/governance/commands/admin-command.ts';
import type { GovernanceServices } from '../../../src/governance/services.ts';
import { type AdminLookups, parseAdminRules } from '../../../src/governance/shell/admin-rules.ts';
import { createWaitingCommands } from '../../../src/governance/shell/waiting-commands.ts';
import { createModel } from '../../storage/kernel-model.ts';
import { aListWorld } from '../lists/list-world.ts';
import { aLog } from '../lists/log-entries.ts';

type Registered = {
  kind: 'command' | 'action' | 'view' | 'options';
  id: string | RegExp;
  listener: (args: object) => Promise<void>;
};

/** What an auditor may do, and nothing else: a new one is added here on purpose. */
const OPEN_ACTIONS = [
  'admin_agents_export_csv',
  'admin_environments_export_csv',
  'admin_log_export_csv',
  '^admin_agents_(?:previous|next|newest|older)$',
  '^admin_environments_(?:previous|next|newest|older)$',
  '^admin_log_(?:previous|next|newest|older)$',
  '^review_page:',
  'review_csv',
  'review_open',
  'run_results_export_csv',
];

const OPEN_COMMANDS = ['agents', 'environments', 'review', 'policy', 'log', 'sign-in', 'help'];

const REFUSED = 'As an auditor you may read';
const ONLY_ADMINISTRATORS = 'Only administrators of this app';

let registered: Registered[];
let said: string[];
let writes: string[];
let running: Promise<unknown>[];

beforeAll(() => {
  [registered, said, writes, running] = [[], [], [], []];
  const register = (kind: Registered['kind']) => (given: unknown, listener: Registered['listener']) => {
    const { action_id, callback_id } = given as { action_id?: string | RegExp; callback_id?: string };
    registered.push({ kind, id: action_id ?? callback_id ?? String(given), listener });
  };
  const app = {
    command: register('command'),
    action: register('action'),
    view: register('view'),
    options: register('options'),
  };
  registerAdminListeners(app as unknown as App, someServices());
});

/** Whatever writes is noted, and everything that is read is empty. */
function someServices(): GovernanceServices {
  const world = aListWorld();
  const kernel = createModel(() => 0);
  const once = createExpiring(kernel);
  const note =
    (name: string) =>
    async (...args: unknown[]) => {
      const what = (args[0] as { what?: string } | undefined)?.what;
      if (what !== 'review_run') writes.push(name);
    };
  const keep = async (content: { text: string }) => said.push(content.text) > 0;
  return {
    ...world.services,
    ...{ rules: parseAdminRules('U0KIM,S0ADMINS').rules, auditors: parseAdminRules('U0ANA').rules },
    lookups: {
      // Lee was just removed from the group.
      groupMembers: async (_, __, how) => (how?.isFresh ? [] : ['U0LEE']),
      isWorkspaceAdmin: async () => false,
    } satisfies AdminLookups,
    allowance: { spend: async () => undefined },
    findInstallation: async () => ({ team: 'T1', workspace: 'T1', botToken: 'x' }),
    homeTeam: async () => 'T1',
    openSession: async () => ({ ...world.session, putThreshold: note('put'), updateAllocation: note('patch') }),
    adminAccount: async () => ({ isSignedIn: true, name: 'Ana', account: 'ana' }),
    clicks: {
      say: (_: object, content: { text: string }) => keep(content),
      replace: (_: object, content: { text: string }) => keep(content),
    },
    call: async (_method: string, _token: string, args: object) => {
      said.push(JSON.stringify(args));
      return { view: { id: 'V1' } };
    },
    inBackground: (work: () => Promise<void>) => void running.push(work()),
    waiting: createWaitingCommands({ once, exclusively: (_key, run) => run(), now: () => 0 }),
    audit: { ...aLog([]), append: note('audit') },
    engine: { propose: note('propose'), proposeItems: note('propose'), confirm: note('confirm') },
    policy: { ...world.services.policy, replace: note('policy') },
    approvals: aStore('approvals', note),
    runs: aStore('runs', note),
    ...{ policyChanged: note('policy'), wakeRuns: note('runs') },
    ...{
      once,
      known: { read: async () => undefined, rememberAgents: async () => {}, rememberEnvironments: async () => {} },
    },
    inventories: { toSession: (session: object) => session, get: async () => ({ candidates: [], truncated: false }) },
    channels: { directMessage: async () => 'D1', look: async () => ({}) },
    messenger: {
      post: async (_: object, content: { text: string }) => ((await keep(content)) ? '1.0' : ''),
      update: async () => undefined,
    },
    sendFile: async () => undefined,
    timeZone: async () => 'utc',
    createId: () => 'a1b2c3d4e5f6',
    exclusively: <T>(_key: string, run: () => Promise<T>) => run(),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    limitStaleMs: 1,
    configuredSettings: {},
    needsApproval: false,
  } as unknown as GovernanceServices;
}

/** That it is read is no write. */
function aStore(name: string, note: (name: string) => () => Promise<void>): object {
  const isRead = (method: PropertyKey) => /^(?:get|content|records|listOpen)$/.test(String(method));
  return new Proxy(
    {},
    { get: (_, method) => (isRead(method) ? async () => undefined : note(`${name}.${String(method)}`)) },
  );
}

/** As Slack sends it, of somebody. */
async function send({ kind, id, listener }: Registered, user: string, value: string, text = ''): Promise<string> {
  said.length = 0;
  const actionId = typeof id === 'string' ? id : toExample(id);
  const body = {
    ...{ team: { id: 'T1' }, user: { id: user }, team_id: 'T1', user_id: user, trigger_id: '1', channel: { id: 'C1' } },
    ...{ text, channel_id: 'C1', command: '/assistant-admin', response_url: 'https://hooks.example', value },
    ...(kind !== 'command' && { actions: [{ type: 'button', action_id: actionId, value }] }),
    ...(kind === 'options' && { view: { id: 'V1', private_metadata: '' } }),
  };
  const answers: unknown[] = [];
  const ack = async (answer: unknown) => void answers.push(answer);
  await listener({ ack, body, command: body, view: { id: 'V1', private_metadata: value, state: { values: {} } } });
  while (running.length > 0) await running.shift();
  return JSON.stringify([...said, ...answers]);
}

/** What a pattern of ours matches: it has no more than choices, digits and words. */
function toExample(pattern: RegExp): string {
  return pattern.source
    .replace(/^\^|\$$/g, '')
    .replace(/\(\?:([^|)]*)[^)]*\)\??/g, '$1')
    .replace(/\\d\+?/g, '1')
    .replace(/\\w\+?/g, 'x');
}

const VALUES = ['x', JSON.stringify({ query: '', page: 0 })];

describe('an auditor', () => {
  it('presses nothing and sends nothing that changes anything', async () => {
    const open: string[] = [];
    for (const one of registered.filter(({ kind, id }) => kind !== 'command' && !String(id).includes('admin_go_on'))) {
      const answers = await Promise.all(VALUES.map(async (value) => send(one, 'U0ANA', value)));
      if (one.kind === 'options') continue;
      if (!answers.every((answer) => answer.includes(REFUSED)))
        open.push(typeof one.id === 'string' ? one.id : one.id.source);
    }

    expect(registered.length).toBeGreaterThan(25);
    expect(open.toSorted()).toEqual(OPEN_ACTIONS.toSorted());
    expect(writes).toEqual([]);
  });

  it('gives the commands that read', async () => {
    const command = registered.find(({ kind }) => kind === 'command') as Registered;
    const again = registered.find(({ id }) => String(id).includes('admin_go_on')) as Registered;
    const open: string[] = [];
    for (const word of [...COMMAND_WORDS, 'help']) {
      const text = word === 'rules' ? word : `${word} travel`;
      const typed = await send(command, 'U0ANA', '', text);
      const pressed = await send(again, 'U0ANA', text);
      if (!typed.includes(REFUSED) && !pressed.includes(REFUSED)) open.push(word);
    }

    expect(open.toSorted()).toEqual(OPEN_COMMANDS.toSorted());
    expect(writes).toEqual([]);
  });

  it('gives no other form of a command that changes something', async () => {
    const command = registered.find(({ kind }) => kind === 'command') as Registered;
    for (const text of ['policy import', 'policy import all', 'policy ending', 'rules csv', 'stop env:x', 'limit']) {
      await send(command, 'U0ANA', '', text);
    }

    expect(writes).toEqual([]);
  });
});

describe('who is no administrator', () => {
  it('presses nothing and sends nothing: a click or a form may be forged', async () => {
    const open: string[] = [];
    const offered = registered.filter(({ kind }) => kind !== 'options');
    for (const one of offered) {
      if (!(await send(one, 'U0BEN', 'x')).includes(ONLY_ADMINISTRATORS)) open.push(String(one.id));
    }

    expect(open).toEqual([]);
    expect(writes).toEqual([]);
  });

  it('approves, stops and submits nothing, who was just removed from the group', async () => {
    const open: string[] = [];
    const decides = /^(?:approval_approve|run_stop_rest)$/;
    for (const one of registered.filter(({ kind, id }) => kind === 'view' || decides.test(String(id)))) {
      if (!(await send(one, 'U0LEE', 'x')).includes(ONLY_ADMINISTRATORS)) open.push(String(one.id));
    }

    // It only leads to the window of a command, which asks again.
    expect(open).toEqual(['form_search']);
  });
});
