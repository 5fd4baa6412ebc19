import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { describe, expect, it } from 'vitest';
import { CHANNEL, type LiveWorld, shareLiveWorld } from './live-world.ts';

const ONLY_ASKER = 'Only the person who asked can do that.';
const ALREADY = 'You did that already: look in the thread of your question.';
const NOT_OPENED = 'Slack did not open the window in time, so nothing was done. Please try again.';

let world: LiveWorld;

shareLiveWorld((started) => {
  world = started;
});

const ana = () => world.slack.as('U0ANA');
const ben = () => world.slack.as('U0BEN');

/** Waits until this person sees it in the thread, or without one at the root of the channel. */
const sees = (person: ReturnType<typeof ana>, words: string, place: { channel: string; threadTs?: string }) =>
  world.slack.until(
    () => person.sees(place.channel, place.threadTs).find((message) => world.slack.render(message).includes(words)),
    { what: `“${words}” ${place.threadTs ? 'in the thread' : 'at the root'}` },
  );

const textsAt = (person: ReturnType<typeof ana>, channel: string) => person.sees(channel).map(({ text }) => text);

/** A question of Ana's there, and the answer to it. */
async function askIn(channel: string): Promise<{ answer: Message; threadTs: string }> {
  const said = await ana().say(channel, `${world.slack.mention} what is new?`);
  await world.waitForReplies(said);
  const [answer] = world.repliesIn(said);
  if (!answer) throw new Error('no answer');
  return { answer, threadTs: said.ts };
}

describe('what a click answers', () => {
  it('in a thread is seen in that thread, by the clicker alone', async () => {
    const { answer, threadTs } = await askIn(CHANNEL);

    await ben().click(answer, 'Ask again without web');
    const told = await sees(ben(), ONLY_ASKER, { channel: CHANNEL, threadTs });
    await ana().click(answer, 'Good answer');
    await sees(ana(), 'Thank you, noted.', { channel: CHANNEL, threadTs });

    expect(told.ephemeralFor).toBe('U0BEN');
    expect(textsAt(ben(), CHANNEL).join()).not.toContain(ONLY_ASKER);
  });

  it('in a direct message is seen in the thread of the question', async () => {
    const { answer, threadTs } = await askIn(ana().dm);
    const place = { channel: ana().dm, threadTs };

    await ana().click(answer, 'Ask again without web');
    await world.waitForReplies({ channel: ana().dm, ts: threadTs }, 2);
    await ana().click(answer, 'Ask again without web');
    await ana().click(answer, 'Bad answer');

    await sees(ana(), ALREADY, place);
    await sees(ana(), 'Thank you, noted.', place);
  });

  it('at the root of a channel is seen there, although the app is no member', async () => {
    const { reply } = await ana().command('/assistant', 'sign-in', 'C0RANDOM');
    world.slack.faults.next('views.open', { kind: 'slackError', error: 'expired_trigger_id' });

    await ana().click(reply as Message, 'Sign in');

    expect((await sees(ana(), NOT_OPENED, { channel: 'C0RANDOM' })).ephemeralFor).toBe('U0ANA');
  });

  it('under what a command said in a direct message is seen there', async () => {
    const { reply } = await ana().command('/assistant', 'sign-in', ana().dm);
    world.slack.faults.next('views.open', { kind: 'slackError', error: 'expired_trigger_id' });

    await ana().click(reply as Message, 'Sign in');

    await sees(ana(), NOT_OPENED, { channel: ana().dm });
  });

  it('is written to the clicker where Slack does not take it in the thread', async () => {
    const { answer } = await askIn(CHANNEL);
    world.slack.faults.next('chat.postEphemeral', { kind: 'slackError', error: 'user_not_in_channel' });

    await ben().click(answer, 'Ask again without web');

    await sees(ben(), ONLY_ASKER, { channel: ben().dm });
  });

  it('takes the place of the receipt that was clicked', async () => {
    const receipt = await sees(ana(), '[Disconnect]', { channel: ana().dm });
    const count = ana().sees(ana().dm).length;

    await ana().click(receipt, 'Disconnect');
    const replaced = await sees(ana(), 'Disconnected. Your sign-in is deleted here.', { channel: ana().dm });

    expect(replaced.ts).toBe(receipt.ts);
    expect(world.slack.render(replaced)).not.toContain('[Disconnect]');
    expect(ana().sees(ana().dm)).toHaveLength(count);
  });
});
