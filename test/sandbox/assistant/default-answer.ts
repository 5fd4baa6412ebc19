// A small believable assistant. Its answers depend on nothing but the question and the conversation.
import type { Answer, Attribution, Question } from './conversation.ts';
import { cite } from './odd-answers.ts';

export function answerByDefault(question: Question): Answer {
  const attributions = buildAttributions(question);
  return { text: buildText(question, attributions), attributions };
}

function buildText(question: Question, attributions: readonly Attribution[]): string {
  const lines = [
    `Hi ${question.name}, here is what I found about **${toTopic(question.text)}**.`,
    '',
    `- The team notes name an owner and a date; the latest change is agreed.${marker(attributions, 'Team notes')}`,
    ...question.files.map((uri) => `- I read the file *${toFileName(uri)}*.${marker(attributions, toFileName(uri))}`),
    question.isWebEnabled
      ? `- Web search adds a public overview.${marker(attributions, 'Public overview')}`
      : '- Web search was off for this question, so this rests on your organisation’s content only.',
    '',
    `“Today” is taken in ${question.timeZone ?? 'UTC (no time zone was given)'}.`,
    toMemory(question.earlier),
  ];
  return lines.join('\n');
}

function toMemory(earlier: readonly string[]): string {
  if (earlier.length === 0) return 'This is the first question of our conversation.';
  const quoted = earlier.map((text) => `“${toWords(text)}”`).join(', ');
  return `Earlier you asked ${earlier.length === 1 ? 'one question' : `${earlier.length} questions`}: ${quoted}.`;
}

function buildAttributions(question: Question): Attribution[] {
  return [
    cite('Team notes', 'https://files.example.com/sites/team/notes.docx'),
    ...question.files.map((uri) => cite(toFileName(uri), uri)),
    ...(question.isWebEnabled ? [cite('Public overview', 'https://www.example.org/overview')] : []),
  ];
}

function marker(attributions: readonly Attribution[], name: string): string {
  const index = attributions.findIndex((attribution) => attribution.providerDisplayName === name);
  return index === -1 ? '' : `[^${index + 1}^]`;
}

/** Below the last line in brackets: a program may put more than the question into its text. */
export function toWords(text: string): string {
  return text.split(/^\[.*\]\n/m).at(-1) ?? '';
}

function toTopic(text: string): string {
  return toWords(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[?!.]+$/, '')
    .slice(0, 200);
}

export function toFileName(uri: string): string {
  const last = new URL(uri).pathname.split('/').pop() ?? '';
  try {
    return decodeURIComponent(last) || uri;
  } catch {
    return last;
  }
}
