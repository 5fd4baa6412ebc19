import type { SlackCaller } from './slack-caller.ts';

const METHODS = ['conversations.history', 'conversations.replies'];

/** What apps may read at once that are sold outside the Marketplace: same page as in read-pages.ts. */
const PAGE = 15;

/** A caller that asks for no larger pages of messages than Slack gives to such an app. */
export function withSmallPages(call: SlackCaller): SlackCaller {
  return (method, token, args, importance) => {
    const isLarge = METHODS.includes(method) && 'limit' in args && Number(args.limit) > PAGE;
    return call(method, token, isLarge ? { ...args, limit: PAGE } : args, importance);
  };
}
