import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../src/errors.ts';
import type { LinkStore } from '../../src/identity/account-link.ts';
import { createLog } from '../../src/log.ts';
import { createHomeTab, type HomeTab } from '../../src/slack/home-tab.ts';
import type { People } from '../../src/slack/people.ts';
import type { PersonCap } from '../../src/slack/views/home.ts';
import { SlackRateLimitedError, SlackRefusedError } from '../../src/slack/web/slack-errors.ts';
import { aLink } from '../storage/a-link.ts';
import { createMemoryStore, type MemoryStore } from '../storage/memory-store.ts';
import { aSlack } from './a-slack.ts';

const ANA = { team: 'T1', user: 'UANA', workspace: 'T1' };

let time: number;
let store: MemoryStore;
let published: { hash: unknown; view: string }[];
/** The hash that Slack has; each view gets the next one. */
let current: number;
let links: Pick<LinkStore, 'get'>;
let caps: PersonCap[];
/** So often Slack asks to wait. */
let limits: number;

beforeEach(() => {
  time = 1_000_000;
  store = createMemoryStore(() => time);
  published = [];
  current = 0;
  links = store.links;
  caps = [];
  limits = 0;
});

function aReplica(adminBlocks: () => Promise<object[]> = async () => []): HomeTab {
  const { call } = aSlack((method, { hash, view }) => {
    if (limits-- > 0) throw new SlackRateLimitedError(method, 1);
    if (hash !== undefined && hash !== `hash ${current}`) throw new SlackRefusedError(method, 'hash_conflict');
    current += 1;
    published.push({ hash, view: JSON.stringify(view) });
    return { view: { hash: `hash ${current}` } };
  });
  const people = {
    profile: async () => ({ isMember: true, timeZone: 'Europe/Berlin' }),
    languageSoon: async () => 'en',
  } as unknown as People;
  return createHomeTab({
    call,
    people,
    links: { get: (key) => links.get(key) },
    once: store.once,
    adminBlocks: adminBlocks as never,
    capsOf: async () => caps,
    scheduling: { list: async () => [] },
    defaultTimeZone: 'UTC',
    now: () => time,
    log: createLog('silent'),
  });
}

describe('a home tab', () => {
  it('says how much was asked in channels with a cap, and when the next day begins', async () => {
    await aReplica().open(ANA, undefined);
    caps = [{ channel: 'C1', asked: 3, most: 10, until: Date.parse('2026-11-24T23:00:00Z') }];
    await aReplica().open(ANA, undefined);

    expect(published[0]?.view).not.toContain('asked today');
    expect(published[1]?.view).toContain(
      '<#C1>: 3 of 10 asked today; the next day begins at <!date^1795561200^{time}|23:00 UTC>.',
    );
  });

  it('is published with the hash of the view that is there, so that it replaces no later one', async () => {
    const replica = aReplica();
    await replica.open(ANA, undefined);
    await replica.open(ANA, 'hash 1');
    await replica.open(ANA, 'hash 1');

    expect(published.map(({ hash }) => hash)).toEqual([undefined, 'hash 1', undefined]);
  });

  it('shows what is true after a conflict, not what was true before', async () => {
    await aReplica().open(ANA, undefined);
    let looks = 0;
    links = {
      async get(key) {
        looks += 1;
        // The sign-in is completed after the first look.
        if (looks === 2) await store.links.save(aLink({ accountName: 'Ana' }), 0);
        return looks <= 2 ? undefined : store.links.get(key);
      },
    };

    await aReplica().open(ANA, 'an old hash');

    expect(published.at(-1)?.view).toContain('You are signed in as *Ana*');
  });

  it('is published after the wait that Slack asks for', async () => {
    limits = 1;

    await aReplica().open(ANA, undefined);

    expect(published).toHaveLength(1);
  });

  it('is published again by any replica when something changes, while it may be open', async () => {
    await aReplica().open(ANA, undefined);
    await store.links.save(aLink({ accountName: 'Ana' }), 0);
    time += 7 * 3_600_000;
    await aReplica().refresh(ANA);
    time += 6 * 3_600_000;
    await aReplica().refresh(ANA);

    expect(published.map(({ hash }) => hash)).toEqual([undefined, 'hash 1']);
    expect(published.at(-1)?.view).toContain('You are signed in as *Ana*');
  });

  it('is published again after a click in it, however long ago it was opened', async () => {
    await aReplica().open(ANA, undefined);
    time += 13 * 3_600_000;
    await aReplica().seen(ANA, 'hash 1');
    await aReplica().refresh(ANA);

    expect(published.map(({ hash }) => hash)).toEqual([undefined, 'hash 1']);
  });

  it('fails a click in it at once where the store is away, and does not wait for it twice', async () => {
    store.once.put = () => Promise.reject(new StoreUnavailableError('away'));

    await expect(aReplica().seen(ANA, 'hash 1')).rejects.toThrow(StoreUnavailableError);
  });

  it('can be forgotten, also while it is being published', async () => {
    await aReplica().open(ANA, undefined);
    const replica = aReplica(async () => {
      await replica.forget(ANA);
      return [];
    });
    await replica.refresh(ANA);

    expect(published).toHaveLength(2);
    expect(store.rows('once')).toEqual([]);
  });

  it('is not published for who never opened it', async () => {
    await aReplica().refresh(ANA);

    expect(published).toEqual([]);
  });

  it.each([
    ['offers to connect anew where a sign-in has ended', { sealedTokens: '' }, 'You are not signed in'],
    ['shows an account’s name literally', { accountName: '<!channel> *Ana*' }, '&lt;!channel&gt; ∗Ana∗'],
  ])('%s', async (_, link, words) => {
    await store.links.save(aLink(link), 0);

    await aReplica().open(ANA, undefined);

    expect(published[0]?.view).toContain(words);
  });

  it('is shown without the administrators’ part where that takes too long', async () => {
    await aReplica(() => new Promise(() => undefined)).open(ANA, undefined);

    expect(published).toHaveLength(1);
  });
});
