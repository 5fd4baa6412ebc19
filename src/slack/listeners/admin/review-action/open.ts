import type { AdminShell } from '../../../../governance/shell/admin-shell.ts';
import type { Opened } from '../../../../governance/shell/modal.ts';
import { parseReviewPlace, type ReviewPlace } from '../../../views/admin/review/place.ts';
import type { ModalTopic } from '../../../views/modal.ts';

export type Pressed = Opened & { place: ReviewPlace };

const OUT_OF_DATE = 'This button is too old, so nothing was done. Give the command again: `/assistant-admin review`.';

/** A button of a review's report, which opens a modal. */
export function onReviewButton(
  shell: AdminShell,
  button: { actionId: string; topic: ModalTopic },
  work: (pressed: Pressed) => Promise<void>,
): void {
  shell.onModalButton({ ...button, parse: parseReviewPlace, outOfDate: OUT_OF_DATE }, (place, opened) =>
    work({ ...opened, place }),
  );
}
