/** The line under a thread, suggested prompts and agent sessions: https://docs.slack.dev/ai/agent-sessions */
import { z } from 'zod';
import type { World } from '../world.ts';
import { existingRoot, memberChannel } from './membership.ts';
import { CUSTOM, type Method, method, objects, SlackApiError, text, texts } from './method.ts';

const WRITE = ['chat:write', 'assistant:write'];
const MAX_PROMPTS = 4;
const MAX_LOADING_MESSAGES = 10;
const MAX_TITLE = 200;

export const AGENTS: Record<string, Method> = {
  'assistant.threads.setStatus': method(
    WRITE,
    { ...CUSTOM, channel_id: text, thread_ts: text, status: text, loading_messages: texts.optional() },
    (given, world) => {
      const channel = memberChannel(world, given.channel_id);
      existingRoot(world, channel.id, given.thread_ts);
      if ((given.loading_messages ?? []).length > MAX_LOADING_MESSAGES) throw new SlackApiError('invalid_arguments');
      const place = { channel: channel.id, threadTs: given.thread_ts };
      const { sessions } = world.workspace;
      if (!world.registration.isAgent) sessions.setLine(place, given.status);
      else sessions.set(place, given.status === '' ? 'active' : 'processing');
      return {};
    },
  ),

  'assistant.threads.setSuggestedPrompts': method(
    WRITE,
    { channel_id: text, prompts: objects, thread_ts: text.optional(), title: text.optional() },
    (given, world) => {
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
  ),

  'agents.sessions.setStatus': method(
    ['chat:write'],
    {
      ...CUSTOM,
      channel_id: text,
      status: z.enum(['active', 'processing', 'suspended', 'closed']),
      thread_ts: text,
      title: text.max(MAX_TITLE).optional(),
      initiator_user_id: text.optional(),
    },
    (given, world) => {
      const place = sessionPlace(world, given);
      world.workspace.sessions.set(place, given.status, given.title);
      const session = world.workspace.sessions.session(place);
      return {
        status: session?.status,
        title: session?.title,
        // Without the event people see a line that cannot be stopped.
        ...(!world.registration.events.has('agent_session_stopped') && {
          warning: 'missing_agent_session_stopped_event_subscription',
        }),
      };
    },
  ),

  'agents.sessions.rename': method(
    ['chat:write'],
    { channel_id: text, title: text.min(1).max(MAX_TITLE), thread_ts: text },
    (given, world) => {
      const place = sessionPlace(world, given);
      if (!world.workspace.sessions.session(place)) throw new SlackApiError('not_authorized');
      world.workspace.sessions.rename(place, given.title);
      return {};
    },
  ),
};

function sessionPlace(world: World, given: { channel_id: string; thread_ts: string }) {
  if (!world.registration.isAgent) throw new SlackApiError('not_agent_app');
  const channel = memberChannel(world, given.channel_id);
  existingRoot(world, channel.id, given.thread_ts);
  return { channel: channel.id, threadTs: given.thread_ts };
}
