import { checkMessage } from '@assistant-bridge/sandbox/slack/blocks/check-message.ts';
import { checkView } from '@assistant-bridge/sandbox/slack/blocks/check-view.ts';
import { describe, expect, it } from 'vitest';
import { english } from '../../src/languages/english.ts';
import { LANGUAGES } from '../../src/languages/language.ts';
import { textsOf } from '../../src/languages/texts.ts';
import { listAskerKinds } from '../slack/catalogue/every-kind.ts';
import { doubleTexts } from './double-texts.ts';
import { listTexts } from './walk-texts.ts';

// Our own languages are checked in ../slack/catalogue/every-kind.test.ts.
describe('a language that is twice as long', () => {
  it('has no message, no window and no home tab that Slack refuses', async () => {
    const kinds = await listAskerKinds(doubleTexts(english));
    const refused = kinds.flatMap((kind) =>
      'view' in kind
        ? checkView({ ...kind.view }, kind.view.type)
        : (checkMessage(kind.message.blocks)?.messages ?? []),
    );

    expect(kinds.length).toBeGreaterThan(90);
    expect(refused).toEqual([]);
  });
});

describe.each(LANGUAGES)('%s', (language) => {
  it('has no title, button or dialog that is cut', async () => {
    const texts = textsOf(language);
    const whole = new Set(listTexts(texts).map(({ value }) => value));

    const labels = (await listAskerKinds(texts)).flatMap(findLabels);

    expect(new Set(labels).size).toBeGreaterThan(30);
    expect(labels.filter((label) => !whole.has(label))).toEqual([]);
  });

  it('suggests no more questions than Slack takes', () => {
    expect(textsOf(language).home.prompts.length).toBeLessThanOrEqual(4);
  });
});

const LABELS = ['title', 'submit', 'close', 'confirm', 'deny', 'positive_button', 'negative_button'];

/** What stands on buttons, and in the titles and dialogs around them. */
function findLabels(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(findLabels);
  if (typeof node !== 'object' || node === null) return [];
  const { type, text } = node as { type?: string; text?: unknown };
  const own = type === 'button' ? [toWords(text)] : [];
  const below = Object.entries(node).flatMap(([name, value]) => [
    ...(LABELS.includes(name) ? [toWords(value)] : []),
    ...findLabels(value),
  ]);
  return [...own, ...below];
}

/** Of a text object, or of something that has one. */
function toWords(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return 'text' in value ? toWords(value.text) : '';
}
