// What all windows of Slack share: their frame, how they look while they load, and when they cannot continue.
import type { AnyBlock, ModalView } from '@slack/types';
import type { Texts } from '../../languages/english.ts';
import { buildSection, buildTitle, toMrkdwnLine } from './content.ts';

export type ModalTopic = {
  /** The beginning of their callback ids. */
  id: string;
  title: string;
  /** Shown while the content is looked up. */
  loading: string;
};

/** `id`: the callback id. `submit`: the label of the submit button. `metadata`: Slack sends it back with the submission. */
type Frame = { id?: string; title: string; submit?: string; metadata?: string };

/** Beside a submit button the other one says *Cancel*, else *Close*. */
export function buildModal({ id, title, submit, metadata }: Frame, blocks: AnyBlock[], { controls }: Texts): ModalView {
  return {
    type: 'modal',
    ...(id && { callback_id: id }),
    ...(metadata !== undefined && { private_metadata: metadata }),
    title: buildTitle(title),
    ...(submit && { submit: buildTitle(submit) }),
    close: buildTitle(submit ? controls.cancel : controls.close),
    blocks,
  };
}

/** Opened at once, because a trigger expires after 3 s: https://docs.slack.dev/surfaces/modals#opening */
export function buildLoadingModal({ id, title, loading }: ModalTopic, texts: Texts): ModalView {
  return buildModal({ id: `${id}_loading`, title }, [buildSection(loading)], texts);
}

/** Replaces a modal that cannot continue. `sentence` is plain text and may come from outside. */
export function buildProblemModal(sentence: string, { id, title }: ModalTopic, texts: Texts): ModalView {
  return buildModal({ id: `${id}_problem`, title }, [buildSection(toMrkdwnLine(sentence, 500))], texts);
}
