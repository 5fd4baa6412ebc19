// The assistant of the demo. It answers common questions from the documents that the asker's account may read.
import { DateTime } from 'luxon';
import type { Answer, AnswerFunction, Attribution, Question } from './conversation.ts';
import { toFileName, toWords } from './default-answer.ts';
import { DOCUMENTS, type DocumentId, listFiles, mayRead } from './simulated-documents.ts';
import { type Answers, ENGLISH } from './simulated-english.ts';
import { GERMAN } from './simulated-german.ts';
import type { Ground } from './simulated-ground.ts';
import { type AnswerPart, TOPICS, type Topic, UNKNOWN } from './simulated-topics.ts';

/** Deterministic but for the clock, which is read in the asker's time zone. */
export function createSimulatedAnswer(readNow: () => number = Date.now): AnswerFunction {
  return (question) => answer(question, readNow());
}

/** A sentence or more, and what it comes from. */
type Said = { readonly text: string; readonly source?: Source | undefined };

type Source = { readonly name: string; readonly url: string };

const WEB: Source = { name: 'Public overview', url: 'https://www.example.org/overview' };

function answer(question: Question, nowMs: number): Answer {
  const words = toWords(question.text).trim();
  const isInGerman = GERMAN_WORDS.test(words);
  const answers = isInGerman ? GERMAN : ENGLISH;
  const ground: Ground = {
    now: DateTime.fromMillis(nowMs, { zone: question.timeZone ?? 'UTC', locale: isInGerman ? 'de' : 'en' }),
    name: question.name,
    words,
    quotes: readQuotes(question.text),
    readable: listFiles(question.subject).map(({ name }) => name),
  };
  const files = findFiles(question, ground);
  return cite(
    files.length > 0
      ? files.map((file) => tellFile(file, question, { answers, ground }))
      : tellTopic(question, { answers, ground }),
  );
}

/** Words that are in most German questions, and in no English one. */
const GERMAN_WORDS =
  /[äöß]|\b(?:ist|sind|und|der|das|ein|eine[mnrs]?|für|vom|zum|wer|wie|wann|wo|welche[mnrs]?|ich|mir|wir|uns|bitte|steht|bleibt|gibt|heute|morgen|hallo|danke|hilfe)\b/i;

type Speaking = { answers: Answers; ground: Ground };

const ASKS_FOR_CONTENT =
  /\b(?:says?|reads?|contains?|content|in (?:it|this|that|there)|summar\w+|this (?:file|document)|steht|sagt|inhalt|darin|zusammen\w*|diese[rs]? (?:datei|dokument))\b/i;

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

function tellFile({ name, url }: Source, { subject }: Question, { answers, ground }: Speaking): Said {
  const found = Object.entries(DOCUMENTS).find(([, document]) => new URL(document.url).href === new URL(url).href);
  const id = found?.[0] as DocumentId | undefined;
  if (id === undefined || !(id in answers.contents)) return { text: answers.notKnown(name, ground.readable) };
  if (!mayRead(subject, id)) return { text: answers.closed(name) };
  const lines = answers.contents[id as keyof Answers['contents']](ground);
  return { text: [answers.says(name), '', ...lines.map((line) => `- ${line}`)].join('\n'), source: { name, url } };
}

function tellTopic(question: Question, { answers, ground }: Speaking): Said[] {
  const { parts, otherwise = [] } = findTopic(question, ground);
  const isOpen = ({ from }: AnswerPart) =>
    from === undefined || (from === 'web' ? question.isWebEnabled : mayRead(question.subject, from));
  const open = parts.filter(isOpen);
  const isEmpty = open.length === 0;
  return (isEmpty ? otherwise.filter(isOpen) : open).map(({ says, from }) => ({
    text: answers[says](ground),
    source: from && (from === 'web' ? WEB : DOCUMENTS[from]),
  }));
}

/** “And for me?” is about what was asked before, in this conversation or by somebody else in the thread. */
function findTopic({ earlier }: Question, { words, quotes }: Ground): Topic {
  const before = /^(?:and|und)\b/i.test(words)
    ? [...quotes.filter(({ isByPerson }) => isByPerson).map(({ text }) => text), ...earlier.map(toWords)]
    : [];
  const found = [words, ...before.reverse()].map(matchTopic).find((topic) => topic !== undefined);
  return found ?? UNKNOWN;
}

function matchTopic(words: string): Topic | undefined {
  return TOPICS.find((topic) => topic.words.test(words));
}

/** Each part is followed by the number of its source. Items of one list stay together. */
function cite(said: readonly Said[]): Answer {
  const sources = [
    ...new Map(said.flatMap(({ source }) => source ?? []).map((source) => [source.url, source])).values(),
  ];
  let text = '';
  for (const { text: part, source } of said) {
    const number = sources.findIndex(({ url }) => url === source?.url) + 1;
    const isItem = part.startsWith('- ') && text.split('\n').at(-1)?.startsWith('- ');
    text += `${text === '' ? '' : isItem ? '\n' : '\n\n'}${part}${number > 0 ? ` [^${number}^]` : ''}`;
  }
  return { text, attributions: sources.map(toAttribution) };
}

function toAttribution({ name, url }: Source): Attribution {
  return {
    attributionType: 'citation',
    attributionSource: 'grounding',
    providerDisplayName: name,
    seeMoreWebUrl: url,
  };
}

/** Lines of one message follow each other and begin with `>`; the line before them says who wrote them, by name. */
function readQuotes(text: string): Ground['quotes'] {
  return [...text.matchAll(/(?:^([^>\n].*)\n)?((?:^>.*\n?)+)/gm)]
    .map(([, label = '', lines = '']) => ({
      text: lines.replace(/^> ?/gm, '').trim(),
      isByPerson: /[“„].*[”“]/.test(label),
    }))
    .filter(({ text }) => text !== '');
}
