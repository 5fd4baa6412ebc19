import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Person, toPersonKey } from '../conversation/question.ts';
import type { Texts } from '../languages/english.ts';
import { textsOf } from '../languages/texts.ts';
import type { Uses } from './services.ts';
import { buildSection, type Content, toContent } from './views/content.ts';
import { buildSignInButtons } from './views/sign-in.ts';
import { SlackRefusedError, toCallCode } from './web/slack-errors.ts';

/** A person in their direct messages with the app, `channel`. */
type Visitor = Person & { workspace: string; channel: string };

type Needs = Uses<'call' | 'findInstallation' | 'people' | 'messenger' | 'links' | 'once' | 'now' | 'log'>;

/** If a process dies while greeting, the next opening after this time greets again. */
const CLAIM_MS = 2 * 60_000;

/** After this time, existing messages show that the person was greeted. */
const GREETED_FOR_MS = 365 * 24 * 3_600_000;

const GREETED = 'greeted';

const CHANNELS = { maxSize: 20_000, sizeCalculation: () => 1 };
const SUGGESTED_FOR_MS = 24 * 3_600_000;

/** After this time we try again: an app can become an agent at any time. */
const REFUSED_FOR_MS = 3_600_000;

export type Onboarding = ReturnType<typeof createOnboarding>;

/** What people see when they open their direct messages with the app. */
export function createOnboarding(ports: Needs) {
  const { people, once, now, log } = ports;
  const suggest = createSuggestions(ports);

  async function greet(visitor: Visitor, texts: Texts, isMember: boolean): Promise<void> {
    // People open the app often, and `peek` only reads.
    if ((await once.peek(toKey(visitor))) !== undefined) return;
    const claim = randomUUID();
    if ((await once.claim(toKey(visitor), claim, now() + CLAIM_MS)) !== claim) return;
    if (!(await hasTalked(visitor, ports))) {
      const content = isMember ? buildGreeting(texts) : buildRefusal(texts);
      await ports.messenger.post(visitor, content, 'notice');
    }
    await once.put(toKey(visitor), GREETED, now() + GREETED_FOR_MS);
  }

  return {
    /**
     * Suggests questions, and greets people once, over all replicas, unless they have talked to the app before. Never
     * throws.
     */
    async welcome(visitor: Visitor): Promise<void> {
      const { workspace, user } = visitor;
      try {
        const { isMember } = await people.profile(workspace, user);
        const texts = textsOf(await people.language(workspace, user));
        await Promise.all([greet(visitor, texts, isMember), isMember && suggest(visitor, texts)]);
      } catch (error) {
        log.warn({ code: toCallCode(error) }, 'newcomer not greeted');
      }
    },
    /** Throws StoreUnavailableError. */
    async forget(person: Person): Promise<void> {
      await once.take(toKey(person));
    },
  };
}

function toKey(person: Person): string {
  return `greeted:${toPersonKey(person)}`;
}

/** Whether they have a sign-in, or messages exist from them or from us. Slack also writes in this channel. */
async function hasTalked({ workspace, channel, ...person }: Visitor, ports: Needs): Promise<boolean> {
  if (await ports.links.get({ team: person.team, user: person.user, purpose: 'assistant' })) return true;
  const { botId } = await ports.findInstallation(workspace);
  const { messages = [] } = await ports.call('conversations.history', workspace, { channel, limit: 10 }, 'notice');
  return messages.some(({ user, bot_id }) => user === person.user || bot_id === botId);
}

export function buildGreeting(texts: Texts): Content {
  const { hello, abilities, examples, signIn, moreInHome } = texts.home.greeting;
  const sections = [hello, abilities, examples, `${signIn} ${moreInHome}`];
  return toContent([...sections.map(buildSection), buildSignInButtons('assistant', texts)]);
}

export function buildRefusal(texts: Texts): Content {
  const { outsider } = texts.home.greeting;
  return toContent([buildSection(outsider)]);
}

/** Best effort. Slack keeps the suggestions, and refuses them from apps that are not agents. */
function createSuggestions({ call, log }: Needs) {
  const suggested = new LRUCache<string, Texts['language']>({ ...CHANNELS, ttl: SUGGESTED_FOR_MS });
  const refused = new LRUCache<string, true>({ ...CHANNELS, ttl: REFUSED_FOR_MS });
  return async ({ workspace, channel }: Visitor, texts: Texts): Promise<void> => {
    if (refused.has(workspace) || suggested.get(channel) === texts.language) return;
    try {
      const { prompts } = texts.home;
      await call('assistant.threads.setSuggestedPrompts', workspace, { channel_id: channel, prompts }, 'extra');
      suggested.set(channel, texts.language);
    } catch (error) {
      if (error instanceof SlackRefusedError) refused.set(workspace, true);
      log.info({ code: toCallCode(error) }, 'no questions suggested');
    }
  };
}
