// The buttons of a review's message.
import { endException, setEdit } from '../../policy/edit.ts';
import { findEntry } from '../../policy/policy.ts';
import { toAgentTarget } from '../../policy/target.ts';
import { sendSheet } from '../exports/slack-export.ts';
import type { By, Proposal } from '../run/engine.ts';
import { registerForms } from '../run/kept-form.ts';
import { showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, Clicked } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { DRAFT_FORM } from './draft-form.ts';
import { type Finding, toTarget } from './finding.ts';
import { KEEP_FORM } from './keep-form.ts';
import { readFindings, readReview, showPage } from './kept-review.ts';
import { OUT_OF_DATE, parsePlace, REVIEW_ACTIONS, type ReviewPlace } from './review-buttons.ts';
import { buildReviewMessage } from './review-views.ts';
import { buildFindingSheet } from './review-words.ts';
import { rememberMessage } from './settled-message.ts';

const NOT_TURNED = 'Slack did not let me turn the page. Try again in a minute.';

const SETTLED = 'This is settled already: nothing is left to do.';

const TOPIC = { id: 'review_plan', title: 'Review', loading: 'Reading what is set now…' };

/** All buttons of reviews, for admins; auditors turn pages and read. */
export function registerReview(shell: AdminShell, services: GovernanceServices): void {
  registerReading(shell, services);
  registerPlans(shell, services);
  registerForms(shell, [KEEP_FORM, DRAFT_FORM], services);
}

function registerReading(shell: AdminShell, services: GovernanceServices): void {
  const forAuditors = { check: { forAuditors: true } };

  async function read({ value, caller }: Clicked) {
    const place = parsePlace(value);
    const found = place && (await readReview(place.id, services));
    if (!found) return undefined;
    const shown = await showPage(found, place.page ?? 0, caller, services);
    return buildReviewMessage(shown, { timeZone: await services.timeZone(caller) });
  }

  async function turn(clicked: Clicked): Promise<void> {
    const content = await read(clicked);
    const isTurned = content && (await services.clicks.replace(clicked.body, content));
    if (!isTurned) await clicked.say(buildAdminText(content ? NOT_TURNED : OUT_OF_DATE));
  }

  async function open(clicked: Clicked): Promise<void> {
    await clicked.say((await read(clicked)) ?? buildAdminText(OUT_OF_DATE));
  }

  async function send({ value, caller, say }: Clicked): Promise<void> {
    const place = parsePlace(value);
    const found = place && (await readFindings(place, services));
    if (!found) return void (await say(buildAdminText(OUT_OF_DATE)));
    await sendSheet(buildFindingSheet(found), { caller, say }, services);
  }

  shell.onClick(new RegExp(`^${REVIEW_ACTIONS.page}:`), turn, forAuditors);
  shell.onClick(REVIEW_ACTIONS.open, open, forAuditors);
  shell.onClick(REVIEW_ACTIONS.csv, send, forAuditors);
}

/** The buttons that make a plan, which the window then shows. */
function registerPlans(shell: AdminShell, services: GovernanceServices): void {
  const { engine } = services;

  function onPlan(
    actionId: string | RegExp,
    propose: (findings: readonly Finding[], place: ReviewPlace, opened: By) => Promise<Proposal>,
  ): void {
    const button = { actionId, topic: TOPIC, parse: parsePlace, outOfDate: OUT_OF_DATE };
    shell.onModalButton(button, async (place, opened) => {
      const found = (await readFindings(place, services))?.findings ?? [];
      if (found.length === 0) return opened.modal.showProblem(OUT_OF_DATE);
      const findings = found.filter(({ isSettled }) => !isSettled);
      if (findings.length === 0) return opened.modal.showProblem(SETTLED);
      await rememberMessage(place, opened, services);
      await showPlan(opened, await propose(findings, place, opened), services);
    });
  }

  const setBack = (findings: readonly Finding[], _place: ReviewPlace, opened: By) =>
    engine.proposeItems(
      findings.flatMap((one) => ('item' in one ? [one.item] : [])),
      opened,
    );
  onPlan(REVIEW_ACTIONS.setBack, setBack);
  onPlan(REVIEW_ACTIONS.setBackAll, setBack);
  onPlan(REVIEW_ACTIONS.setUnknown, (findings, place, opened) => {
    if (place.way !== 'run') return setBack(findings, place, opened);
    // The answer becomes an entry, so that nobody is asked again.
    const edits = findings.flatMap((one) =>
      'why' in one && one.why === 'maybe_stopped' ? [setEdit('stop', toAgentTarget(one.agent), false)] : [],
    );
    return engine.propose(edits, opened);
  });
  onPlan(new RegExp(`^${REVIEW_ACTIONS.classOne}(?::\\d+|_all)$`), (findings, { className = '' }, opened) =>
    engine.propose(
      findings.flatMap((one) => (one.group === 'new' ? [setEdit('class', toTarget(one), className)] : [])),
      opened,
    ),
  );
  onPlan(REVIEW_ACTIONS.endException, async (findings, _place, opened) => {
    const { policy } = await services.policy.read();
    const edits = findings.flatMap((one) => {
      if (one.group !== 'ending') return [];
      const { setting, target } = one.entry;
      const entry = findEntry(policy, setting, target);
      return entry?.exception ? [endException(entry)] : [];
    });
    return engine.propose(edits, opened);
  });
}
