import { type SandboxSlack, startSlack } from '@assistant-bridge/sandbox/slack/start-slack.ts';
import { afterEach, beforeEach } from 'vitest';
import { createHttpClient, type HttpClient } from '../../src/http/http-client.ts';
import { createLog } from '../../src/log.ts';
import type { Installation } from '../../src/slack/installation.ts';
import { toCallSlack } from '../../src/slack/installations/installations.ts';
import type { Namers } from '../../src/slack/quotes/name-people.ts';
import { createMemoryBuckets } from '../../src/slack/web/buckets.ts';
import { withBudgets } from '../../src/slack/web/budgets.ts';
import { createSlackClient } from '../../src/slack/web/client.ts';
import type { CallSlack, CallWithToken } from '../../src/slack/web/methods.ts';
import { only } from './only.ts';

export const INSTALLATION: Installation = {
  workspace: 'T1',
  team: 'T1',
  botToken: 'xoxb',
  botId: 'B1',
  botUserId: 'UBOT',
};

export const findInstallation = async () => INSTALLATION;

/** Calls with the token of a workspace that keeps it. */
function inWorkspace(callWithToken: CallWithToken, find = findInstallation): CallSlack {
  return toCallSlack(callWithToken, { find, forget: () => undefined });
}

/** Calls of a stand-in for Slack, within budgets of their own. */
export function budgeted(call: unknown): CallSlack {
  const now = () => performance.now();
  const ports = { buckets: createMemoryBuckets(now), now, log: createLog('silent') };
  return inWorkspace(withBudgets(call as CallWithToken, ports));
}

type Args = Record<string, unknown>;

type Called = { method: string; args: Args; importance: string | undefined };

/** Slack's Web API as a function, which remembers its calls. `answer`: what is in the answer beside `ok`, or what it throws. */
export function aSlack(answer: (method: string, args: Args) => unknown = () => ({})) {
  const calls: Called[] = [];
  const call = (async (method: string, _workspace: string, args: Args, importance?: string) => {
    calls.push({ method, args, importance });
    return { ok: true, ...((await answer(method, args)) as object) };
  }) as unknown as CallSlack;
  return { call, calls, methods: () => calls.map(({ method }) => method) };
}

/** The sandbox's Slack, anew for each test, and the app's client for it. */
export function useSandboxSlack() {
  const shared = {} as { slack: SandboxSlack; http: HttpClient; call: CallSlack; installation: Installation };
  beforeEach(async () => {
    const slack = await startSlack();
    const http = createHttpClient();
    const client = createSlackClient({ http, apiUrl: slack.apiUrl, now: Date.now, log: createLog('silent') });
    const { teamId, botToken, botId, botUserId } = slack;
    const installation = { workspace: teamId, team: teamId, botToken, botId, botUserId };
    Object.assign(shared, { slack, http, installation, call: inWorkspace(client, async () => installation) });
  });
  afterEach(async () => {
    await shared.http.close();
    await shared.slack.close();
  });
  return shared;
}

/** Knows the name of everybody, and of one channel. */
export const NAMERS: Namers = {
  people: only({
    known: (_workspace: string, id: string) =>
      id.startsWith('U') ? only<Profile>({ name: `Name of ${id}` }) : undefined,
  }),
  channels: only({ look: async () => ({ isShared: false, isMember: true, isPublic: true, name: 'general' }) }),
  groups: { handles: async () => new Map([['S0DESIGN', 'design']]) },
};

type Profile = NonNullable<ReturnType<Namers['people']['known']>>;
