import { type Reply, WAIT_LINE } from '../conversation/reply.ts';
import type { PlacedMessage, Turn } from '../conversation/turn.ts';

import { textsOf } from '../languages/texts.ts';
import { composeReply, composeWaiting } from './compose-reply.ts';
import { findMessages, toMetadata } from './find-message.ts';
import { type Namers, nameMentioned } from './quotes/name-people.ts';
import { addBelow, createReplyStreams } from './reply-streams.ts';
import type { Uses } from './services.ts';
import type { SignInPrompts } from './sign-in-prompts.ts';
import type { Content } from './views/content.ts';
import { buildNotice, buildOver, fitsRoot } from './views/notice-message.ts';
import { buildHeldNote, buildSignInPrompt } from './views/sign-in.ts';
import {
  asRepeatable,
  CannotPostError,
  isSlackError,
  isUnchangeable,
  orRefusedForm,
  SlackRefusedError,
  toRepeatable,
} from './web/slack-errors.ts';

/** `prompts`: decides which of a person's waiting questions asks them to sign in. */
type Needs = Uses<'call' | 'findInstallation' | 'messenger' | 'sessions' | 'now' | 'log'> &
  Namers & { prompts: SignInPrompts };

/** Slack's codes for places where we cannot post. */
const NO_PLACE = [
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'restricted_action_non_threadable_channel',
  'thread_not_found',
  'message_not_found',
  'cannot_reply_to_message',
] as const;

export function createSlackReply(ports: Needs): Reply {
  const { call, messenger, prompts, sessions, log } = ports;
  const streams = createReplyStreams(ports);

  /** What was typed into a command or a window is shown in the root, with the names of those whom it mentions. */
  async function withNamedRoot(turn: Turn): Promise<Turn> {
    const { question } = turn;
    if (question.messageTs) return turn;
    const named = { ...question, text: await nameMentioned(question.text, question, ports) };
    return fitsRoot(named) ? { ...turn, question: named } : turn;
  }

  /** In direct messages Slack accepts ephemeral messages, but does not show them. */
  async function tellHere({ question }: Turn, content: Content): Promise<PlacedMessage | undefined> {
    const { workspace, channel, audience, threadTs, asker, startsThread } = question;
    if (audience === 'person') {
      return { channel, ts: await messenger.post({ workspace, channel, threadTs }, content, 'notice') };
    }
    const place = { workspace, channel, threadTs: startsThread ? undefined : threadTs };
    await messenger.postEphemeral(place, asker.user, content, 'notice');
    return undefined;
  }

  async function tellAlone(turn: Turn, content: Content): Promise<PlacedMessage | undefined> {
    try {
      return await tellHere(turn, content);
    } catch (error) {
      // Commands also work where we are not a member.
      if (!(error instanceof SlackRefusedError)) throw error;
      return tellDirectly(turn, content);
    }
  }

  function tellDirectly({ question: { workspace, asker } }: Turn, content: Content): Promise<PlacedMessage> {
    return messenger.postDirect({ workspace, user: asker.user }, content, 'notice');
  }

  return {
    compose: async (turn) => composeReply(await withNamedRoot(turn)),
    composeWaiting,
    async create(message, key) {
      const { channel, threadTs, content } = message;
      const place = { workspace: key.workspace, channel, threadTs };
      const marked = { ...(content as Content), metadata: toMetadata(key) };
      try {
        return await messenger.post(place, marked, key.part === WAIT_LINE ? 'extra' : 'reply');
      } catch (error) {
        if (error instanceof SlackRefusedError && isSlackError(error, ...NO_PLACE)) {
          throw new CannotPostError(error.slackError, { cause: error });
        }
        throw orRefusedForm(error);
      }
    },
    async edit(message, ts, key) {
      const { workspace } = key;
      const { channel } = message;
      try {
        const content = message.isAddition
          ? await addBelow(call, workspace, message, ts)
          : (message.content as Content);
        // A stream that ended by itself has no metadata yet.
        const marked = { ...content, metadata: toMetadata(key) };
        await streams.whileClosed({ workspace, channel, ts }, key, () =>
          messenger.update({ workspace, channel }, ts, marked),
        );
        return 'edited';
      } catch (error) {
        if (isUnchangeable(error)) return 'gone';
        throw toRepeatable('chat.update', orRefusedForm(error));
      }
    },
    find: (part, key, others) => findMessages(ports, part, key, others),
    stream: streams.stream,
    endStream: streams.end,
    async remove(channel, ts, workspace, language) {
      try {
        await streams.whileClosed({ workspace, channel, ts }, undefined, async () => {
          await call('chat.delete', workspace, { channel, ts });
        });
      } catch (error) {
        if (isSlackError(error, 'message_not_found')) return;
        if (!(error instanceof SlackRefusedError)) throw toRepeatable('chat.delete', error);
        // Some workspaces do not allow deleting messages, and an outdated message must not stay.
        await messenger.update({ workspace, channel }, ts, buildOver(textsOf(language))).catch((refusal: unknown) => {
          if (!(refusal instanceof SlackRefusedError)) throw toRepeatable('chat.update', refusal);
          log.warn({ err: refusal }, 'message not removed');
        });
      }
    },
    startWorking: sessions.begin,
    stopWorking: sessions.end,
    async whisper(turn, notice) {
      const content = buildNotice(turn.id, notice, textsOf(turn.language));
      const tell = notice.code === 'cannot_post' ? tellDirectly : tellAlone;
      await tell(turn, content).catch(asRepeatable('whisper'));
    },
    async promptSignIn(turn, hasPrompted) {
      const isDirect = turn.question.audience === 'person';
      const texts = textsOf(turn.language);
      const isFirst = !hasPrompted && (await prompts.claim(turn));
      const content = isFirst ? buildSignInPrompt('assistant', texts) : buildHeldNote(texts);
      const tell = isFirst && !isDirect ? tellDirectly : tellAlone;
      const prompt = await tell(turn, content).catch(async (error: unknown) => {
        if (isFirst) await prompts.release(turn.question.asker);
        throw toRepeatable('prompt', error);
      });
      if (!isFirst || isDirect) return { hasPrompted: isFirst, prompt };
      await tellHere(turn, buildSignInPrompt('assistant', texts)).catch((error: unknown) => {
        log.debug({ turn: turn.id, err: error }, 'prompt shown in the direct message only');
      });
      return { hasPrompted: true, prompt };
    },
  };
}
