// Why drift that a review found cannot be accepted any more, in plain text.
import type { StillThere } from '../../../../governance/review/recheck.ts';
import { describeReason } from '../review/words.ts';

/** `decided`: what is said where others have decided about it. */
export function describeGone(still: Exclude<StillThere, { kind: 'open' }>, decided: string): string {
  switch (still.kind) {
    case 'as_approved':
      return 'This is as approved by now: there is nothing to accept. Review again.';
    case 'moved':
      return 'Something else is there by now than this review found, so nothing was accepted. Review again, and decide from what it says now.';
    case 'unreadable':
      return `What is there now cannot be told, because ${describeReason(still.reason)}, so nothing was accepted. Review again.`;
    case 'decided':
      return decided;
  }
}
