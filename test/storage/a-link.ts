import type { AccountLink } from '../../src/identity/account-link.ts';

export function aLink(change: Partial<AccountLink> = {}): AccountLink {
  return {
    schema: 1,
    team: 'T1',
    user: 'UANA',
    purpose: 'assistant',
    workspace: 'T1',
    channelAnswers: 'thread',
    sealedTokens: 'sealed',
    linkedAt: 1,
    version: 0,
    ...change,
  };
}
