// The window that *Details* opens: how an answer came about.
import type { ModalView } from '@slack/types';
import { DateTime, IANAZone } from 'luxon';
import type { AnswerDetails, Turn } from '../../conversation/turn.ts';
import type { Texts } from '../../languages/english.ts';
import { SECTION_LIMIT } from '../text-out/message-budget.ts';
import { escapeMrkdwn } from '../text-out/neutralise.ts';
import { NOTES_BLOCK } from './answer-end.ts';
import { buildSection, shortenLines, toLocale } from './content.ts';
import { buildModal, type ModalTopic } from './modal.ts';

export function toDetailsTopic({ details, controls }: Texts): ModalTopic {
  return { id: 'details', title: details.title, loading: controls.loading };
}

type Zones = {
  /** The current value in the asker's Slack profile. */
  profileZone: string | undefined;
  defaultZone: string;
};

/** `message`: the clicked message, as Slack sent it. Its note about files is stored nowhere else. */
export function buildDetailsWindow(turn: Turn, message: unknown, zones: Zones, texts: Texts): ModalView {
  const words = texts.details;
  const { details, question, acceptedAt, decidedAt } = turn;
  const notes = readNotes(message);
  const zone = details?.timeZone ?? zones.profileZone ?? zones.defaultZone;
  const rows: [string, string | undefined][] = [
    [words.asked, formatTime(acceptedAt, zone, toLocale(texts))],
    [words.took, decidedAt === undefined ? undefined : formatSpan(decidedAt - acceptedAt, toLocale(texts))],
    [words.webSearch, question.webSearch && !details?.isWebOffByRule ? words.on : words.off],
    [words.timeZone, details && describeZone(details.timeZone, zones, texts)],
    ...describeContext(details, texts),
    [words.notes, notes?.join('\n') || (notes && words.noFiles)],
    [words.support, describeIds(turn)],
  ];
  const blocks = rows.flatMap(([label, value]) =>
    value === undefined ? [] : [buildSection(`*${label}*\n${shortenLines(value, SECTION_LIMIT - 100)}`)],
  );
  return buildModal({ id: 'details', title: words.title }, blocks, texts);
}

function describeContext(
  details: AnswerDetails | undefined,
  { details: words }: Texts,
): [string, string | undefined][] {
  if (!details) return [];
  const { quotes, permalinks, textFiles } = details;
  return [
    [words.thread, quotes ? words.threadQuotes(quotes.messages, quotes.cut) : words.threadNone],
    [words.permalinks, permalinks && words.permalinksUsed(permalinks.used, permalinks.refused)],
    [words.textFiles, textFiles === undefined ? undefined : words.textFilesUsed(textFiles)],
  ];
}

/** The source of the time zone is not stored. If the profile has changed since, show only the zone. */
function describeZone(zone: string, { profileZone, defaultZone }: Zones, { details: words }: Texts): string {
  const name = escapeMrkdwn(zone);
  if (zone === profileZone) return words.timeZoneOfProfile(name);
  return profileZone === undefined && zone === defaultZone ? words.timeZoneByDefault(name) : name;
}

/** Ids to find the question in our log and in the log of the service. */
function describeIds({ id, details }: Turn): string {
  return [id, details?.requestId].flatMap((known) => (known ? `\`${escapeMrkdwn(known)}\`` : [])).join('\n');
}

/** The lines below the answer without the last, which says that an AI wrote it. Undefined: there is no such block. */
function readNotes(message: unknown): string[] | undefined {
  const { blocks } = (message ?? {}) as { blocks?: unknown };
  if (!Array.isArray(blocks)) return undefined;
  const notes = blocks.find((block) => block?.block_id === NOTES_BLOCK);
  if (!Array.isArray(notes?.elements)) return undefined;
  return notes.elements.slice(0, -1).map((element: { text?: unknown }) => String(element?.text ?? ''));
}

function formatTime(at: number, timeZone: string, locale: string): string {
  const zone = IANAZone.isValidZone(timeZone) ? timeZone : 'utc';
  return DateTime.fromMillis(at, { zone, locale }).toLocaleString(DateTime.DATETIME_MED);
}

/** For example: 1 minute and 5 seconds. */
function formatSpan(ms: number, locale: string): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const span = { hours: Math.floor(seconds / 3600), minutes: Math.floor(seconds / 60) % 60, seconds: seconds % 60 };
  return new Intl.DurationFormat(locale, { style: 'long' }).format(span);
}
