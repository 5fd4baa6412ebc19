// What the modals of one command share: how they look while they load, and when they cannot continue.
import type { ModalView } from '@slack/types';
import type { Texts } from '../../languages/english.ts';
import { buildSection, buildTitle, toMrkdwnLine } from './content.ts';

export type ModalTopic = {
  /** The beginning of their callback ids. */
  id: string;
  title: string;
  /** Shown while the content is looked up. */
  loading: string;
};

/** Opened at once, because a trigger expires after 3 s: https://docs.slack.dev/surfaces/modals#opening */
export function buildLoadingModal({ id, title, loading }: ModalTopic, { controls }: Texts): ModalView {
  return {
    type: 'modal',
    callback_id: `${id}_loading`,
    title: buildTitle(title),
    close: buildTitle(controls.cancel),
    blocks: [buildSection(loading)],
  };
}

/** Replaces a modal that cannot continue. `sentence` is plain text and may come from outside. */
export function buildProblemModal(sentence: string, { id, title }: ModalTopic, { controls }: Texts): ModalView {
  return {
    type: 'modal',
    callback_id: `${id}_problem`,
    title: buildTitle(title),
    close: buildTitle(controls.close),
    blocks: [buildSection(toMrkdwnLine(sentence, 500))],
  };
}
