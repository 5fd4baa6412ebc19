// The assistant of the demo. It answers common questions from the documents that the asker's account may read.
import { DateTime } from 'luxon';
import type { Answer, AnswerFunction, Question } from './conversation.ts';
import { toFileName, toWords } from './default-answer.ts';
import { cite } from './odd-answers.ts';
import { DOCUMENTS, findDocument, listFiles, mayRead } from './simulated-documents.ts';
import type { Ground } from './simulated-ground.ts';
import { type AnswerPart, TOPICS, type Topic, toList, UNKNOWN } from './simulated-topics.ts';

/** Deterministic but for the clock, which is read in the asker's time zone. */
export function createSimulatedAnswer(readNow: () => number = Date.now): AnswerFunction {
  return (question) => answer(question, readNow());
}

/** A sentence or more, and what it comes from. */
type Said = { readonly text: string; readonly source?: Source | undefined };

type Source = { readonly name: string; readonly url: string };

const WEB: Source = { name: 'Public overview', url: 'https://www.example.org/overview' };

function answer(question: Question, nowMs: number): Answer {
  const ground: Ground = {
    now: DateTime.fromMillis(nowMs, { zone: question.timeZone ?? 'UTC', locale: 'en' }),
    name: question.name,
    words: toWords(question.text).trim(),
    quotes: readQuotes(question.text),
    readable: listFiles(question.subject).map(({ name }) => name),
  };
  const files = findFiles(question, ground);
  return joinParts(
    files.length > 0 ? files.map((file) => tellFile(file, question, ground)) : tellTopic(question, ground),
  );
}

const ASKS_FOR_CONTENT =
  /\b(?:says?|reads?|contains?|content|in (?:it|this|that|there)|summar\w+|this (?:file|document))\b/i;

/** What the question is about, if it is about files: those that came along, or the one that it names. */
function findFiles({ files, subject }: Question, { words }: Ground): Source[] {
  const asks = ASKS_FOR_CONTENT.test(words);
  const isAbout = asks || matchTopic(words) === undefined || files.some((url) => words.includes(url));
  if (files.length > 0 && isAbout) return files.map((url) => ({ name: toFileName(url), url }));
  const isNamed = ({ name }: Source) =>
    words.toLowerCase().includes(name.toLowerCase()) || (asks && words.toLowerCase().includes(toTitle(name)));
  return listFiles(subject).filter(isNamed);
}

/** `launch plan`, for *Launch plan.docx*. */
function toTitle(name: string): string {
  return name.replace(/\.\w+$/, '').toLowerCase();
}

function tellFile({ name, url }: Source, { subject }: Question, ground: Ground): Said {
  const found = findDocument(url);
  if (!found?.says) {
    const readable = toList(ground.readable, 'conjunction');
    return { text: `I do not know *${name}*, so I cannot say what is in it. What I can read is ${readable}.` };
  }
  if (!mayRead(subject, found)) return { text: `I cannot open *${name}* with your access.` };
  const lines = found.says(ground).map((line) => `- ${line}`);
  return { text: [`*${name}* says:`, '', ...lines].join('\n'), source: { name, url } };
}

function tellTopic(question: Question, ground: Ground): Said[] {
  const { parts, otherwise } = findTopic(question, ground);
  const isOpen = ({ from }: AnswerPart) =>
    from === undefined || (from === 'web' ? question.isWebEnabled : mayRead(question.subject, DOCUMENTS[from]));
  const open = parts.filter(isOpen);
  return (open.length === 0 ? otherwise.filter(isOpen) : open).map(({ says, from }) => ({
    text: says(ground),
    source: from && (from === 'web' ? WEB : DOCUMENTS[from]),
  }));
}

/** “And for me?” is about what was asked before, in this conversation or by somebody else in the thread. */
function findTopic({ earlier }: Question, { words, quotes }: Ground): Topic {
  const before = /^and\b/i.test(words)
    ? [...quotes.filter(({ isByPerson }) => isByPerson).map(({ text }) => text), ...earlier.map(toWords)]
    : [];
  const found = [words, ...before.reverse()].map(matchTopic).find((topic) => topic !== undefined);
  return found ?? UNKNOWN;
}

function matchTopic(words: string): Topic | undefined {
  return TOPICS.find((topic) => topic.words.test(words));
}

/** Each part is followed by the number of its source. Items of one list stay together. */
function joinParts(said: readonly Said[]): Answer {
  const sources = [
    ...new Map(said.flatMap(({ source }) => source ?? []).map((source) => [source.url, source])).values(),
  ];
  let text = '';
  for (const { text: part, source } of said) {
    const number = sources.findIndex(({ url }) => url === source?.url) + 1;
    const isItem = part.startsWith('- ') && text.split('\n').at(-1)?.startsWith('- ');
    text += `${text === '' ? '' : isItem ? '\n' : '\n\n'}${part}${number > 0 ? ` [^${number}^]` : ''}`;
  }
  return { text, attributions: sources.map(({ name, url }) => cite(name, url)) };
}

/** Lines of one message follow each other and begin with `>`; the line before them says who wrote them, by name. */
function readQuotes(text: string): Ground['quotes'] {
  return [...text.matchAll(/(?:^([^>\n].*)\n)?((?:^>.*\n?)+)/gm)]
    .map(([, label = '', lines = '']) => ({
      text: lines.replace(/^> ?/gm, '').trim(),
      isByPerson: /“.*”/.test(label),
    }))
    .filter(({ text }) => text !== '');
}
