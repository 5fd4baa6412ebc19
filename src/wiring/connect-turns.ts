import { createAssistantClient } from '../assistant/assistant-client.ts';
import { toPersonKey } from '../conversation/question.ts';
import { createCapCheck } from '../conversation/question-caps.ts';
import type { RunPorts } from '../conversation/run.ts';
import { runTurn } from '../conversation/run-turn.ts';
import type { LanePorts } from '../delivery/lane.ts';
import { readLocalDay } from '../delivery/local-times.ts';
import { encodeAudienceChange } from '../slack/channel-audience.ts';
import { createAdmission } from '../slack/channels.ts';
import { createQuote } from '../slack/quotes/quoting.ts';
import { createThreadReader } from '../slack/read-thread.ts';
import { createSignInPrompts } from '../slack/sign-in-prompts.ts';
import { createSlackReply } from '../slack/slack-reply.ts';
import { withToolReply } from '../slack/slackbot/tool-reply.ts';
import { describeSpan, inSpan } from '../tracing.ts';
import { countPrompts } from './connect-usage.ts';
import type { Services } from './services.ts';

/** Runs turns with the assistant, the reply in Slack and the asker's access. */
export function connectTurns(services: Services): LanePorts['run'] {
  const { config, http, log, people, channels, audience, channelSettings, usage, telemetry, now, waitClock } = services;
  const { store, dispatcher, announcements } = services.backend;
  const { accessTokens } = services.identity;
  const timeZone: RunPorts['timeZone'] = async ({ workspace, asker }) =>
    (await people.timeZone(workspace, asker.user)) ?? config.DEFAULT_TIME_ZONE;
  const admit = createAdmission(people, channels);
  const slackReply = createSlackReply({ ...services, prompts: createSignInPrompts({ ...store, now }) });
  const ports: Omit<RunPorts, 'isHeld'> = {
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
    reply: withToolReply(countPrompts(slackReply, usage), { ...store, now }),
    ...createThreadReader(services),
    quote: createQuote({
      ...services,
      turns: store.turns,
      async passesOn(place) {
        const { isRefused, threadContext = config.THREAD_CONTEXT } = await channelSettings.of(place);
        return !isRefused && threadContext === 'on';
      },
    }),
    async admit(question) {
      const refusal = await admit(question);
      // A guest who asks there reads the channel, even if the event that they joined got lost.
      const reader = { ...question, kind: 'joined', user: question.asker.user } as const;
      if (refusal === 'guest') announcements.announce('audience-changed', encodeAudienceChange(reader));
      return refusal;
    },
    rules: channelSettings.of,
    checkCaps: createCapCheck({
      settings: channelSettings.of,
      counter: store.caps,
      timeZone,
      defaultTimeZone: config.DEFAULT_TIME_ZONE,
      today: (zone) => readLocalDay(now(), zone),
    }),
    count: usage.turnEnded,
    async access({ asker, ...question }) {
      const { accessToken, channelAnswers, linkedAt } = await accessTokens.accessFor({
        ...asker,
        purpose: 'assistant',
      });
      return { accessToken, isPrivate: question.audience !== 'person' && channelAnswers === 'private', linkedAt };
    },
    renewToken: (person, rejected) => accessTokens.renew({ ...person, purpose: 'assistant' }, rejected),
    assistantPausedMs: (person) => http.pausedMs(config.ASSISTANT_BASE_URL, toPersonKey(person)),
    audience: async ({ workspace, channel }) =>
      config.GUEST_CHANNELS === 'thread' ? 'members' : audience.look(workspace, channel),
    privateChannel: ({ workspace, asker }) => channels.directMessage(workspace, asker.user),
    timeZone,
    askerName: ({ workspace, asker }) => people.known(workspace, asker.user)?.name,
    language: ({ workspace, asker }) => people.language(workspace, asker.user),
    fileRules: { allowedHosts: config.ASSISTANT_FILE_HOSTS },
    tell(event) {
      if (event.kind === 'done') describeSpan({ 'assistant_bridge.turn.result': event.result });
      if (event.kind === 'waits') describeSpan({ 'assistant_bridge.turn.waits_for': event.code });
      telemetry.tell(event);
    },
    wake: (lane) => dispatcher.wake(lane),
    now,
    waitClock,
    log,
  };
  return (turn, signal, isHeld) => inSpan('turn', { kind: 'work' }, () => runTurn(turn, { ...ports, isHeld }, signal));
}
