/** The line under a thread, suggested prompts and agent sessions: https://docs.slack.dev/ai/agent-sessions */
import { z } from 'zod';
import { existingRoot, memberChannel } from './membership.ts';
import { args, type Method, method, objects, SlackApiError, text, texts } from './method.ts';

const WRITE = ['chat:write', 'assistant:write'];
const CUSTOM = { icon_emoji: text.optional(), icon_url: text.optional(), username: text.optional() };
const MAX_PROMPTS = 4;
const MAX_LOADING_MESSAGES = 10;
const MAX_TITLE = 200;

export const AGENTS: Record<string, Method> = {
  'assistant.threads.setStatus': method({
    scopes: WRITE,
    arguments: args({ ...CUSTOM, channel_id: text, thread_ts: text, status: text, loading_messages: texts.optional() }),
    run(given, world) {
      const channel = memberChannel(world, given.channel_id);
      existingRoot(world, channel.id, given.thread_ts);
      const loadingMessages = given.loading_messages ?? [];
      if (loadingMessages.length > MAX_LOADING_MESSAGES) throw new SlackApiError('invalid_arguments');
      world.workspace.statuses.set(channel.id, given.thread_ts, {
        text: given.status,
        loadingMessages,
        from: 'assistant',
      });
      return {};
    },
  }),

  'assistant.threads.setSuggestedPrompts': method({
    scopes: WRITE,
    arguments: args({ channel_id: text, prompts: objects, thread_ts: text.optional(), title: text.optional() }),
    run(given, world) {
      const channel = memberChannel(world, given.channel_id);
      const prompts = z
        .array(z.strictObject({ title: text, message: text }))
        .min(1)
        .max(MAX_PROMPTS)
        .safeParse(given.prompts);
      if (!prompts.success) throw new SlackApiError('invalid_arguments');
      // With a thread_ts an agent app gets no error, and nothing happens.
      if (given.thread_ts === undefined) world.workspace.prompts.set(channel.id, prompts.data);
      return {};
    },
  }),

  'agents.sessions.setStatus': method({
    scopes: WRITE,
    arguments: args({
      ...CUSTOM,
      channel_id: text,
      status: z.enum(['active', 'processing', 'suspended', 'closed']),
      thread_ts: text,
      title: text.max(MAX_TITLE).optional(),
      initiator_user_id: text.optional(),
    }),
    run(given, world) {
      const channel = memberChannel(world, given.channel_id);
      existingRoot(world, channel.id, given.thread_ts);
      const line = given.status === 'processing' ? 'is working…' : '';
      world.workspace.statuses.set(channel.id, given.thread_ts, { text: line, loadingMessages: [], from: 'session' });
      return {};
    },
  }),

  'agents.sessions.rename': method({
    scopes: WRITE,
    arguments: args({ channel_id: text, title: text.min(1).max(MAX_TITLE), thread_ts: text }),
    run(given, world) {
      existingRoot(world, memberChannel(world, given.channel_id).id, given.thread_ts);
      return {};
    },
  }),

  'apps.connections.open': method({
    arguments: args({}),
    run() {
      throw new SlackApiError('not_allowed_token_type');
    },
  }),
};
