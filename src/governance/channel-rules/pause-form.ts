// The windows of `pause` and `resume`: an entry of the policy about the whole workspace.
import { MAX_PAUSE_WORD } from '../../conversation/channel-settings.ts';
import { readPause } from '../../policy/channel-settings.ts';
import { type Edit, endEdit, setEdit } from '../../policy/edit.ts';
import type { Effective, Policy } from '../../policy/policy.ts';
import { EVERY_CHANNEL } from '../../policy/target.ts';
import type { Values } from '../../policy/values.ts';
import { buildSection, formatTime, toMrkdwnLine } from '../../slack/views/content.ts';
import { buildLineField, type Fields } from '../../slack/views/fields.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { toKeptForm } from '../forms/policy-form.ts';
import { namePerson } from '../operations/effective-words.ts';
import { describeValue } from '../operations/operations.ts';
import { type FormWindow, showForm } from '../run/kept-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { Opened } from '../shell/modal.ts';

type PauseWhat = 'pause' | 'resume';

export const PAUSE_TOPICS: Record<PauseWhat, ModalTopic> = {
  pause: { id: 'workspace_pause', title: 'Pause', loading: 'Checking whether it is paused…' },
  resume: { id: 'workspace_resume', title: 'Resume', loading: 'Checking whether it is paused…' },
};

type Pause = Values['pause'];

/** `before`: what the admin was shown. */
type PauseState = { workspace: string; before: Pause | undefined };

const WORD_FIELD = 'word';

export const PAUSE_FORMS = {
  pause: toPauseForm('pause', (target, fields) => setEdit('pause', target, { word: fields.text(WORD_FIELD) })),
  resume: toPauseForm('resume', (target) => endEdit('pause', target)),
};

function toPauseForm(
  what: PauseWhat,
  toEdit: (target: { workspace: string; channel: string }, fields: Fields) => Edit,
) {
  return toKeptForm<PauseState, Fields>({
    callbackId: PAUSE_TOPICS[what].id,
    topic: PAUSE_TOPICS[what],
    check: { isForAll: true },
    working: 'Setting it…',
    tooOld: 'This window is too old, so nothing was changed. Give the command again.',
    read: (fields) => ({ filled: fields }),
    toEdits: ({ workspace, before }, fields) => ({
      edits: [toEdit({ workspace, channel: EVERY_CHANNEL }, fields)],
      isAsShown: (_, policy, now) => readWorkspacePause(policy, workspace, now)?.value.word === before?.word,
    }),
  });
}

export function readWorkspacePause(policy: Policy, workspace: string, now: number): Effective<Pause> | undefined {
  return readPause(policy, { workspace, channel: EVERY_CHANNEL }, now);
}

const WHAT_HAPPENS = {
  pause: [
    'Until an administrator gives `/assistant-admin resume`, no new question of this workspace is answered, also after a restart.',
    'People who ask read your message. Questions that are being answered are finished. Questions that wait for the service or for a sign-in are dropped, and their askers read the same.',
  ].join('\n'),
  resume: 'Questions are answered again from now on. Questions that were turned away have to be asked again.',
};

/** `word`: as given with the command. */
export function buildPauseWindow(
  what: PauseWhat,
  pause: Effective<Pause> | undefined,
  { word, timeZone }: { word: string; timeZone: string },
): FormWindow {
  const isChange = what === 'pause' && pause !== undefined;
  return {
    ...(isChange && { title: 'Paused already' }),
    submit: isChange ? 'Change message' : PAUSE_TOPICS[what].title,
    blocks: [
      ...(pause ? [buildSection(describePause(pause, timeZone))] : []),
      buildSection(WHAT_HAPPENS[what]),
      ...(what === 'pause' ? [buildWordInput(word || (pause?.value.word ?? ''))] : []),
    ],
  };
}

function buildWordInput(word: string) {
  const hint = 'For example why, and until when. Shown as you write it; it is not translated.';
  const field = { name: WORD_FIELD, label: 'Message to people who ask', hint, isOptional: true };
  return buildLineField(field, { initial: word, most: MAX_PAUSE_WORD });
}

/** In mrkdwn. */
export function describePause({ value, why }: Effective<Pause>, timeZone: string): string {
  const since = why === undefined ? '' : ` · since ${formatTime(why.at, timeZone)} by ${namePerson(why.by)}`;
  return `:double_vertical_bar: The workspace is ${toMrkdwnLine(describeValue('pause', value), 400)}${since}`;
}

/** `/assistant-admin pause [message]`, and `resume`. */
export async function openPause(
  what: PauseWhat,
  word: string,
  opened: Opened,
  services: GovernanceServices,
): Promise<void> {
  const { caller, modal } = opened;
  const [{ policy }, timeZone] = await Promise.all([services.policy.read(), services.timeZone(caller)]);
  const { workspace } = caller;
  const pause = readWorkspacePause(policy, workspace, services.now());
  if (what === 'resume' && !pause) return modal.showProblem('Nothing is paused: questions are answered.');
  const state = { workspace, before: pause?.value };
  await showForm(PAUSE_FORMS[what], { state, ...buildPauseWindow(what, pause, { word, timeZone }) }, opened, services);
}
