import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { describe, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const ONLY_ASKER = 'Only the person who asked can do that.';
const ALREADY = 'You did that already: look in the thread of your question.';
const NOT_OPENED = 'Slack did not open the window in time. Please try again.';

const world = shareLiveWorld();

const ana = () => world.slack.as('U0ANA');
const ben = () => world.slack.as('U0BEN');

/** A question of Ana's there, the answer to it, and where to look for what is said of it. */
async function askIn(channel: string) {
  const { question, answer } = await world.askAndWait('what is new?', { channel });
  return { question, answer, place: { channel, threadTs: question.ts } };
}

/** Presses *Sign in* under what a command said there, too late for Slack. Returns what is said of it. */
async function signInInVain(channel: string): Promise<Message> {
  const { reply } = await ana().command('/assistant', 'sign-in', channel);
  world.slack.faults.next('views.open', { kind: 'slackError', error: 'expired_trigger_id' });
  await ana().click(reply as Message, 'Sign in');
  return world.find(NOT_OPENED, { channel });
}

describe('what a click answers', () => {
  it('in a thread is seen in that thread, by the clicker alone', async () => {
    const { answer, place } = await askIn(CHANNEL);

    await ben().click(answer, 'Ask again without web');
    const told = await world.find(ONLY_ASKER, { ...place, user: 'U0BEN' });
    await ana().click(answer, 'Good answer');
    await world.find('Thank you, noted.', place);
    const atRoot = ben().sees(CHANNEL);

    expect(told.ephemeralFor).toBe('U0BEN');
    expect(atRoot.map(({ text }) => text).join()).not.toContain(ONLY_ASKER);
  });

  it('in a direct message is seen in the thread of the question', async () => {
    const { question, answer, place } = await askIn(ana().dm);

    await ana().click(answer, 'Ask again without web');
    await world.reply(question, 2);
    await ana().click(answer, 'Ask again without web');
    await ana().click(answer, 'Bad answer');

    await world.find(ALREADY, place);
    await world.find('Thank you, noted.', place);
  });

  it('at the root of a channel is seen there, although the app is no member', async () => {
    const told = await signInInVain('C0RANDOM');

    expect(told.ephemeralFor).toBe('U0ANA');
  });

  it('under what a command said in a direct message is seen there', async () => {
    await signInInVain(ana().dm);
  });

  it('is written to the clicker where Slack does not take it in the thread', async () => {
    const { answer } = await askIn(CHANNEL);
    world.slack.faults.next('chat.postEphemeral', { kind: 'slackError', error: 'user_not_in_channel' });

    await ben().click(answer, 'Ask again without web');

    await world.findDirect(ONLY_ASKER, 'U0BEN');
  });

  it('takes the place of the receipt that was clicked', async () => {
    const receipt = await world.findDirect('[Disconnect]');
    const count = ana().sees(ana().dm).length;

    await ana().click(receipt, 'Disconnect');
    const replaced = await world.findDirect('Disconnected. Your sign-in is deleted here.');

    expect(replaced.ts).toBe(receipt.ts);
    expect(world.slack.render(replaced)).not.toContain('[Disconnect]');
    expect(ana().sees(ana().dm)).toHaveLength(count);
  });
});
