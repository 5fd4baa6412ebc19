import { createAssistantClient } from '../assistant/assistant-client.ts';
import { toPersonKey } from '../conversation/question.ts';
import type { RunPorts } from '../conversation/run-turn.ts';
import type { Identity } from '../identity/identity.ts';
import { createAdmission } from '../slack/channels.ts';
import { createSignInPrompts } from '../slack/compose-reply.ts';
import { createThreadReader } from '../slack/read-thread.ts';
import { createSlackReply } from '../slack/slack-reply.ts';
import type { Parts } from './parts.ts';

/** Everything that running a turn needs: the assistant, the reply in Slack, the asker's access. */
export function connectTurns(
  parts: Parts,
  { accessTokens, linkFlow }: Identity,
  tell: RunPorts['tell'],
): Omit<RunPorts, 'isHeld'> {
  const { config, http, log, people, channels, now } = parts;
  const { store, dispatcher } = parts.backend;
  return {
    turns: store.turns,
    threads: store.threads,
    assistant: createAssistantClient({
      http,
      baseUrl: config.ASSISTANT_BASE_URL,
      stage: config.ASSISTANT_STAGE,
      streaming: config.ASSISTANT_STREAMING,
      streamSegment: config.ASSISTANT_STREAM_SEGMENT,
      now,
    }),
    reply: createSlackReply({ ...parts, signIn: linkFlow.variant, prompts: createSignInPrompts({ ...store, now }) }),
    ...createThreadReader(parts),
    admit: createAdmission(people, channels),
    async access({ asker, audience }) {
      const { accessToken, channelAnswers } = await accessTokens.accessFor({ ...asker, purpose: 'assistant' });
      return { accessToken, isPrivate: audience !== 'person' && channelAnswers === 'private' };
    },
    renewToken: (person, rejected) => accessTokens.renew({ ...person, purpose: 'assistant' }, rejected),
    assistantPausedMs: (person) => http.pausedMs(config.ASSISTANT_BASE_URL, toPersonKey(person)),
    privateChannel: ({ workspace, asker }) => channels.directMessage(workspace, asker.user),
    async timeZone({ workspace, asker }) {
      return (await people.timeZone(workspace, asker.user)) ?? config.DEFAULT_TIME_ZONE;
    },
    fileRules: { allowedHosts: config.ASSISTANT_FILE_HOSTS },
    tell,
    wake: (lane) => dispatcher.wake(lane),
    now,
    log,
  };
}
