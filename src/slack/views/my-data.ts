import type { ModalView, RichTextBlock } from '@slack/types';
import type { AccountLink } from '../../identity/account-link.ts';
import type { Kept, Removed } from '../../identity/personal-data.ts';
import type { Texts } from '../../languages/english.ts';
import { findFurthest } from '../text-out/message-budget.ts';
import { CALLBACKS } from './callbacks.ts';
import { buildSection, type Content } from './content.ts';
import { formatSince, nameOfAccount } from './home.ts';
import { buildModal, type ModalTopic } from './modal.ts';

/** The window while data is read, exported or deleted. */
export function toDataTopic(what: 'looking' | 'exporting' | 'deleting', { home: { data } }: Texts): ModalTopic {
  return { id: 'my_data', title: data.title, loading: data[what] };
}

/** A window that only shows a text. */
export function buildDataWindow(sentences: readonly string[], texts: Texts): ModalView {
  return buildModal({ title: texts.home.data.title }, sentences.map(buildSection), texts);
}

export function buildKept(kept: Kept, timeZone: string, texts: Texts): ModalView {
  const { data } = texts.home;
  const open = kept.turns.filter(({ stage }) => stage !== 'done').length;
  return buildDataWindow(
    [
      ...buildSignIns(kept.links, timeZone, texts),
      data.questions(kept.turns.length, open),
      data.threads(kept.spokenIn.length, kept.conversations.length),
      data.scheduled(kept.scheduled.length),
      data.feedback,
      data.elsewhere,
      ...(kept.links.some(({ purpose }) => purpose === 'admin') ? [data.audit] : []),
    ],
    texts,
  );
}

/** What is deleted and what is not; *Delete* submits it. */
export function buildDeleteWindow(texts: Texts): ModalView {
  const { deleteTitle: title, deleteSubmit: submit, deleteWhat, deleteNot } = texts.home.data;
  return buildModal({ id: CALLBACKS.deleteMyData, title, submit }, [deleteWhat, deleteNot].map(buildSection), texts);
}

export function buildDeleted({ signIns, cancelled, records, left }: Removed, texts: Texts): ModalView {
  const { data } = texts.home;
  const sentences = [
    data.deleted(signIns, records),
    ...(cancelled > 0 ? [data.cancelled(cancelled)] : []),
    ...(left > 0 ? [data.left] : []),
  ];
  return buildDataWindow([sentences.join(' ')], texts);
}

/** JSON as messages that fit, cut at its lines. */
export function buildExport(json: string, texts: Texts): Content[] {
  const { data } = texts.home;
  const pieces = cutAtLines(json);
  return pieces.map((piece, index) => {
    const head = data.exportHead(index + 1, pieces.length);
    return { text: head, blocks: [buildSection(head), toCode(piece)] };
  });
}

/** Slack takes about 13,200 in a message: see MESSAGE_BUDGET. */
const PIECE = 10_000;

/** A line that is longer, such as a long question that still waits, is cut anywhere. */
function cutAtLines(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const furthest = findFurthest(text, start, PIECE);
    const lineEnd = furthest === text.length ? -1 : text.lastIndexOf('\n', furthest);
    const end = lineEnd > start ? lineEnd : furthest;
    pieces.push(text.slice(start, end));
    start = end === lineEnd ? end + 1 : end;
  }
  return pieces;
}

/** Slack finds no links, mentions or entities in it. */
function toCode(text: string): RichTextBlock {
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
  };
}

function buildSignIns(links: AccountLink[], timeZone: string, texts: Texts): string[] {
  const { data } = texts.home;
  if (links.length === 0) return [data.noSignIn];
  return links.flatMap((link) => {
    const name = nameOfAccount(link, texts);
    const since = formatSince(link.linkedAt, timeZone, texts);
    if (link.purpose === 'admin') return [data.adminSignIn(name, since)];
    return [data.signIn(name, since), data.channelAnswers(link.channelAnswers === 'private')];
  });
}
