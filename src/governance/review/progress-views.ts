// The message that shows how far a review is.
import type { Content } from '../../slack/views/content.ts';
import type { ReadProgress } from '../plan/read-seen.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { formatCount } from './finding-words.ts';
import type { ReviewHead } from './review.ts';

const BAR_LENGTH = 20;

/** `progress`: undefined while the inventory is read. */
export function buildProgress(progress: ReadProgress | undefined): Content {
  if (progress === undefined) return buildAdminText(':mag: *Review*: reading the inventory…');
  const { done, total } = progress;
  const filled = total === 0 ? BAR_LENGTH : Math.floor((done / total) * BAR_LENGTH);
  const bar = `${'▰'.repeat(filled)}${'▱'.repeat(BAR_LENGTH - filled)}`;
  const stuck = '_If this does not move for a minute, give the command again._';
  return buildAdminText(
    `:mag: *Review* ${bar} ${formatCredits(done)} of ${formatCount(total, 'environment')}\n${stuck}`,
  );
}

export function buildFinished({ at, endedAt, environments, agents }: ReviewHead): Content {
  const seconds = Math.max(1, Math.round((endedAt - at) / 1000));
  const read = `${formatCount(environments, 'environment')} and ${formatCount(agents, 'agent')}`;
  return buildAdminText(`:mag: *Review*: read ${read} in ${formatCount(seconds, 'second')}.`);
}

/** Nothing was changed: a review only reads. */
export function buildInterrupted(): Content {
  return buildAdminText(':x: *Review*: interrupted, because the app was stopped. Give the command again.');
}
