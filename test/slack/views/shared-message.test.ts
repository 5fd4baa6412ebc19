import { describe, expect, it } from 'vitest';
import { buildSharedMessages } from '../../../src/slack/views/answer-message.ts';
import { aQuestion, aTurn } from '../../conversation/a-question.ts';

const TURN = aTurn({ question: aQuestion({ asker: { team: 'T1', user: 'U1' } }) });

/** Of a message of ours, as Slack gives it back. */
const SECTION = { type: 'rich_text_section', elements: [{ type: 'link', url: 'https://a.example', text: 'here' }] };
const CODE = { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'let x;' }] };
const RICH = { type: 'rich_text', elements: [SECTION, CODE] };

// That Slack takes what is divided: see ../catalogue/answer-kinds.ts.
describe('an answer that is shared', () => {
  it('says whose it is once, however it is divided', () => {
    const contents = buildSharedMessages(TURN, [{ text: 'an answer', blocks: Array(50).fill(RICH) }]);

    const labelled = contents.map(({ blocks }) => JSON.stringify(blocks).includes('<@U1> shares an answer'));
    expect(labelled).toEqual([true, false]);
  });

  it('is divided smaller, and then shown in plain words, where Slack refuses it', () => {
    const messages = [{ text: 'an answer', blocks: Array(50).fill(RICH) }];
    const [plain] = buildSharedMessages({ ...TURN, form: 'plain' }, [{ text: 'an answer', blocks: [RICH] }]);

    expect(buildSharedMessages({ ...TURN, form: 'small' }, messages).length).toBeGreaterThan(2);
    expect(plain?.blocks[1]).toMatchObject({ type: 'section', text: { type: 'plain_text', text: 'here\nlet x;' } });
  });
});
