import { useFakeTimers } from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { applyAudienceChange, createChannelAudience, encodeAudienceChange } from '../../src/slack/channel-audience.ts';
import type { CallSlack } from '../../src/slack/web/methods.ts';
import { SlackRateLimitedError, SlackRefusedError } from '../../src/slack/web/slack-errors.ts';
import { INSTALLATION } from './a-slack.ts';

type Args = { user?: string; cursor?: string; limit?: number; team_id?: string };

let clock: ReturnType<typeof useFakeTimers>;

beforeEach(() => {
  clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: 1_000_000_000 });
});
afterEach(() => clock.restore());

/** Slack with one channel. `before`: what happens before a call is answered. */
function aWorld({ workspace = 'T1', count = 3 } = {}) {
  const isOrganisation = workspace.startsWith('E');
  const ids = (size: number) => Array.from({ length: size }, (_, number) => `U${number}`);
  const slack = { members: ids(count), guests: new Set<string>(), isShared: false };
  const calls: string[] = [];
  const before: { [method: string]: () => unknown } = {};
  const toUser = (id: string) => ({
    id,
    team_id: 'T1',
    is_restricted: slack.guests.has(id),
    ...(isOrganisation && { enterprise_user: { enterprise_id: 'E1' } }),
  });
  const page = <T>(all: T[], { cursor = '0', limit = 100 }: Args) => {
    const end = Number(cursor) + limit;
    const next_cursor = end < all.length ? String(end) : '';
    return { items: all.slice(Number(cursor), end), response_metadata: { next_cursor } };
  };
  const call = (async (method: string, _token: string, args: Args) => {
    calls.push(args.team_id ? `${method} ${args.team_id}` : method);
    const read = page(slack.members, args);
    await before[method]?.();
    if (method === 'users.info') return { ok: true, user: toUser(args.user ?? '') };
    if (method === 'users.list') return { ...read, ok: true, members: read.items.map(toUser) };
    return { ...read, ok: true, members: read.items };
  }) as unknown as CallSlack;
  const installation = { ...INSTALLATION, workspace, team: isOrganisation ? 'E1' : 'T1' };
  let steps = 0;
  const audience = createChannelAudience({
    call,
    findInstallation: async () => installation,
    channels: { look: async () => ({ isShared: slack.isShared, isMember: true, teams: ['T1', 'T2'] }) },
    // Each person who is looked at takes one look at the clock.
    now() {
      steps += 1;
      return Date.now();
    },
    log: createLog('silent'),
  });
  const countSteps = async (work: () => unknown) => {
    steps = 0;
    await work();
    return steps;
  };
  const take = () => calls.splice(0);
  return { slack, calls, take, before, audience, countSteps, look: () => audience.look(workspace, 'C1') };
}

describe('a look at a channel', () => {
  it('asks once, and then costs nothing', async () => {
    const { look, take } = aWorld();

    const first = await look();
    const asked = take();
    const second = await look();

    expect([first, second]).toEqual(['members', 'members']);
    expect(asked.toSorted()).toEqual(['conversations.members', 'users.info', 'users.info', 'users.info']);
    expect(take()).toEqual([]);
  });

  it('lists everybody instead of asking for many one by one', async () => {
    const { look, slack, take } = aWorld({ count: 2_500 });
    slack.guests.add('U2400');

    expect(await look()).toBe('guests');

    expect(take()).toEqual([...Array(3).fill('conversations.members'), ...Array(3).fill('users.list')]);
  });

  it.each(['members', 'guests'])('costs the same with ten thousand people, once these are known: %s', async (found) => {
    const { look, slack, audience, countSteps } = aWorld({ count: 10_000 });
    if (found === 'guests') slack.guests.add('U9999');
    const first = await countSteps(look);
    const second = await countSteps(look);
    const joined = await countSteps(() => audience.joined('T1', 'C1', 'U5'));
    const left = await countSteps(() => audience.left('T1', 'C1', 'U6'));

    expect(await look()).toBe(found);
    expect(first).toBeGreaterThan(10_000);
    expect(Math.max(second, joined, left)).toBeLessThan(10);
  });

  it('lists the teams of the channel, where the app is installed for an organisation', async () => {
    const { look, take } = aWorld({ workspace: 'E1', count: 40 });

    expect(await look()).toBe('members');

    expect(take()).toEqual(['conversations.members', 'users.list T1', 'users.list T2']);
  });

  it('finds people of other organisations in a channel that is shared', async () => {
    const { look, slack, take } = aWorld();
    slack.isShared = true;

    expect([await look(), take()]).toEqual(['guests', []]);
  });

  it('waits five seconds at most, and the next one profits from what went on meanwhile', async () => {
    const { look, before } = aWorld();
    before['conversations.members'] = () => new Promise((resolve) => setTimeout(resolve, 6_000));

    const first = look();
    await clock.tickAsync(5_001);
    const second = look();
    await clock.tickAsync(1_000);

    expect([await first, await second]).toEqual(['unknown', 'members']);
  });

  it('goes on with the list where Slack’s limits stopped it', async () => {
    const { look, before, take } = aWorld({ count: 2_500 });
    let lists = 0;
    before['users.list'] = () => {
      if (++lists === 2) throw new SlackRateLimitedError('users.list', 3_000);
    };

    const first = look();
    await clock.tickAsync(3_001);

    expect(await first).toBe('members');
    expect(take().filter((method) => method === 'users.list')).toHaveLength(4);
  });

  it.each(['conversations.members', 'users.info'])(
    'does not know it if %s is refused, and asks again',
    async (method) => {
      const { look, before } = aWorld();
      before[method] = () => {
        throw new SlackRefusedError(method, 'missing_scope');
      };

      const refused = await look();
      delete before[method];

      expect([refused, await look()]).toEqual(['unknown', 'members']);
    },
  );
});

