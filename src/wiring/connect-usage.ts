import type { Config } from '../config.ts';
import type { Reply } from '../conversation/reply.ts';
import { codeOf } from '../errors.ts';
import type { LinkFlow } from '../identity/link-flow.ts';
import type { Log } from '../log.ts';
import type { UsageStore } from '../usage/usage.ts';
import { createUsageCounter, type UsageCounter } from '../usage/usage-counter.ts';
import { createMarks } from '../usage/usage-mark.ts';

type Ports = { store: UsageStore; now(): number; log: Log };

export function connectUsage(
  { ENCRYPTION_KEYS: [newest] }: Pick<Config, 'ENCRYPTION_KEYS'>,
  ports: Ports,
): UsageCounter {
  return createUsageCounter({
    ...ports,
    mark: createMarks(newest?.key ?? Buffer.alloc(0)),
    onFailed: (error) => ports.log.debug({ code: codeOf(error) }, 'usage not written'),
  });
}

/** The same flow; counts who pressed *Sign in* for questions. */
export function countSignIns(flow: LinkFlow, usage: UsageCounter): LinkFlow {
  return {
    ...flow,
    async issueTicket(ticket) {
      const url = await flow.issueTicket(ticket);
      if (ticket.purpose === 'assistant') usage.signIn('started', { ...ticket.person, workspace: ticket.workspace });
      return url;
    },
  };
}

/** The same reply; counts whom it prompts to sign in. */
export function countPrompts(reply: Reply, usage: UsageCounter): Reply {
  return {
    ...reply,
    async promptSignIn(turn, hasPrompted) {
      const prompted = await reply.promptSignIn(turn, hasPrompted);
      const { asker, workspace } = turn.question;
      if (prompted.hasPrompted) usage.signIn('prompted', { ...asker, workspace });
      return prompted;
    },
  };
}
