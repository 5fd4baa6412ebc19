// Updates the message of a review after a run: findings that the run has settled get a tick and lose their buttons.
import type { Edit } from '../../policy/edit.ts';
import { toEntryKey, toSubjectKey, toTargetKey } from '../../policy/target.ts';
import { readClickedMessage } from '../../slack/answer-clicks.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { type Item, targetOf } from '../plan/plan.ts';
import type { EndedRun } from '../run/run-store.ts';
import type { GovernanceServices } from '../services.ts';
import { type Finding, toFindingKey, toItemKey, toTarget } from './finding.ts';
import { findMessage, keepMessage, settleFindings, showPage } from './kept-review.ts';
import type { ReviewPlace } from './review-buttons.ts';
import { buildReviewMessage } from './review-views.ts';

/** Stores which message was clicked, so that the outcome of the click can update it. Throws StoreUnavailableError. */
export async function rememberMessage(
  { id, page = 0 }: ReviewPlace,
  { body, replyTo }: { body: object; replyTo: string },
  services: Pick<GovernanceServices, 'once' | 'now'>,
): Promise<void> {
  const message = readClickedMessage(body);
  if (message === undefined || message.isEphemeral) return;
  await keepMessage(replyTo, { id, page, channel: message.channel, ts: message.ts }, services);
}

/** For every run that has ended. Never throws: the buttons of an old message say that there is nothing to do. */
export async function showSettled(ended: EndedRun, services: GovernanceServices): Promise<void> {
  const { by, replyTo } = ended.run;
  try {
    const message = await findMessage(replyTo, services);
    if (message === undefined) return;
    const { id, page, channel, ts } = message;
    const found = await settleFindings(id, (finding) => isSettledBy(ended, finding), services);
    if (!found) return;
    const [shown, timeZone] = await Promise.all([showPage(found, page, by, services), services.timeZone(by)]);
    await services.messenger.update({ workspace: by.workspace, channel }, ts, buildReviewMessage(shown, { timeZone }));
  } catch (error) {
    services.log.warn({ code: toCallCode(error) }, 'settled review not shown');
  }
}

/** Whether the policy has changed for the finding, or the service shows what the policy says. */
function isSettledBy({ content: { plan }, results }: EndedRun, finding: Finding): boolean {
  if (finding.group === 'unknown') return false;
  const key = toFindingKey(finding);
  const index = plan.items.findIndex((item) => toItemKey(targetOf(item)) === key);
  if (index !== -1) return results.get(index)?.kind === 'verified';
  return plan.edits.some((edit) => isAbout(edit, finding));
}

/** Whether the edit is that of *Keep…*, *End now* or a class for this finding. */
function isAbout(edit: Edit, finding: Finding): boolean {
  const { setting, target } = edit;
  if (finding.group === 'ending') {
    return toEntryKey(setting, target) === toEntryKey(finding.entry.setting, finding.entry.target);
  }
  const isSetting = 'item' in finding ? isSetBy(edit, finding.item) : setting === 'class';
  return isSetting && toSubjectKey(target) === toSubjectKey(toTarget(finding));
}

/** A limit is of one currency, and each has a finding of its own; credits have one for all currencies. */
function isSetBy({ setting, target }: Edit, item: Item): boolean {
  if (item.resource === 'credits') return setting === 'credits';
  if (setting === 'limit') return toTargetKey(target) === toTargetKey(targetOf(item));
  return setting === 'stop' && item.before !== 'unknown' && item.before.stopped !== item.after.stopped;
}
