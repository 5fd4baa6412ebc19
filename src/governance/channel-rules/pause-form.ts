import type { AdminShell, Answer, Submission } from '../shell/admin-shell.ts';
import { type OwnOpened, toProblem } from '../shell/modal.ts';
import type { TimeZones } from '../shell/respond.ts';
import type { ChangeRulesPorts } from './change-rules.ts';
import {
  buildPauseModal,
  buildResumeModal,
  PAUSE_MODAL,
  PAUSE_TOPIC,
  parsePauseState,
  RESUME_MODAL,
  RESUME_TOPIC,
  readWord,
} from './pause-form-views.ts';
import { confirmSetting, type SettingPorts } from './slack-setting-change.ts';

export type PauseOpenPorts = Pick<ChangeRulesPorts, 'ruleStore'> & TimeZones;

/** `/assistant-admin pause [message]` */
export async function openPause(
  word: string,
  { modal, caller, replyTo }: OwnOpened,
  ports: PauseOpenPorts,
): Promise<void> {
  const [stored, timeZone] = await Promise.all([ports.ruleStore.get(caller.workspace), ports.timeZone(caller)]);
  await modal.show(buildPauseModal({ pause: stored?.pause, word, timeZone, replyTo }));
}

/** `/assistant-admin resume` */
export async function openResume({ modal, caller, replyTo }: OwnOpened, ports: PauseOpenPorts): Promise<void> {
  const [stored, timeZone] = await Promise.all([ports.ruleStore.get(caller.workspace), ports.timeZone(caller)]);
  if (!stored?.pause) return modal.showProblem('Nothing is paused: questions are asked.');
  await modal.show(buildResumeModal(stored.pause, { timeZone, replyTo }));
}

const PAUSED =
  ':double_vertical_bar: *Paused*: no question of this workspace is asked until an administrator gives `/assistant-admin resume`.';

const RESUMED = ':white_check_mark: *Resumed*: questions are asked again.';

const OUT_OF_DATE = 'This window is too old, so nothing was changed. Give the command again.';

export function registerPauseForms(shell: AdminShell, ports: SettingPorts): void {
  shell.onSubmission({ callbackId: PAUSE_MODAL, topic: PAUSE_TOPIC, isFresh: true, isForAll: true }, (submission) =>
    pause(submission, ports),
  );
  shell.onSubmission({ callbackId: RESUME_MODAL, topic: RESUME_TOPIC, isFresh: true, isForAll: true }, (submission) =>
    resume(submission, ports),
  );
}

async function pause(submission: Submission, ports: SettingPorts): Promise<Answer> {
  const { view, caller } = submission;
  const state = parsePauseState(view.private_metadata);
  if (!state) return { answer: toProblem(OUT_OF_DATE, PAUSE_TOPIC) };
  const { before, replyTo } = state;
  const after = { word: readWord(view.state.values), by: caller.user, at: before?.at ?? ports.now() };
  const change = { kind: 'pause', before, after } as const;
  return confirmSetting({ change, done: PAUSED, topic: PAUSE_TOPIC, replyTo }, submission, ports);
}

async function resume(submission: Submission, ports: SettingPorts): Promise<Answer> {
  const state = parsePauseState(submission.view.private_metadata);
  if (!state) return { answer: toProblem(OUT_OF_DATE, RESUME_TOPIC) };
  const { before, replyTo } = state;
  const change = { kind: 'pause', before, after: undefined } as const;
  return confirmSetting({ change, done: RESUMED, topic: RESUME_TOPIC, replyTo }, submission, ports);
}
