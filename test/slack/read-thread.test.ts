// A question that is asked again, as Slack has it. The rest is in ../end-to-end/changed-questions.test.ts.
import { describe, expect, it } from 'vitest';
import type { Question } from '../../src/conversation/question.ts';
import { english } from '../../src/languages/english.ts';
import { createThreadReader } from '../../src/slack/read-thread.ts';
import { buildRoot } from '../../src/slack/views/notice-message.ts';
import { aQuestion } from '../conversation/a-question.ts';
import { aSlack, findInstallation } from './a-slack.ts';

const SAID = { ts: '100.1', user: 'UANA', text: 'what?' };

function read(message: object, change: Partial<Question> = {}) {
  const { call } = aSlack(() => ({ messages: [{ ...SAID, ...message }] }));
  return createThreadReader({ call, findInstallation }).readQuestion(aQuestion(change));
}

describe('the message of a question', () => {
  it.each([
    ['whoever asked', {}, true],
    ['whoever asked, who edited it', { edited: { user: 'UANA', ts: '1.0' } }, true],
    ['whoever asked, and edited by somebody else', { edited: { user: 'UBEN', ts: '1.0' } }, false],
    ['somebody else', { user: 'UBEN' }, false],
  ])('is by %s', async (_, message, isByAsker) => {
    expect(await read(message)).toMatchObject({ text: 'what?', isByAsker });
  });

  it('is gone where it was deleted, and Slack keeps its place because of the replies', async () => {
    const tombstone = { subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.', hidden: true };

    expect(await read(tombstone)).toBeUndefined();
  });

  it('is taken for the frame of one only where we wrote it', async () => {
    const { blocks } = buildRoot(aQuestion({ text: 'framed' }), english);

    expect(await read({ blocks, user: 'UBOT' }, { origin: 'command' })).toMatchObject({ text: 'framed' });
    expect(await read({ blocks, user: 'UBOT' }, { origin: 'shortcut' })).toMatchObject({ text: 'framed' });
    expect((await read({ blocks }, { origin: 'command' }))?.text).not.toBe('framed');
  });
});
