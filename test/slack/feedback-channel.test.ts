import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { createFeedbackChannel } from '../../src/slack/feedback-channel.ts';
import type { Content } from '../../src/slack/views/content.ts';
import { aTurn } from '../conversation/a-question.ts';

const TURN = aTurn();
const FEEDBACK = { turnId: TURN.id, verdict: 'bad', reasons: [], comment: 'Wrong plan.', withText: true } as const;

function startChannel(readers: 'guests' | 'members' | 'unknown', isShared = false) {
  const post = sinon.spy(async (_place: unknown, _content: Content) => '1.1');
  const readQuestion = sinon.spy(async () => ({ text: 'what is secret?', isByAsker: true }));
  const look = sinon.spy(async () => readers);
  const ports = {
    place: { team: 'T1', id: 'C9' },
    messenger: { post, update: async () => undefined },
    channels: { look: async () => ({ isShared, isMember: true }) },
    audience: { look },
    readQuestion,
    readAnswer: async () => '',
    log: createLog('silent'),
  } as unknown as Parameters<typeof createFeedbackChannel>[0];
  const send = async (withText: boolean) => {
    await createFeedbackChannel(ports)({ ...FEEDBACK, reasons: [], withText }, TURN);
    return JSON.stringify(post.firstCall?.args[1].blocks);
  };
  return { send, readQuestion, look };
}

describe('the feedback channel', () => {
  it.each(['guests', 'unknown'] as const)(
    'gets no text along, which is not even read, where its readers are: %s',
    async (readers) => {
      const { send, readQuestion, look } = startChannel(readers);

      const said = await send(true);

      expect(look.args).toEqual([['T1', 'C9']]);
      expect(said).toContain('Wrong plan.');
      expect(said).toContain('are left out: guests read this channel, or may do so');
      expect(readQuestion.callCount).toBe(0);
    },
  );

  it('gets nothing where people of other organisations read it', async () => {
    expect(await startChannel('members', true).send(false)).toBeUndefined();
  });

  it('says nothing of guests where no text was to go along', async () => {
    expect(await startChannel('guests').send(false)).not.toContain('guests');
  });

  it('asks for the text where members alone read it', async () => {
    const { send, readQuestion } = startChannel('members');

    expect(await send(true)).not.toContain('guests');
    expect(readQuestion.callCount).toBe(1);
  });
});
