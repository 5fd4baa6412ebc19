import { describe, expect, it } from 'vitest';
import { type Section, speak } from '../../src/doctor/check.ts';
import { buildDoctorMessage } from '../../src/doctor/doctor-message.ts';
import { fits, MESSAGE_BUDGET, measureBlocks } from '../../src/slack/text-out/message-budget.ts';

const { say } = speak({ ok: '✓ {text}', warning: '! {text}', error: '✗ {text}' });
const ok = (text: string) => say('ok', { text });
const warning = (text: string, details: string[] = []) => ({ ...say('warning', { text }), details });
const error = (text: string) => say('error', { text });

/** The texts of its blocks. */
function show(sections: Section[]): string[] {
  const { blocks } = buildDoctorMessage(sections);
  return blocks.map((block) => ('text' in block && typeof block.text === 'object' ? block.text.text : block.type));
}

describe('what the doctor says in Slack', () => {
  it('has what does not work in full, by its part, and only counts the rest', () => {
    const sections = [
      { title: 'App', findings: [ok('It listens.'), ok('It can be reached.')] },
      { title: 'Store', findings: [ok('It answers.'), error('It is full. Make room.'), warning('It is slow.')] },
      { title: 'Installations', findings: [] },
    ];

    expect(show(sections)).toEqual([
      '*Doctor*: 1 error, 1 warning.',
      '*Store*\n:x: It is full. Make room.\n:warning: It is slow.',
      'In order: App (2 checks), Store (1 check).',
      'context',
    ]);
  });

  it('leaves details to the terminal, which name workspaces and turns', () => {
    const findings = [warning('2 questions were given up:', ['message:T1:C1:1.1', 'message:T1:C1:2.1'])];

    const shown = show([{ title: 'Questions', findings }]).join('\n');

    expect(shown).toContain(':warning: 2 questions were given up (2 more lines with `npm run doctor`).');
    expect(shown).not.toContain('message:T1');
  });

  it('formats nothing that comes from elsewhere as a mention or a link', () => {
    const findings = [error('In <!channel> <https://evil.example|Acme> the app lacks chat:write.')];

    expect(show([{ title: 'Slack', findings }]).join('\n')).toContain(
      'In &lt;!channel&gt; &lt;https://evil.example|Acme&gt; the app lacks',
    );
  });

  it('fits into one message, however much is wrong', () => {
    const findings = Array.from({ length: 300 }, (_, index) => error(`${index} ${'<&>'.repeat(500)}`));

    const { blocks } = buildDoctorMessage([{ title: 'Installations', findings }]);

    expect(fits(measureBlocks(blocks), MESSAGE_BUDGET)).toBe(true);
    expect(JSON.stringify(blocks)).toContain('… and 271 more lines.');
  });
});
