import type { Reply } from '../conversation/reply.ts';
import { codeOf } from '../errors.ts';
import type { LinkFlow } from '../identity/link-flow.ts';
import { createMarks, createUsageCounter, type UsageCounter } from '../usage/usage-counter.ts';
import type { Services } from './services.ts';

export function connectUsage({
  config: { ENCRYPTION_KEYS: keys },
  backend: { store },
  now,
  log,
}: Pick<Services, 'config' | 'backend' | 'now' | 'log'>): UsageCounter {
  return createUsageCounter({
    store: store.usage,
    mark: createMarks(keys[0]?.key ?? Buffer.alloc(0)),
    onFailed: (error) => log.debug({ code: codeOf(error) }, 'usage not written'),
    now,
  });
}

/** Wraps the flow: counts who pressed *Sign in* for questions. */
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

/** Wraps the reply: counts who is prompted to sign in. */
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
