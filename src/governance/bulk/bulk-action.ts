// *Correct all at once…* under the report of a review: from the kinds of findings to the preview.
import { setTimeout as sleep } from 'node:timers/promises';
import { describeOccasion } from '../review/decided-views.ts';
import { toCorrectionSources } from '../review/find-correction.ts';
import type { RecheckPorts } from '../review/recheck.ts';
import { describeLeftAlone } from '../review/report-views.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { type FindingPorts, readReady } from '../review/reviewed-finding.ts';
import {
  type Pressed,
  type ReviewActionPorts,
  registerReviewAction,
  type Submitted,
} from '../review-actions/review-action.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import type { TimeZones } from '../shell/respond.ts';
import { type PreviewPorts, showPreview } from './bulk-confirm-action.ts';
import { type BulkChoice, buildBulkForm, KINDS_FIELD, readBulkForm } from './bulk-form-views.ts';
import { createPacedSession } from './paced-session.ts';
import { planBulk } from './slack-bulk-plan.ts';

export type BulkPorts = FindingPorts & PreviewPorts & RecheckPorts & ReviewActionPorts & TimeZones;

const NONE_CHOSEN = 'Tick one of them at least.';

const EXPIRED = 'This report is too old, so nothing was done. Give the command again: `/assistant-admin review`.';

const NOTHING = 'Nothing of this can be corrected at once.';

const REGISTER_CHANGED = "The register's file was changed since this review: this is what it approves now.";

export function registerBulk(shell: AdminShell, ports: BulkPorts): void {
  registerReviewAction<BulkChoice>(
    shell,
    {
      topic: REVIEW_TOPICS.correct_all,
      working: 'Looking at what is there now, for each finding. That may take a minute…',
      open: (pressed) => open(pressed, ports),
      read(values) {
        const choice = readBulkForm(values);
        return choice.kinds.length === 0 ? { errors: { [KINDS_FIELD]: NONE_CHOSEN } } : { answer: choice };
      },
      submit: (submitted, choice) => preview(submitted, choice, ports),
    },
    ports,
  );
}

async function open({ modal, state }: Pressed, { reports }: BulkPorts): Promise<void> {
  const found = await reports.readCandidates(state.place.report);
  if (found?.head.candidates === undefined) return modal.showProblem(EXPIRED);
  if (found.candidates.length === 0) return modal.showProblem(NOTHING);
  const leftAlone = describeLeftAlone(found.head, found.candidates);
  await modal.show(buildBulkForm(found.head.candidates, state, leftAlone));
}

async function preview(
  { caller, openSession, modal, state }: Submitted,
  { kinds, stopDecision }: BulkChoice,
  ports: BulkPorts,
): Promise<void> {
  const [found, approved] = await Promise.all([ports.reports.readCandidates(state.place.report), readReady(ports)]);
  if (found === undefined) return modal.showProblem(EXPIRED);
  if ('problem' in approved) return modal.showProblem(approved.problem);
  const wait = async (ms: number) => void (await sleep(ms));
  const { session } = createPacedSession(await openSession(), { now: ports.now, wait });
  const candidates = found.candidates.filter(({ kind }) => kinds.includes(kind));
  const plan = await planBulk({ candidates, stopDecision }, toCorrectionSources(session, approved, ports));
  const isRegisterChanged = found.head.registerHash !== approved.registerHash;
  const words = {
    headline: 'back to what the register approves.',
    nothing: NOTHING,
    notes: [...describeLeftAlone(found.head, candidates), ...(isRegisterChanged ? [REGISTER_CHANGED] : [])],
    reason: describeOccasion(found.head.at, await ports.timeZone(caller), candidates),
  };
  await showPreview(plan, words, { caller, modal, replyTo: state.replyTo }, ports);
}
