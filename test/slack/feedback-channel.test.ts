import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import { textsOf } from '../../src/languages/texts.ts';
import { createLog } from '../../src/log.ts';
import { createFeedbackChannel } from '../../src/slack/feedback-channel.ts';
import { createThreadReader } from '../../src/slack/read-thread.ts';
import { toWords } from '../../src/slack/text-out/plain-text.ts';
import type { Content } from '../../src/slack/views/content.ts';
import { buildRoot } from '../../src/slack/views/notice-message.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { aSlack, findInstallation } from './a-slack.ts';

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

/** What goes along about a question of Ana's that she typed into the window *Ask about this message*, and its answer. */
async function sendAbout(root: object): Promise<string> {
  const asked = aQuestion({
    origin: 'shortcut',
    about: '50.1',
    threadTs: '50.1',
    messageTs: undefined,
    text: 'until when?',
  });
  const thread = [
    { ts: '50.1', ...root },
    { ts: '60.1', user: 'UBOT', ...buildRoot(asked, textsOf('en')) },
    { ts: '60.2', user: 'UBOT', text: 'Until May.', blocks: [{ type: 'markdown', text: 'Until May.' }] },
  ];
  const { call } = aSlack((_method, { oldest, latest = '99.9' }) => ({
    messages: thread.filter(({ ts }, index) => index === 0 || (ts >= String(oldest) && ts <= String(latest))),
  }));
  const posted: Content[] = [];
  const ports = {
    place: { team: 'T1', id: 'C9' },
    messenger: { post: async (_place: unknown, content: Content) => void posted.push(content) },
    channels: { look: async () => ({ isShared: false, isMember: true }) },
    audience: { look: async () => 'members' },
    ...createThreadReader({ call, findInstallation }),
    log: createLog('silent'),
  } as unknown as Parameters<typeof createFeedbackChannel>[0];
  const place = { step: 'placed', channel: 'C1', threadTs: '50.1' } as const;
  const turn = aTurn({
    question: { ...asked, text: '' },
    parts: [
      { ...place, ts: '60.1' },
      { ...place, ts: '60.2' },
    ],
  });
  await createFeedbackChannel(ports)({ ...FEEDBACK, reasons: [] }, turn);
  return toWords(posted[0]?.blocks);
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

  it.each([
    ['another person', { user: 'UBEN', text: 'The plan is ready.' }],
    ['the app, for another person', { user: 'UBOT', ...buildRoot(aQuestion({ text: 'who leaves?' }), textsOf('en')) }],
  ])('gets the question about a message, and the answer alone, where that message is of %s', async (_who, root) => {
    expect(await sendAbout(root)).toContain('\n*Question*\nuntil when?\n*Answer*\nUntil May.\n');
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
