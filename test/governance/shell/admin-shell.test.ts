// Whatever Slack sends for administrators: who may not act is told so, and nothing else happens.
import type { App } from '@slack/bolt';
import sinon from 'sinon';
import { beforeEach, describe, expect, it } from 'vitest';
import { AdminRefusedError } from '../../../src/admin-api/admin-errors.ts';
import { createAdminShell, type ShellPorts } from '../../../src/governance/shell/admin-shell.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { createWaitingCommands } from '../../../src/governance/shell/waiting-commands.ts';
import { AccountNotLinkedError } from '../../../src/identity/identity-errors.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

const TOPIC = { id: 'x', title: 'X', loading: 'Looking…' };
const NOTHING = { options: [] };
const NOTE = { options: [{ text: { type: 'plain_text' as const, text: 'no' }, value: 'no' }] };

const BODY = {
  ...{ team: { id: 'T1' }, user: { id: 'U2' }, team_id: 'T1', user_id: 'U2', trigger_id: '1', text: 'agents' },
  ...{ actions: [{ type: 'button', value: 'v', text: { text: 'Press' } }], view: undefined },
};

type Listener = (args: object) => Promise<void>;

let listeners: Listener[];
let said: string[];
let shown: string[];
let opened: sinon.SinonSpy;
let running: Promise<void>[];
let account: () => Promise<{ isSignedIn: boolean } | undefined>;

beforeEach(() => {
  [listeners, said, shown, running] = [[], [], [], []];
  opened = sinon.spy(async () => ({}));
  account = async () => undefined;
});

/** `admins`: who may act, perhaps with their team; `workspace`: of the installation. What is registered is called as Slack would. */
function aShell(admins: string[], workspace = 'T1', waiting = aWaitingRoom(), groupMembers?: sinon.SinonSpy) {
  const register = (_: unknown, listener: Listener) => void listeners.push(listener);
  const app = { command: register, action: register, view: register, options: register } as unknown as App;
  const quiet = () => undefined;
  const ports = {
    rules: [
      ...admins.map((admin) => {
        const [user, team] = admin.split(':').reverse();
        return { kind: 'user', user, team };
      }),
      ...(groupMembers ? [{ kind: 'group', group: 'S1' }] : []),
    ],
    lookups: { groupMembers },
    auditors: [],
    homeTeam: async () => 'T1',
    allowance: { spend: async () => undefined },
    findInstallation: async () => ({ team: workspace, workspace, botToken: 'xoxb' }),
    openSession: (...person: unknown[]) => opened(...person),
    adminAccount: () => account(),
    call: async (_method: string, _token: string, args: object) => {
      shown.push(JSON.stringify(args));
      return { view: { id: 'V1' } };
    },
    clicks: { say: async (_: object, content: Content) => said.push(content.text) > 0 },
    inBackground: (work: () => Promise<void>) => void running.push(work()),
    waiting,
    log: { info: quiet, warn: quiet, error: quiet },
  } as unknown as ShellPorts;
  return createAdminShell(app, ports);
}

/** What replicas share. */
function aWaitingRoom(now = Date.now) {
  return createWaitingCommands({ once: createMemoryStore().once, exclusively: createExclusively(), now });
}

/** Resolves with what Slack got as the answer. */
async function send(extra: object = {}): Promise<unknown> {
  const ack = sinon.fake.resolves(undefined);
  await listeners[0]?.({ body: BODY, command: BODY, ack, ...extra });
  await Promise.all(running);
  return ack.args[0]?.[0];
}

const REFUSED = 'Only administrators of this app may use';

