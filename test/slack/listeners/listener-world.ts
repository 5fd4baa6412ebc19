import type { Question } from '../../../src/conversation/question.ts';
import { createHttpClient } from '../../../src/http/http-client.ts';
import { createLog } from '../../../src/log.ts';
import { createSlackApp, type SlackApp } from '../../../src/slack/bolt-app.ts';
import type { ListenerPorts } from '../../../src/slack/listeners/ports.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { INSTALLATION } from '../a-slack.ts';

const NOW = 1_000_000;

/** Listeners on a real store, beside a Slack that only remembers what it was asked. */
export function startListeners(register: (apps: SlackApp, ports: ListenerPorts) => void) {
  const store = createMemoryStore(() => NOW);
  const log = createLog('silent');
  const findInstallation = async (workspace: string) => ({ ...INSTALLATION, workspace, team: workspace });
  const apps = createSlackApp({
    findInstallation,
    http: createHttpClient(),
    apiUrl: 'http://127.0.0.1:9/api/',
    log,
  });
  const accepted: { id: string; question: Question }[] = [];
  const said: { text: string; place: unknown }[] = [];
  const views: { method: string; view: unknown }[] = [];
  const told: unknown[] = [];
  const counted: string[] = [];
  const background: Promise<void>[] = [];
  const ports = {
    ...store,
    async accept(id: string, question: Question) {
      const isKnown = accepted.some((one) => one.id === id);
      if (!isKnown) accepted.push({ id, question });
      return isKnown ? 'duplicate' : 'new';
    },
    takeFile: async () => false,
    endTurn: (id: string, stage: 'stopped' | 'cancelled') => store.turns.end(id, stage),
    findInstallation,
    channelSettings: async () => ({ reply: 'threads' }),
    people: { languageSoon: async () => 'en', timeZoneSoon: async () => undefined },
    call: async (method: string, _token: string, { view }: { view?: unknown }) => {
      views.push({ method, view });
      return { view: { id: 'V1' } };
    },
    clicks: {
      async say(_body: object, { text }: { text: string }, options: { place?: unknown } = {}) {
        said.push({ text, place: options.place });
        return true;
      },
      replace: async () => true,
    },
    tell: (event: unknown) => void told.push(event),
    countFeedback: (verdict: string, { user }: { user: string }) => void counted.push(`${verdict} ${user}`),
    inBackground: (work: () => Promise<void>) => void background.push(work()),
    sendFeedback: undefined,
    defaultTimeZone: 'UTC',
    now: () => NOW,
    log,
  } as unknown as ListenerPorts;
  register(apps, ports);
  const settle = async () => {
    while (background.length > 0) await background.shift();
  };
  const acks: unknown[] = [];
  const ack = async (answer?: unknown) => void acks.push(answer);
  return {
    store,
    ports,
    accepted,
    said,
    views,
    told,
    counted,
    acks,
    async event(event: object, retryNum?: number) {
      const body = { type: 'event_callback', team_id: 'T1', event };
      await apps.interactions.processEvent({ body, ack, ...(retryNum !== undefined && { retryNum }) });
      await settle();
    },
    async interact(body: object) {
      await apps.interactions.processEvent({ body: { team: { id: 'T1' }, ...body }, ack });
      await settle();
    },
  };
}
