// *Confirm*, of what administrators set for questions: from the click to the message about how it ended.
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { parseReason } from '../audit/reason.ts';
import type { Answer, Submission } from '../shell/admin-shell.ts';
import type { Allowance } from '../shell/allowance.ts';
import { buildAdminText, type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import { REASON_FIELD, readReason } from '../shell/form-fields.ts';
import { buildEndModal, orTellFailure, type Place } from '../shell/modal.ts';
import { type ChangeRulesPorts, changeRules, type SettingChange } from './change-rules.ts';

export type SettingPorts = ChangeRulesPorts & FailurePorts & { allowance: Allowance };

/** `done`: what is said once it is changed, in mrkdwn. */
type Setting = { change: SettingChange; done: string; topic: ModalTopic; replyTo: string };

const CONFLICT =
  ':x: *Conflict*: somebody changed this meanwhile, so nothing was changed. Look at what is set now: `/assistant-admin channels`.';

/** Carries out the change in the background, and says in the modal and in a message how it ended. */
export async function confirmSetting(setting: Setting, submission: Submission, ports: SettingPorts): Promise<Answer> {
  const { view, caller, toPlace } = submission;
  const parsed = parseReason(readReason(view.state.values));
  if (!parsed.ok) return { answer: { response_action: 'errors', errors: { [REASON_FIELD]: parsed.sentence } } };
  await ports.allowance.spend('change', caller);
  return {
    answer: { response_action: 'update', view: buildNote(setting.topic, 'Setting it…') },
    async afterwards() {
      const place = toPlace(setting.replyTo);
      const work = () => changeAndTell(setting, { by: caller, reason: parsed.reason }, place, ports);
      await orTellFailure(work, place, (error) => toFailureMessage(error, ports));
    },
  };
}

async function changeAndTell(
  { change, done, topic }: Setting,
  request: Parameters<typeof changeRules>[1],
  { say, modal }: Place,
  ports: SettingPorts,
): Promise<void> {
  const outcome = await changeRules(change, request, ports);
  const text = outcome === 'changed' ? done : CONFLICT;
  await say(buildAdminText(text));
  await modal.show(buildNote(topic, text));
}

function buildNote({ id, title }: ModalTopic, text: string) {
  return { ...buildEndModal(`${id}_end`, title, [buildSection(text)]), title: buildPlainText(title) };
}
