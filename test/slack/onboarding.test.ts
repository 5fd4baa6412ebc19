import { beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { createOnboarding, type Onboarding } from '../../src/slack/onboarding.ts';
import type { People } from '../../src/slack/people.ts';
import { SlackRefusedError, SlackUnavailableError } from '../../src/slack/web/slack-errors.ts';
import { aLink } from '../storage/a-link.ts';
import { createMemoryStore, type MemoryStore } from '../storage/memory-store.ts';
import { aSlack, findInstallation } from './a-slack.ts';
import { only } from './only.ts';

const ANA = { team: 'T1', user: 'UANA', workspace: 'T1', channel: 'D1' };

let time: number;
let store: MemoryStore;
/** What is in the direct messages already. */
let history: { user?: string; bot_id?: string }[];
/** Slack refuses these methods. */
let refused: Map<string, Error>;
let called: string[];
let posts: string[];
let person: { isMember: boolean; language: 'en' | 'de' };

beforeEach(() => {
  time = 1_000_000;
  store = createMemoryStore(() => time);
  history = [];
  refused = new Map();
  called = [];
  posts = [];
  person = { isMember: true, language: 'en' };
});

/** One replica; all of them share the store. */
function aReplica(): Onboarding {
  const { call } = aSlack((method) => {
    called.push(method);
    const error = refused.get(method);
    if (error) throw error;
    return { messages: history };
  });
  const people = { profile: async () => person, language: async () => person.language } as unknown as People;
  return createOnboarding({
    call,
    people,
    findInstallation,
    messenger: only({
      async post(_place, { text }) {
        const error = refused.get('chat.postMessage');
        if (error) throw error;
        posts.push(text);
        return '1.0';
      },
    }),
    links: store.links,
    once: store.once,
    now: () => time,
    log: createLog('silent'),
  });
}

const suggestions = () => called.filter((method) => method === 'assistant.threads.setSuggestedPrompts').length;

describe('a greeting', () => {
  it('is said once, whatever number of replicas hear of the newcomer, and whenever within a year', async () => {
    await Promise.all([aReplica(), aReplica(), aReplica()].map((replica) => replica.welcome(ANA)));
    time += 300 * 24 * 3_600_000;
    await aReplica().welcome(ANA);

    expect(posts).toEqual([expect.stringContaining('Hello!')]);
  });

  it('is left to the next opening where Slack could not be reached, or the process died', async () => {
    refused.set('chat.postMessage', new SlackUnavailableError('chat.postMessage'));
    await aReplica().welcome(ANA);
    refused.clear();
    await aReplica().welcome(ANA);
    const within = [...posts];
    time += 3 * 60_000;
    await aReplica().welcome(ANA);

    expect(within).toEqual([]);
    expect(posts).toHaveLength(1);
  });

  it('is not said again where an earlier process died after it had posted', async () => {
    await store.once.claim('greeted:T1:UANA', 'another replica', time + 60_000);
    history = [{ bot_id: 'B1' }];
    time += 3 * 60_000;

    await aReplica().welcome(ANA);

    expect(posts).toEqual([]);
  });

  it.each<[string, { history?: typeof history; hasSignedIn?: boolean; person?: Partial<typeof person> }, string[]]>([
    ['wrote before', { history: [{ user: 'UANA' }] }, []],
    ['was written to before', { history: [{ user: 'UBOT', bot_id: 'B1' }] }, []],
    ['has signed in before', { hasSignedIn: true }, []],
    ['only has messages of Slack itself', { history: [{ user: 'USLACKBOT' }] }, ['Hello!']],
    ['reads German', { person: { language: 'de' } }, ['Guten Tag!']],
    ['is a guest, and cannot be answered', { person: { isMember: false } }, ['members of this organisation only']],
  ])('for who %s', async (_, given, greetings) => {
    history = given.history ?? [];
    person = { ...person, ...given.person };
    if (given.hasSignedIn) await store.links.save(aLink({ sealedTokens: '' }), 0);

    await aReplica().welcome(ANA);
    await aReplica().welcome(ANA);

    expect(posts).toEqual(greetings.map((words) => expect.stringContaining(words)));
    expect(suggestions() > 0).toBe(person.isMember);
  });

  it('can be forgotten', async () => {
    await aReplica().welcome(ANA);
    await aReplica().forget(ANA);

    expect(await store.once.peek('greeted:T1:UANA')).toBeUndefined();
  });
});

describe('suggested questions', () => {
  it('are told Slack once a day and language', async () => {
    const replica = aReplica();
    await replica.welcome(ANA);
    await replica.welcome(ANA);
    const inEnglish = suggestions();
    person = { isMember: true, language: 'de' };
    await replica.welcome(ANA);

    expect([inEnglish, suggestions()]).toEqual([1, 2]);
  });

  it('are not told again for an hour where Slack refuses them, and never keep a greeting back', async () => {
    const method = 'assistant.threads.setSuggestedPrompts';
    refused.set(method, new SlackRefusedError(method, 'not_allowed'));
    const replica = aReplica();

    await replica.welcome(ANA);
    await replica.welcome({ ...ANA, user: 'UBEN', channel: 'D2' });

    expect(suggestions()).toBe(1);
    expect(posts).toHaveLength(2);
  });
});
