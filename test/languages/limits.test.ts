import { checkMessage } from '@assistant-bridge/sandbox/slack/blocks/check-message.ts';
import { checkView } from '@assistant-bridge/sandbox/slack/blocks/check-view.ts';
import { describe, expect, it } from 'vitest';
import { english, type Texts } from '../../src/languages/english.ts';
import { LANGUAGES } from '../../src/languages/language.ts';
import { textsOf } from '../../src/languages/texts.ts';
import { listAskerKinds } from '../slack/catalogue/every-kind.ts';
import { doubleTexts } from './double-texts.ts';
import { listTexts } from './walk-texts.ts';

const EVERY: [string, Texts][] = [
  ...LANGUAGES.map((language): [string, Texts] => [language, textsOf(language)]),
  ['twice as long', doubleTexts(english)],
];

/** Slack recommends no more for what a notification or a screen reader gets. */
const MAX_TEXT_LENGTH = 4_000;

describe.each(EVERY)('a language such as %s', (_name, texts) => {
  it('has no message that Slack refuses', async () => {
    const kinds = await listAskerKinds(texts);
    const messages = kinds.flatMap((kind) => ('message' in kind ? [{ ...kind.message, kind: kind.kind }] : []));

    expect(messages.length).toBeGreaterThan(60);
    expect(
      messages.flatMap(({ kind, blocks }) => checkMessage(blocks)?.messages.map((why) => [kind, why]) ?? []),
    ).toEqual([]);
    expect(messages.filter(({ text }) => text === '' || text.length > MAX_TEXT_LENGTH)).toEqual([]);
  });

  it('has no window and no home tab that Slack refuses', async () => {
    const kinds = await listAskerKinds(texts);
    const views = kinds.flatMap((kind) => ('view' in kind ? [kind] : []));

    expect(views.length).toBeGreaterThan(30);
    expect(views.flatMap(({ kind, view }) => checkView({ ...view }, view.type).map((why) => [kind, why]))).toEqual([]);
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
