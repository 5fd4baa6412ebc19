import { AssistantOutcomeUnknownError, AssistantThrottledError } from '../../src/assistant/assistant-errors.ts';
import { OutcomeUnknownError } from '../../src/http/http-errors.ts';
import { SlackRateLimitedError, SlackUnavailableError } from '../../src/slack/web/slack-errors.ts';
import { readConversations } from '../simulation/conversations.ts';
import type { Act } from '../simulation/history.ts';
import { playWorld, type Watch } from '../simulation/world.ts';
import type { Conversations } from './conversation-promises.ts';
import type { Doing, Failure, ShortHistory, Strike } from './short-histories.ts';
import type { Step } from './steps.ts';

/** Between what happens one after the other: it has reached the app by then. */
const APART_MS = 1_000;

/** What the app's client makes of them. */
const FAILURES: Record<Failure, Error> = {
  rateLimited: new SlackRateLimitedError('chat.postMessage', 1_000),
  status: new SlackUnavailableError('chat.postMessage'),
  resetAfterProcessing: new OutcomeUnknownError('https://slack.example', 'reset'),
  '503-retry-after': new AssistantThrottledError(1_000, { status: 503 }),
  '504-html': new AssistantOutcomeUnknownError('timeout'),
};

const toAct = (doing: Doing, index: number) => ({ ...doing, at: 1 + index * APART_MS }) as Act;

/** Plays it in a simulated world. */
export async function playSimulated({ replicas, begins, strikes = [] }: ShortHistory): Promise<Conversations> {
  const left = [...strikes];

  const watch: Watch = (world, apply) => {
    const { time, slack, service } = world;
    // The service takes as long as it ever does: what people do meanwhile comes in time.
    world.random = { ...world.random, between: (_, to) => to };

    function come(step: Step): void {
      if (left[0]?.at === step) happen(left.shift() as Strike);
    }

    /** Throws where the call fails, or where nobody is left to hear of it. */
    function happen({ acts, failure }: Strike): void {
      const [first, ...later] = acts.map(toAct);
      for (const act of later) time.at(time.now() + act.at, () => apply(act));
      if (first) apply(first);
      if (failure) throw FAILURES[failure];
      if (first?.kind === 'kill') throw new Error('the process that asked is dead');
    }

    const { apply: call } = slack;
    slack.apply = (method, args) => {
      come(`slack called ${method}`);
      const result = call(method, args);
      come(`slack processed ${method}`);
      return result;
    };
    const { create, begin } = service;
    service.create = (request) => {
      const conversation = create(request);
      come('service created');
      return conversation;
    };
    service.begin = (request, isAskerDead) => {
      come('service asked');
      const begun = begin(request, isAskerDead);
      come('service answered');
      return begun;
    };
  };

  const rest = await playWorld({ seed: 1, replicas, isBusy: false, acts: begins.map(toAct) }, undefined, watch);
  if (left[0]) throw new Error(`it did not come to: ${left[0].at}`);
  return readConversations(rest);
}
