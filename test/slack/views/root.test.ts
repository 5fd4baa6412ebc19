import { expect, it } from 'vitest';
import { textsOf } from '../../../src/languages/texts.ts';
import { escapeMrkdwn } from '../../../src/slack/text-out/neutralise.ts';
import { buildRoot, readShownQuestion } from '../../../src/slack/views/notice-message.ts';
import { aQuestion } from '../../conversation/a-question.ts';

it('a long question is shown in sections that end in no emoji and no entity, and is read back as it was', () => {
  for (const before of Array(12).keys()) {
    const text = `${'a'.repeat(2_888 + before)}😀&😀<😀 and so on`;

    const { blocks } = buildRoot(aQuestion({ text }), textsOf('en'));

    const sections = JSON.parse(JSON.stringify(blocks)).slice(1) as { text: { text: string } }[];
    const shown = sections.map((section) => section.text.text);
    expect(shown.map((one) => one.isWellFormed() && !/&[a-z]*$/.test(one))).toEqual([true, true]);
    expect(readShownQuestion(blocks)?.text).toBe(escapeMrkdwn(text));
  }
});
