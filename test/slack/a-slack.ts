import type { Installation } from '../../src/slack/installation.ts';
import type { CallSlack } from '../../src/slack/web/methods.ts';

export const INSTALLATION: Installation = {
  workspace: 'T1',
  team: 'T1',
  botToken: 'xoxb',
  botId: 'B1',
  botUserId: 'UBOT',
};

export const findInstallation = async () => INSTALLATION;

type Args = Record<string, unknown>;

type Called = { method: string; args: Args; importance: string | undefined };

/** Slack's Web API as a function, which remembers its calls. `answer`: what is in the answer beside `ok`, or what it throws. */
export function aSlack(answer: (method: string, args: Args) => unknown = () => ({})) {
  const calls: Called[] = [];
  const call = (async (method: string, _token: string, args: Args, importance?: string) => {
    calls.push({ method, args, importance });
    return { ok: true, ...((await answer(method, args)) as object) };
  }) as unknown as CallSlack;
  return { call, calls, methods: () => calls.map(({ method }) => method) };
}