describe('a command given before the sign-in', () => {
  const KIM = { team: 'T1', user: 'U2' };
  const aDesk = () => ({
    waiting: aWaitingRoom(),
    run: sinon.fake(async ({ openSession }) => void (await openSession())),
  });

  beforeEach(() => {
    opened = sinon.stub().callsFake(async () => {
      throw new AccountNotLinkedError('never');
    });
  });

  it('waits for it, and is carried out once, by whichever replica takes it', async () => {
    const { waiting, run } = aDesk();
    aShell(['U2'], 'T1', waiting).onCommand('/x', () => ({ run }));
    await send();
    await send();
    opened = sinon.spy(async () => ({}));

    const takers = [1, 2].map(() => aShell(['U2'], 'T1', waiting).onCommand('/x', () => ({ run })));
    const taken = (await Promise.all(takers.map((take) => take(KIM)))).flat();
    for (const begin of taken) begin();
    await Promise.all(running);

    expect(said[0]).toContain('Please sign in to the administrative interface');
    expect([taken.length, run.callCount, opened.callCount]).toEqual([1, 3, 1]);
  });

  it.each([
    ['which no longer saw it', false],
    ['which took it', true],
  ])('is carried out once if it was kept in the very moment of the sign-in, %s', async (_, isTakenFirst) => {
    const { waiting, run } = aDesk();
    const take = aShell(['U2'], 'T1', waiting).onCommand('/x', () => ({ run }));
    account = async () => {
      opened = sinon.spy(async () => ({}));
      if (isTakenFirst) for (const begin of await take(KIM)) begin();
      return { isSignedIn: true };
    };
    await send();
    await Promise.all(running);

    expect(said).toEqual(['You have signed in meanwhile, so I go on with your command.']);
    expect([run.callCount, (await waiting.take(KIM)).length]).toEqual([2, 0]);
  });

  it('waits on where the account that they have signed in with may not do it', async () => {
    const { waiting, run } = aDesk();
    account = async () => ({ isSignedIn: true });
    opened = sinon.stub().callsFake(async () => {
      throw new AdminRefusedError('admin_forbidden', 'find agents');
    });
    aShell(['U2'], 'T1', waiting).onCommand('/x', () => ({ run }));
    await send();

    expect(run.callCount).toBe(1);
    expect(await waiting.take(KIM)).toHaveLength(1);
  });

  it('is not carried out where they are no admin any more', async () => {
    const { waiting, run } = aDesk();
    aShell(['U2'], 'T1', waiting).onCommand('/x', () => ({ run }));
    await send();

    const taken = await aShell(['U1'], 'T1', waiting).onCommand('/x', () => ({ run }))(KIM);
    for (const begin of taken) begin();
    await Promise.all(running);

    expect(run.callCount).toBe(1);
    expect(said.at(-1)).toContain(REFUSED);
  });

  it('opens nothing by itself: its modal needs a click', async () => {
    const { waiting, run: open } = aDesk();
    const take = aShell(['U2'], 'T1', waiting).onCommand('/x', () => ({ topic: TOPIC, open }));
    await send();
    open.resetHistory();

    for (const begin of await take(KIM)) begin();
    await Promise.all(running);

    expect(said.at(-1)).toBe('You are signed in. Go on with `/x agents`.');
    expect(open.called).toBe(false);
  });

  it('is forgotten after ten minutes, and only the latest few wait', async () => {
    const clock = { at: Date.now() };
    const waiting = aWaitingRoom(() => clock.at);
    const keep = (text: string) => waiting.keep(KIM, { body: BODY, user: 'U2', text, place: 'C1' });
    const take = async () => (await waiting.take(KIM)).map(({ text }) => text);

    for (const text of ['a', 'b', 'c', 'd', 'e', 'f', 'b']) await keep(text);
    expect(await take()).toEqual(['c', 'd', 'e', 'f', 'b']);
    await keep('early');
    clock.at += 9 * 60_000;
    await keep('late');
    clock.at += 2 * 60_000;
    expect(await take()).toEqual(['late']);
  });
});

// How commands, windows and forms refuse them: test/end-to-end/admin-access.test.ts.
describe('somebody who is no admin', () => {
  it('is told so where they expect the answer to a click, and nothing is done', async () => {
    const work = sinon.fake.resolves(undefined);
    aShell(['U1']).onClick('x', work);

    await send();

    expect(said).toEqual([expect.stringContaining(REFUSED)]);
    expect([work.called, opened.called]).toEqual([false, false]);
  });

  it('is offered what the search offers for a failure', async () => {
    const suggest = sinon.fake();
    const suggesting = { actionId: 'x', withinMs: 1_000, late: NOTHING, toFailure: () => NOTE };
    aShell(['U1']).onSuggestion(suggesting, suggest);

    expect(await send()).toEqual(NOTE);
    expect(suggest.called).toBe(false);
  });
});

it('does not ask Slack with every keystroke who is an admin', async () => {
  const groupMembers = sinon.fake.resolves(['U2']);
  const suggesting = { actionId: 'x', withinMs: 1_000, late: NOTHING, toFailure: () => NOTE };
  aShell([], 'T1', undefined, groupMembers).onSuggestion(suggesting, async () => NOTHING);

  expect(await send()).toEqual(NOTHING);
  expect(groupMembers.args.map(([, , options]) => options)).toEqual([{ isFresh: false }]);
});

describe('an admin of one team of the organisation', () => {
  it.each([
    ['may press a button that counts for it alone', {}, []],
    [
      'may not press one that counts for all of it',
      { check: { isForAll: true } },
      [expect.stringContaining('whole organisation')],
    ],
  ])('%s', async (_, options, told) => {
    const work = sinon.fake.resolves(undefined);
    aShell(['T1:U2'], 'E1').onClick('x', work, options);

    await send();

    expect(said).toEqual(told);
    expect(work.called).toBe(told.length === 0);
  });
});

describe('an admin', () => {
  it('acts in their own name alone', async () => {
    aShell(['U2']).onClick('x', async ({ openSession, value }) => {
      await openSession();
      said.push(value);
    });

    await send();

    expect(said).toEqual(['v']);
    expect(opened.args).toEqual([[{ team: 'T1', workspace: 'T1', user: 'U2' }]]);
  });

  it('sees the answer to a form before anything slow begins', async () => {
    const order: string[] = [];
    aShell(['U2']).onSubmission({ callbackId: 'x', topic: TOPIC }, async () => ({
      answer: { response_action: 'clear' },
      afterwards: async () => void order.push('work'),
    }));

    await send({ view: { id: 'V1' }, ack: async () => void order.push('answer') });

    expect(order).toEqual(['answer', 'work']);
  });
});
