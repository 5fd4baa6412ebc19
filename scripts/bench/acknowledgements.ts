import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

const EVENTS_PATH = '/slack/events';

/** Where Node tells of each request that node:http sends, and of its answer. */
const STARTED = 'http.client.request.start';
const ANSWERED = 'http.client.response.finish';

export type AcknowledgementWatch = {
  /** From the delivery by Slack until its acknowledgement arrives, in ms. */
  waits: number[];
  end(): void;
};

/** Notes how long Slack waits for the acknowledgement of each event. */
export function watchAcknowledgements(): AcknowledgementWatch {
  const startedAt = new WeakMap<ClientRequest, number>();
  const waits: number[] = [];

  const noteStart = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    if (request.path === EVENTS_PATH) startedAt.set(request, performance.now());
  };
  const noteAnswer = (message: unknown) => {
    const at = startedAt.get((message as { request: ClientRequest }).request);
    if (at !== undefined) waits.push(performance.now() - at);
  };
  subscribe(STARTED, noteStart);
  subscribe(ANSWERED, noteAnswer);
  return {
    waits,
    end() {
      unsubscribe(STARTED, noteStart);
      unsubscribe(ANSWERED, noteAnswer);
    },
  };
}
