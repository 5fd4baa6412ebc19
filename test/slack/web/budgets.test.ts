import { describe, expect, it } from 'vitest';
import { toBuckets } from '../../../src/slack/web/budgets.ts';

describe('the budgets of calls', () => {
  it('are counted for each method and workspace', () => {
    const keys = [
      ...toBuckets('users.info', 'W1', { user: 'U1' }),
      ...toBuckets('users.info', 'W2', { user: 'U1' }),
      ...toBuckets('conversations.info', 'W1', { channel: 'C1' }),
    ].map(({ key }) => key);

    expect(keys).toEqual(['users.info:W1', 'users.info:W2', 'conversations.info:W1']);
  });

  it('are counted for each channel, too, where Slack does', () => {
    const posts = toBuckets('chat.postMessage', 'W1', { channel: 'C1', text: 'hello' });
    const statuses = toBuckets('assistant.threads.setStatus', 'W1', { channel_id: 'C1', thread_ts: '1.1', status: '' });

    expect(posts.map(({ key }) => key)).toEqual(['chat.postMessage:W1', 'chat.postMessage:W1:C1']);
    expect(statuses.map(({ key }) => key)).toEqual([
      'assistant.threads.setStatus:W1',
      'assistant.threads.setStatus:W1:C1',
    ]);
  });
});
