import { describe, expect, it } from 'vitest';
import { shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld();

const LINE = 'Your question is kept, and I answer it here as soon as that is over';

/** The service refuses to be asked for a while: the next question is told to wait so long. */
const beBusy = (seconds: number, times = 1) =>
  world.assistant.faults.next('429-seconds', { retryAfterS: seconds, times });

describe('a question while the service asks to wait', () => {
  it('gets one line in its thread, and in its place the answer', async () => {
    beBusy(6);

    const { question, text: line } = await world.askAndWait('what is new?');
    await world.find('Written by AI', { threadTs: question.ts });
    await world.slack.until(() => world.repliesIn(question).length === 1, { what: 'the line to go' });

    expect(line).toContain('The assistant is busy and asks me to wait.');
    expect(line).toContain(LINE);
    expect(world.slack.render(world.repliesIn(question)[0] as never)).toContain('Written by AI');
    expect(world.assistant.ledger.chats().map(({ text }) => text)).toEqual(['what is new?', 'what is new?']);
  });

  it('can be cancelled by the one who asked, and by nobody else', async () => {
    beBusy(60);
    const { question, answer: line } = await world.askAndWait('never mind?');

    await world.slack.as('U0BEN').click(line, 'Cancel the question');
    await world.find('can cancel the question', { user: 'U0BEN', threadTs: question.ts });
    const stillWaits = world.slack.render(world.repliesIn(question)[0] as never);
    await world.slack.as('U0ANA').click(line, 'Cancel the question');
    await world.find('Stopped.', { threadTs: question.ts });
    await world.slack.until(() => world.repliesIn(question).length === 1, { what: 'the line to go' });

    expect(stillWaits).toContain(LINE);
    expect(world.assistant.ledger.chats()).toHaveLength(1);
  });

  it('is asked at its time, although the process died before', async () => {
    // Long enough for a restart, and far shorter than the app's look for lanes that nobody is at.
    beBusy(10);
    await world.askAndWait('still there?');

    await world.restart();

    const isAsked = () => world.assistant.ledger.chats().length === 2;
    await world.slack.until(isAsked, { what: 'the second ask', timeoutMs: 40_000 });
  });
});
