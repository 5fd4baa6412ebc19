// What the modals of one command share: how they look while they load, and when they cannot continue.
import type { ModalView } from '@slack/types';
import { buildPlainText, buildSection, toMrkdwnLine } from './content.ts';

export type ModalTopic = {
  /** The beginning of their callback ids. */
  id: string;
  /** At most 24 characters: https://docs.slack.dev/reference/views/modal-views */
  title: string;
  /** Shown while the content is looked up. */
  loading: string;
};

/** Opened at once, because a trigger expires after 3 s: https://docs.slack.dev/surfaces/modals#opening */
export function buildLoadingModal({ id, title, loading }: ModalTopic): ModalView {
  return {
    type: 'modal',
    callback_id: `${id}_loading`,
    title: buildPlainText(title),
    close: buildPlainText('Cancel'),
    blocks: [buildSection(loading)],
  };
}

/** Replaces a modal that cannot continue. `sentence` is plain text and may come from outside. */
export function buildProblemModal(sentence: string, { id, title }: ModalTopic): ModalView {
  return {
    type: 'modal',
    callback_id: `${id}_problem`,
    title: buildPlainText(title),
    close: buildPlainText('Close'),
    blocks: [buildSection(toMrkdwnLine(sentence, 500))],
  };
}
