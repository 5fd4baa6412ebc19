import type { BlockButtonAction } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import type { Purpose } from '../../src/identity/account-link.ts';
import { english } from '../../src/languages/english.ts';
import { createLog } from '../../src/log.ts';
import { createSignInClicks } from '../../src/slack/sign-in-clicks.ts';
import { buildSignInButtons, buildSignInPrompt } from '../../src/slack/views/sign-in.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { aSlack, findInstallation } from './a-slack.ts';
import { only } from './only.ts';

const ANA = { team: 'T1', user: 'UANA' };
const HALF_AN_HOUR_MS = 30 * 60_000;

describe('what was clicked to sign in', () => {
  function open() {
    const clock = { at: 1_000_000 };
    const seen: string[] = [];
    const { call } = aSlack((method, { view_id }) => void seen.push(`${method} ${view_id}`));
    const clicks = createSignInClicks({
      ...{ call, log: createLog('silent'), now: () => clock.at, once: createMemoryStore(() => clock.at).once },
      findInstallation,
      messenger: only({ update: async () => undefined }),
      clicks: {
        async replace(body) {
          seen.push(`replaced ${(body as { container: { message_ts: string } }).container.message_ts}`);
          return true;
        },
      },
    });
    const click = (blocks: object[], ts: string, viewId: string, purpose: Purpose = 'assistant') =>
      clicks.keep({ person: ANA, workspace: 'T1', purpose }, toClick(blocks, ts), viewId);
    const signIn = (purpose: Purpose = 'assistant') =>
      clicks.settle(
        {
          ...ANA,
          purpose,
          schema: 1,
          workspace: 'T1',
          channelAnswers: 'thread',
          sealedTokens: '',
          linkedAt: 0,
        },
        { prompts: [], goesOn: false },
        english,
      );
    return { clock, seen, click, signIn };
  }

  const prompt = buildSignInPrompt('assistant', english).blocks;
  const saysMore = [{ type: 'section' }, buildSignInButtons('assistant', english)];

  it('is told once, the latest of several', async () => {
    const { seen, click, signIn } = open();
    await click(prompt, '1.1', 'V1');
    await click(prompt, '2.2', 'V2');

    await signIn();
    await signIn();

    expect(seen.sort()).toEqual(['replaced 2.2', 'views.update V2']);
  });

  it('stays where it says more than to sign in; its window does not', async () => {
    const { seen, click, signIn } = open();
    await click(saysMore, '1.1', 'V1');

    await signIn();

    expect(seen).toEqual(['views.update V1']);
  });

  it('is not told of a sign-in for something else, nor after half an hour', async () => {
    const { clock, seen, click, signIn } = open();
    await click(prompt, '1.1', 'V1', 'admin');
    await signIn();
    clock.at += HALF_AN_HOUR_MS;
    await signIn('admin');

    expect(seen).toEqual([]);
  });
});

function toClick(blocks: object[], ts: string): BlockButtonAction {
  const { block_id } = blocks.at(-1) as { block_id?: string };
  const message = { container: { message_ts: ts }, channel: { id: 'C1' }, response_url: 'https://hooks.example/1' };
  return { ...message, user: { id: ANA.user }, actions: [{ block_id }] } as unknown as BlockButtonAction;
}
