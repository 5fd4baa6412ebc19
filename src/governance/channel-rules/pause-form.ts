// The windows of `pause` and `resume`.
import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Pause } from '../../conversation/channel-rules.ts';
import { buildPlainText, buildSection, formatTime } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { MAX_PAUSE_WORD, toPauseWord } from '../../slack/views/rule-content.ts';
import type { AdminShell, Answer, Submission } from '../shell/admin-shell.ts';
import { buildReasonInput, type FormValues, readText } from '../shell/form-fields.ts';
import { type OwnOpened, toProblem } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import type { TimeZones } from '../shell/respond.ts';
import type { ChangeRulesPorts } from './change-rules.ts';
import { confirmSetting, type SettingPorts } from './slack-setting-change.ts';

/** Slack sends submissions under these names: never rename. */
const PAUSE_MODAL = 'workspace_pause';
const RESUME_MODAL = 'workspace_resume';

export const PAUSE_TOPIC: ModalTopic = { id: PAUSE_MODAL, title: 'Pause', loading: 'Looking whether it is paused…' };
export const RESUME_TOPIC: ModalTopic = { id: RESUME_MODAL, title: 'Resume', loading: PAUSE_TOPIC.loading };

const WORD_FIELD = 'word';

const WHAT_HAPPENS = [
  'Until an administrator gives `/assistant-admin resume`, no question of this workspace is asked, also after a restart.',
  'Who asks is told so, with your word. Questions that are being answered are finished. Those that wait, for the service or for a sign-in, are not asked any more: their askers are told the same.',
].join('\n');

type Options = { pause: Pause | undefined; word: string; timeZone: string; replyTo: string };

/** `word`: as given with the command. */
export function buildPauseModal({ pause, word, timeZone, replyTo }: Options): ModalView {
  const state: PauseState = { schema: 1, before: pause, replyTo };
  return {
    type: 'modal',
    callback_id: PAUSE_MODAL,
    title: buildPlainText(pause ? 'Paused already' : 'Pause'),
    submit: buildPlainText(pause ? 'Change the word' : 'Pause'),
    close: buildPlainText('Cancel'),
    private_metadata: JSON.stringify(state),
    blocks: [
      ...(pause ? [buildSection(describePause(pause, timeZone))] : []),
      buildSection(WHAT_HAPPENS),
      buildWordInput(word === '' ? (pause?.word ?? '') : word),
      buildReasonInput(),
    ],
  };
}

export function buildResumeModal(
  pause: Pause,
  { timeZone, replyTo }: Pick<Options, 'timeZone' | 'replyTo'>,
): ModalView {
  const state: PauseState = { schema: 1, before: pause, replyTo };
  return {
    type: 'modal',
    callback_id: RESUME_MODAL,
    title: buildPlainText(RESUME_TOPIC.title),
    submit: buildPlainText('Resume'),
    close: buildPlainText('Cancel'),
    private_metadata: JSON.stringify(state),
    blocks: [
      buildSection(describePause(pause, timeZone)),
      buildSection(
        'Questions are asked again from now on. Those that were turned away meanwhile are not asked by themselves.',
      ),
      buildReasonInput(),
    ],
  };
}

/** In mrkdwn. */
export function describePause({ word, by, at }: Pause, timeZone: string): string {
  const told = word === '' ? 'without a word to who asks' : `with the word “${toPauseWord(word)}”`;
  return `:double_vertical_bar: *Paused* since ${formatTime(at, timeZone)} by <@${by}>, ${told}.`;
}

function buildWordInput(initial: string): InputBlock {
  return {
    type: 'input',
    block_id: WORD_FIELD,
    optional: true,
    label: buildPlainText('Your word to who asks'),
    hint: buildPlainText('For example why, and until when. Shown as you write it, in no other language.'),
    element: {
      type: 'plain_text_input',
      action_id: 'value',
      max_length: MAX_PAUSE_WORD,
      ...(initial === '' ? {} : { initial_value: initial.slice(0, MAX_PAUSE_WORD).toWellFormed() }),
    },
  };
}

function readWord(values: FormValues): string {
  return readText(values, WORD_FIELD).trim();
}

const stateSchema = z.object({
  schema: z.literal(1),
  before: z.object({ word: z.string(), by: z.string(), at: z.number() }).optional(),
  replyTo: z.string(),
});

/** What the modals carry. `before`: the pause that the admin was shown. */
type PauseState = z.infer<typeof stateSchema>;

export function parsePauseState(text: string): PauseState | undefined {
  return parseState(stateSchema, text);
}

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