describe('a guest who joins', () => {
  it.each([
    ['conversations.members', ['guests']],
    ['users.info', ['guests', 'unknown']],
  ])('counts, though they join while Slack answers %s', async (method, first) => {
    const { look, slack, audience, before } = aWorld();
    slack.guests.add('U7');
    before[method] = () => audience.joined('T1', 'C1', 'U7');

    expect(first).toContain(await look());
    expect(await look()).toBe('guests');
  });

  it('is found after ten minutes, if Slack did not tell us', async () => {
    const { look, slack } = aWorld();
    await look();
    slack.members.push('U7');
    slack.guests.add('U7');

    await clock.tickAsync(10 * 60_000 + 1);

    expect(await look()).toBe('guests');
  });
});

it.each([
  ['a guest makes the channel unknown, so that it is read again', ['U1'], ['conversations.members']],
  ['a member costs nothing', [], []],
])('somebody who leaves %s', async (_, guests, calls) => {
  const { look, slack, audience, take } = aWorld();
  for (const guest of guests) slack.guests.add(guest);
  await look();
  take();
  slack.members.splice(1, 1);

  audience.left('T1', 'C1', 'U1');

  expect([await look(), take()]).toEqual(['members', calls]);
});

describe('what is known of people', () => {
  it('changes as Slack tells, on every replica', async () => {
    const { look, slack, audience, take } = aWorld();
    await look();
    take();

    slack.guests.add('U1');
    applyAudienceChange(encodeAudienceChange({ kind: 'guest', workspace: 'T1', user: 'U1' }), audience);
    const asGuest = await look();
    slack.guests.clear();
    applyAudienceChange(encodeAudienceChange({ kind: 'member', workspace: 'T1', user: 'U1' }), audience);
    const asMember = await look();
    applyAudienceChange('something:of:a:later:release', audience);
    const change = { kind: 'joined', workspace: 'T1', channel: 'C1', user: 'U8' } as const;
    applyAudienceChange(encodeAudienceChange(change), audience);
    await look();

    expect([asGuest, asMember, take()]).toEqual(['guests', 'members', ['users.info', 'users.info']]);
  });

  it('is not what an older event says that Slack sends again: a guest stays one until Slack is asked', async () => {
    const { look, slack, audience } = aWorld();
    await look();
    slack.guests.add('U1');

    audience.personChanged('T1', 'U1', true);
    audience.personChanged('T1', 'U1', false);

    expect(await look()).toBe('guests');
  });

  it('is not what an older event says of somebody who was not known yet', async () => {
    const { look, slack, audience } = aWorld();
    await look();
    slack.guests.add('U7');
    slack.members.push('U7');

    audience.personChanged('T1', 'U7', false);
    audience.joined('T1', 'C1', 'U7');

    expect(await look()).toBe('guests');
  });

  it('is what Slack told while it was asked, which is newer than its answer', async () => {
    const { slack, look, audience, before } = aWorld();
    slack.guests.add('U1');
    before['users.info'] = () => {
      slack.guests.clear();
      clock.tick(1);
      audience.personChanged('T1', 'U1', true);
    };

    expect(await look()).toBe('guests');
  });

  it('changes as Slack tells after the clock was set back', async () => {
    const { look, slack, audience } = aWorld();
    await look();
    slack.guests.add('U1');
    clock.setSystemTime(Date.now() - 3_600_000);

    audience.personChanged('T1', 'U1', true);

    expect(await look()).toBe('guests');
  });

  it('is listed again after an hour, while nobody has to wait for it', async () => {
    const { look, slack, before, take } = aWorld({ count: 40 });
    await look();
    slack.guests.add('U1');
    before['users.list'] = () => new Promise((resolve) => setTimeout(resolve, 60_000));
    take();

    await clock.tickAsync(3_600_001);
    const meanwhile = await look();
    await clock.tickAsync(60_001);

    expect([meanwhile, await look()]).toEqual(['members', 'guests']);
    expect(take().filter((method) => method === 'users.list')).toHaveLength(1);
  });

  it('is forgotten after two hours', async () => {
    const { look, take } = aWorld();
    await look();
    take();

    await clock.tickAsync(2 * 3_600_000 + 1);
    await look();

    expect(take()).toContain('users.info');
  });
});

it('somebody whom Slack does not show is of another organisation, and is asked for once', async () => {
  const { look, before, take } = aWorld({ count: 1 });
  before['users.info'] = () => {
    throw new SlackRefusedError('users.info', 'user_not_visible');
  };

  expect([await look(), await look()]).toEqual(['guests', 'guests']);
  expect(take()).toEqual(['conversations.members', 'users.info']);
});

it('counts a guest who joins after the list was forgotten, while people are asked for', async () => {
  const { slack, audience, before, look } = aWorld({ count: 2 });
  let isFirst = true;
  before['users.info'] = () => {
    if (!isFirst) return;
    isFirst = false;
    // Somebody who is not known leaves, so the list is forgotten; then a guest comes.
    audience.left('T1', 'C1', 'U1');
    slack.members = ['U0', 'U7'];
    slack.guests.add('U7');
    audience.joined('T1', 'C1', 'U7');
  };

  expect(await look()).not.toBe('members');
});
