// *Keep…*: approves what was found, through a last day or for good.
import { toCanonicalJson } from '../../canonical-json.ts';
import { type Edit, setEdit, withUntil } from '../../policy/edit.ts';
import { findEntry, type Policy, readEntry } from '../../policy/policy.ts';
import { toAgentTarget } from '../../policy/target.ts';
import { type Credits, RULE_TYPES } from '../../policy/values.ts';
import { buildSection } from '../../slack/views/content.ts';
import { toKeptForm } from '../forms/policy-form.ts';
import { approvesMore, findCredits, isSameLimit } from '../plan/compare.ts';
import type { CreditsItem } from '../plan/plan.ts';
import { type FormWindow, type KeptForm, opensForm, showForm } from '../run/kept-form.ts';
import type { GovernanceServices } from '../services.ts';
import { fitLines } from '../shell/blocks.ts';
import type { Opened } from '../shell/modal.ts';
import type { Finding } from './finding.ts';
import { readFindings } from './kept-review.ts';
import { OUT_OF_DATE, parsePlace, REVIEW_ACTIONS, type ReviewPlace } from './review-buttons.ts';
import { describeFinding } from './review-words.ts';
import { rememberMessage } from './settled-message.ts';

const TOPIC = { id: 'review_keep', title: 'Keep', loading: 'Reading what is set now…' };

const CHANGED = 'Somebody changed this since the review. Give the command again: /assistant-admin review.';

export const KEEP_FORM: KeptForm<Edit[], undefined> = toKeptForm({
  callbackId: 'review_keep_form',
  topic: TOPIC,
  tooOld: OUT_OF_DATE,
  working: TOPIC.loading,
  button: opensForm(REVIEW_ACTIONS.keep, parsePlace, openKeep),
  decision: { hasUntil: true },
  toEdits: (edits, _filled, until) => ({
    edits: edits.map((edit) => withUntil(edit, until)),
    // The service has these values already, so nothing should be written.
    isAsShown: (items) => items.length === 0,
  }),
});

async function openKeep(
  at: ReviewPlace,
  opened: Opened & { body: object },
  services: GovernanceServices,
): Promise<void> {
  const [finding] = (await readFindings({ index: 0, ...at }, services))?.findings ?? [];
  const { policy } = await services.policy.read();
  const edits = finding ? toKeepEdits(finding, policy, services.now()) : [];
  if (finding === undefined) return opened.modal.showProblem(OUT_OF_DATE);
  if (edits.length === 0) return opened.modal.showProblem(CHANGED);
  await rememberMessage(at, opened, services);
  // Only the policy changes, so it is known already whether it allows more.
  const options = { now: services.now(), defaultCurrency: services.currency };
  const window = buildKeepForm(finding, approvesMore(policy, edits, options));
  await showForm(KEEP_FORM, { state: edits, ...window }, opened, services);
}

export function buildKeepForm(finding: Finding, isMore: boolean): FormWindow {
  return {
    submit: 'Keep',
    blocks: [buildSection(fitLines([describeFinding(finding), 'It is approved as it is now.']))],
    decision: { approver: isMore ? 'needed' : undefined },
  };
}

/**
 * The edits that approve what was found, for good. An exception that ends becomes the standing value, unless somebody has
 * decided anew since.
 */
export function toKeepEdits(finding: Finding, policy: Policy, now: number): Edit[] {
  if (finding.group === 'ending') {
    const { setting, target, exception } = finding.entry;
    const isSame = toCanonicalJson(findEntry(policy, setting, target)?.exception) === toCanonicalJson(exception);
    return exception && isSame ? [setEdit(setting, target, exception.value)] : [];
  }
  if (!('item' in finding)) return [];
  const { item } = finding;
  if (item.resource === 'credits') return keepCredits(item, policy, now);
  const { before, after, agent, currency } = item;
  if (before === 'unknown') return [];
  return [
    ...(isSameLimit(before.limit, after.limit) ? [] : [setEdit('limit', toAgentTarget(agent, currency), before.limit)]),
    ...(before.stopped === after.stopped ? [] : [setEdit('stop', toAgentTarget(agent), before.stopped)]),
  ];
}

function keepCredits({ environmentId, before, after }: CreditsItem, policy: Policy, now: number): Edit[] {
  return Object.entries(after).flatMap(([currency, approved]) => {
    const found = findCredits(before, currency);
    if (found === undefined) return [];
    const target = { environmentId, currency };
    const own = readEntry(policy, 'credits', target, now)?.value;
    return [setEdit('credits', target, mergeCredits(own, approved, found))];
  });
}

/** The values of the entry, with those that differ as they were found. */
function mergeCredits(own: Credits | undefined, approved: Credits, found: Credits): Credits {
  const isOther = found.allocated !== undefined && found.allocated !== approved.allocated;
  const allocated = isOther ? found.allocated : own?.allocated;
  const changed = RULE_TYPES.filter(
    (rule) => found.rules[rule] !== undefined && found.rules[rule] !== approved.rules[rule],
  );
  const rules = { ...own?.rules, ...Object.fromEntries(changed.map((rule) => [rule, found.rules[rule]])) };
  return { ...(allocated !== undefined && { allocated }), rules };
}
