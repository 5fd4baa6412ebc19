// The buttons of a review's message.

import { sendSheet } from '../exports/slack-export.ts';
import { endEdit, setEdit } from '../policy/edit.ts';
import type { Proposal } from '../run/engine.ts';
import { showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, Clicked } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { Opened } from '../shell/modal.ts';
import { registerDraft } from './draft-form.ts';
import type { Finding, Group } from './finding.ts';
import { readFinding, registerKeep } from './keep-form.ts';
import { createReviewKeeper, type KeptReview, toSpan } from './kept-review.ts';
import {
  type FindingPlace,
  type GroupPlace,
  OUT_OF_DATE,
  parseFinding,
  parseGroups,
  parsePage,
  REVIEW_ACTIONS,
} from './review-buttons.ts';
import { buildFindingSheet } from './review-sheet.ts';
import { buildReviewMessage } from './review-views.ts';
import { readPage } from './shown-review.ts';

export type ReviewListenerServices = GovernanceServices;

const NOT_TURNED = 'Slack did not let me turn the page. Try again in a minute.';

const TOPIC = { id: 'review_plan', title: 'Review', loading: 'Reading again what is set…' };

/** All buttons of reviews, for admins; auditors turn pages and read. */
export function registerReview(shell: AdminShell, services: ReviewListenerServices): void {
  registerReading(shell, services);
  registerPlans(shell, services);
  registerKeep(shell, services);
  registerDraft(shell, services);
}

function registerReading(shell: AdminShell, services: ReviewListenerServices): void {
  const keeper = createReviewKeeper(services.once);

  async function read(value: string, caller: Clicked['caller']) {
    const place = parsePage(value);
    const kept = place && (await keeper.readHead(place.id));
    if (!kept) return undefined;
    const shown = await readPage(kept, place.page, caller, services);
    return buildReviewMessage(shown, { timeZone: await services.timeZone(caller) });
  }

  shell.onClick(
    new RegExp(`^${REVIEW_ACTIONS.page}:`),
    async ({ value, caller, body, say }) => {
      const content = await read(value, caller);
      if (content === undefined) return void (await say(buildAdminText(OUT_OF_DATE)));
      if (!(await services.clicks.replace(body, content))) await say(buildAdminText(NOT_TURNED));
    },
    { forAuditors: true },
  );

  shell.onClick(
    REVIEW_ACTIONS.open,
    async ({ value, caller, say }) => void (await say((await read(value, caller)) ?? buildAdminText(OUT_OF_DATE))),
    { forAuditors: true },
  );

  shell.onClick(
    REVIEW_ACTIONS.csv,
    async ({ value, caller, say }) => {
      const found = await readGroups(parseGroups(value), services);
      if (found === undefined) return void (await say(buildAdminText(OUT_OF_DATE)));
      await sendSheet(buildFindingSheet(found), { caller, say }, services);
    },
    { forAuditors: true },
  );
}

/** What makes a plan, which the window then shows. */
function registerPlans(shell: AdminShell, services: ReviewListenerServices): void {
  const { engine } = services;

  function onGroups(actionId: string, propose: (found: Found, opened: Opened) => Promise<Proposal>): void {
    const button = { actionId, topic: TOPIC, parse: parseGroups, outOfDate: OUT_OF_DATE };
    shell.onModalButton(button, async (place, opened) => {
      const found = await readGroups(place, services);
      if (found === undefined) return opened.modal.showProblem(OUT_OF_DATE);
      await show(await propose(found, opened), opened);
    });
  }

  function onFinding(
    actionId: string | RegExp,
    propose: (finding: Finding, place: FindingPlace, opened: Opened) => Promise<Proposal | undefined>,
  ): void {
    const button = { actionId, topic: TOPIC, parse: parseFinding, outOfDate: OUT_OF_DATE };
    shell.onModalButton(button, async (place, opened) => {
      const finding = await readFinding(place, services);
      const proposal = finding && (await propose(finding, place, opened));
      if (proposal === undefined) return opened.modal.showProblem(OUT_OF_DATE);
      await show(proposal, opened);
    });
  }

  const show = (proposal: Proposal, opened: Opened) => showPlan(opened, proposal, services);
  const listItems = (findings: readonly Finding[]) => findings.flatMap((one) => ('item' in one ? [one.item] : []));

  onFinding(REVIEW_ACTIONS.setBack, async (finding, _place, opened) =>
    'item' in finding ? engine.proposeItems([finding.item], opened) : undefined,
  );
  onGroups(REVIEW_ACTIONS.setBackAll, ({ findings }, opened) => engine.proposeItems(listItems(findings), opened));

  onFinding(new RegExp(`^${REVIEW_ACTIONS.classOne}:`), async (finding, { className }, opened) =>
    finding.group === 'new' && className !== undefined
      ? engine.propose([setEdit('class', { environmentId: finding.environmentId }, className)], opened)
      : undefined,
  );
  onGroups(REVIEW_ACTIONS.classAll, ({ findings, className = '' }, opened) =>
    engine.propose(
      findings.flatMap((one) =>
        one.group === 'new' ? [setEdit('class', { environmentId: one.environmentId }, className)] : [],
      ),
      opened,
    ),
  );

  onGroups(REVIEW_ACTIONS.setUnknown, ({ findings, className: way }, opened) => {
    if (way !== 'run') return engine.proposeItems(listItems(findings), opened);
    // The answer is kept, so that it is asked once.
    const runs = findings.flatMap((one) => ('why' in one && one.why === 'maybe_stopped' ? [toAgent(one.agent)] : []));
    return engine.propose(
      runs.map((target) => setEdit('stop', target, false)),
      opened,
    );
  });

  onFinding(REVIEW_ACTIONS.endException, async (finding, _place, opened) =>
    finding.group === 'ending'
      ? engine.propose([endEdit(finding.entry.setting, finding.entry.target)], opened)
      : undefined,
  );
}

function toAgent({ environmentId, agentId }: { environmentId: string; agentId: string }) {
  return { environmentId, agentId };
}

type Found = { review: KeptReview; findings: Finding[]; groups: Group[]; className?: string | undefined };

/** Undefined: no such review is kept. */
async function readGroups(
  place: GroupPlace | undefined,
  { once }: Pick<GovernanceServices, 'once'>,
): Promise<Found | undefined> {
  const keeper = createReviewKeeper(once);
  const review = place && (await keeper.readHead(place.id));
  if (!review) return undefined;
  const { id, groups, className } = place;
  return { review, groups, className, findings: await keeper.readFindings(id, toSpan(review, groups)) };
}
