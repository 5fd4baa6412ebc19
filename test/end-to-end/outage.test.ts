import { describe, expect, it } from 'vitest';
import { startAppProcess } from '../app/app-process.ts';
import { CHANNEL, type LiveWorld, shareLiveWorld } from './live-world.ts';

let world: LiveWorld;

shareLiveWorld((started) => {
  world = started;
});

const LINE = 'Your question is kept, and I answer it here as soon as that is over';

/** The service refuses to be asked for a while: the next question is told to wait so long. */
const beBusy = (seconds: number, times = 1) =>
  world.assistant.faults.next('429-seconds', { retryAfterS: seconds, times });

describe('a question while the service asks to wait', () => {
  it('gets one line in its thread, and in its place the answer', async () => {
    beBusy(6);

    const question = await world.ask('what is new?');
    const [line] = await world.waitForReplies(question);
    await world.slack.until(
      () => world.repliesIn(question).some((reply) => !world.slack.render(reply).includes(LINE)),
      {
        what: 'the answer',
      },
    );
    await world.slack.until(() => world.repliesIn(question).length === 1, { what: 'the line to go' });

    expect(line).toContain('The assistant is busy and asks me to wait.');
    expect(line).toContain(LINE);
    expect(world.slack.render(world.repliesIn(question)[0] as never)).toContain('Written by AI');
    expect(world.assistant.ledger.chats().map(({ text }) => text)).toEqual(['what is new?', 'what is new?']);
  });

  it('can be cancelled by the one who asked, and by nobody else', async () => {
    beBusy(60);
    const question = await world.ask('never mind?');
    await world.waitForReplies(question);
    const [line] = world.repliesIn(question);
    if (!line) throw new Error('no line');

    await world.slack.as('U0BEN').click(line, 'Cancel the question');
    const isTold = ({ text }: { text: string }) => text.includes('can cancel the question');
    await world.slack.until(() => world.slack.as('U0BEN').sees(CHANNEL, question.ts).some(isTold));
    const stillWaits = world.slack.render(world.repliesIn(question)[0] as never);
    await world.slack.as('U0ANA').click(line, 'Cancel the question');
    await world.slack.until(
      () =>
        world
          .repliesIn(question)
          .map((reply) => world.slack.render(reply))
          .join()
          .includes('Stopped.'),
      { what: 'the word that it is stopped' },
    );
    await world.slack.until(() => world.repliesIn(question).length === 1, { what: 'the line to go' });

    expect(stillWaits).toContain(LINE);
    expect(world.assistant.ledger.chats()).toHaveLength(1);
  });

  it('is asked at its time, although the process died before', async () => {
    // Long enough for a restart, and far shorter than the app's look for lanes that nobody is at.
    beBusy(10);
    const question = await world.ask('still there?');
    await world.waitForReplies(question);

    await world.app.kill('SIGKILL');
    world.app = await startAppProcess(world.environment);

    await world.slack.until(() => world.assistant.ledger.chats().length === 2, {
      what: 'the second ask',
      timeoutMs: 40_000,
    });
  });
});
