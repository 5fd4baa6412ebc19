// The buttons of runs: *Undo*, *Stop the rest* and *CSV*.
import { replayEdits } from '../../policy/edit.ts';
import { findEntry, type Policy } from '../../policy/policy.ts';
import { sendSheet } from '../exports/slack-export.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { showPlan } from './plan-form.ts';
import { RUN_EXPORT, STOP_REST_ACTION, UNDO_ACTION } from './run-message.ts';
import { buildRunSheet } from './run-sheet.ts';
import type { Run, RunContent } from './run-store.ts';

const UNDO_TOPIC = { id: 'run_undo', title: 'Undo', loading: 'Reading what is set now…' };

const OUT_OF_DATE = 'This button is too old: its changes are not kept any more.';

const CHANGED_SINCE =
  'Somebody has changed this since, and that change would be undone as well. Look at the policy: /assistant-admin policy.';

const ENDED = 'All changes have ended already, so there is nothing to stop.';

const STOPPED = 'The rest will not be carried out. Changes that have begun are finished.';

export function registerRuns(shell: AdminShell, services: GovernanceServices): void {
  shell.onModalButton(
    { actionId: UNDO_ACTION, topic: UNDO_TOPIC, parse: parseId, outOfDate: OUT_OF_DATE, check: { isCounted: false } },
    async (id, { modal, caller, openSession, replyTo }) => {
      const [run, content] = await Promise.all([services.runs.get(id), services.runs.content(id)]);
      if (!run || !content) return modal.showProblem(OUT_OF_DATE);
      const { policy } = await services.policy.read();
      if (!isAsLeft(policy, run, content)) return modal.showProblem(CHANGED_SINCE);
      const proposal = await services.engine.proposeUndo(content, { caller, openSession });
      const reason = `Undo: ${run.why.reason}`.slice(0, 500).toWellFormed();
      await showPlan({ modal, caller, replyTo }, proposal, services, { reason });
    },
  );

  shell.onClick(
    STOP_REST_ACTION,
    async ({ value, caller, say }) => {
      const stopped = await services.runs.change(value, (run) => ({ ...run, stoppedBy: caller.user }));
      await say(buildAdminText(stopped ? STOPPED : ENDED));
    },
    { check: { isFresh: true, isCounted: false } },
  );

  shell.onClick(
    RUN_EXPORT,
    async ({ value: id, caller, say }) => {
      const [run, content] = await Promise.all([services.runs.get(id), services.runs.content(id)]);
      if (!run || !content) return void (await say(buildAdminText(OUT_OF_DATE)));
      const sheet = buildRunSheet({ run, content, results: await services.runs.results(id) });
      await sendSheet(sheet, { caller, say }, services);
    },
    { check: { forAuditors: true } },
  );
}

function parseId(value: string): string | undefined {
  return /^[0-9a-f]{12}$/.test(value) ? value : undefined;
}

/** Whether the entries are as the run left them. */
function isAsLeft(policy: Policy, { why }: Run, { plan, reverse }: RunContent): boolean {
  const { after: left } = replayEdits(plan.edits, reverse, why);
  const read = (one: Policy, { setting, target }: (typeof reverse)[number]) =>
    JSON.stringify(findEntry(one, setting, target) ?? null);
  return reverse.every((edit) => read(policy, edit) === read(left, edit));
}
