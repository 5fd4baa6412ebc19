// The assistant of the demo: plain answers to common questions, and what each of them rests on.
import { DateTime } from 'luxon';
import type { Answer, AnswerFunction, Attribution, Question } from './conversation.ts';
import { toFileName, toWords } from './default-answer.ts';
import { type Ground, OTHER_TOPIC, TOPICS } from './simulated-topics.ts';

/** Deterministic but for the clock, which is read in the asker's time zone. */
export function createSimulatedAnswer(readNow: () => number = Date.now): AnswerFunction {
  return (question) => answer(question, readNow());
}

function answer(question: Question, nowMs: number): Answer {
  const ground: Ground = {
    now: DateTime.fromMillis(nowMs, { zone: question.timeZone ?? 'UTC', locale: 'en' }),
    name: question.name,
    words: toWords(question.text).trim(),
    fileNames: question.files.map(toFileName),
    quotes: readQuotes(question.text),
  };
  const topic = TOPICS.find(({ words }) => words.test(ground.words)) ?? OTHER_TOPIC;
  const attributions = buildAttributions(question, topic.source);
  const markers = attributions.map((_, index) => `[^${index + 1}^]`).join('');
  const grounded = [describeGround(question, ground, topic.source), markers].filter(Boolean).join(' ');
  return {
    text: [topic.answer(ground), '', `${grounded}. ${describeTurn(question)}`, '', CAVEAT].join('\n'),
    attributions,
  };
}

const CAVEAT = '_I am a simulation: what I say about your company is made up, and I open no file and no web page._';

function describeGround(question: Question, { quotes, fileNames }: Ground, source: string | undefined): string {
  const parts = [
    ...(source ? [source] : fileNames.length + quotes.length === 0 ? ['the question alone'] : []),
    question.isWebEnabled ? 'web search on' : 'web search off',
    ...fileNames.map((name) => `the file *${name}*`),
    ...(quotes.length > 0 ? [`${count(quotes.length, 'message')} quoted from Slack`] : []),
    question.timeZone ?? 'UTC, as no time zone was given',
  ];
  return `**Grounded in:** ${parts.join('; ')}`;
}

function describeTurn({ turn, earlier }: Question): string {
  const last = earlier.at(-1);
  if (last === undefined) return 'This is turn 1 of our conversation.';
  return `This is turn ${turn} of our conversation; before it you asked “${toWords(last).trim().slice(0, 80)}”.`;
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

/** Lines of one message follow each other and begin with `>`; between two messages stands who wrote them. */
function readQuotes(text: string): string[] {
  return [...text.matchAll(/(?:^>.*\n?)+/gm)].map(([lines]) => lines.replace(/^> ?/gm, '').trim()).filter(Boolean);
}

function buildAttributions({ files, isWebEnabled }: Question, source: string | undefined): Attribution[] {
  const cite = (providerDisplayName: string, seeMoreWebUrl: string): Attribution => ({
    attributionType: 'citation',
    attributionSource: 'grounding',
    providerDisplayName,
    seeMoreWebUrl,
  });
  const page = source?.toLowerCase().replaceAll(' ', '-');
  return [
    ...(source ? [cite(source, `https://files.example.com/sites/team/${page}.docx`)] : []),
    ...files.map((uri) => cite(toFileName(uri), uri)),
    ...(source && isWebEnabled ? [cite('Public overview', 'https://www.example.org/overview')] : []),
  ];
}
