import type { ViewResponseAction } from '@slack/bolt';
import type { Rules } from '../../conversation/channel-rules.ts';
import type { AdminShell, Submission } from '../shell/admin-shell.ts';
import { type OwnOpened, toProblem } from '../shell/modal.ts';
import type { ChangeRulesPorts } from './change-rules.ts';
import { nameChannel } from './rule-words.ts';
import {
  buildRulesConfirm,
  buildRulesModal,
  EDIT_RULES_ACTION,
  parseRulesConfirmState,
  parseRulesState,
  parseRulesValue,
  RULES_CONFIRM_MODAL,
  RULES_MODAL,
  RULES_TOPIC,
  type RulesSubject,
  readRulesForm,
} from './rules-form-views.ts';
import { confirmSetting, type SettingPorts } from './slack-setting-change.ts';

/** `configuredRules`: what the configuration sets for all workspaces. */
export type RulesOpenPorts = Pick<ChangeRulesPorts, 'ruleStore'> & { configuredRules: Rules };

/** `/assistant-admin channels #channel`, and *Edit…*. */
export async function openRules(
  { channel }: RulesSubject,
  { modal, caller, replyTo }: OwnOpened,
  { ruleStore, configuredRules: configured }: RulesOpenPorts,
): Promise<void> {
  const stored = await ruleStore.get(caller.workspace);
  await modal.show(buildRulesModal({ channel, stored, configured, replyTo }));
}

const OUT_OF_DATE = 'This is too old. Give the command again: /assistant-admin channels.';

/** From *Edit…* to the message about how it ended. */
export function registerRulesForm(shell: AdminShell, ports: RulesOpenPorts & SettingPorts): void {
  const button = { actionId: EDIT_RULES_ACTION, topic: RULES_TOPIC, parse: parseRulesValue, outOfDate: OUT_OF_DATE };
  shell.onOwnModalButton(button, (subject, opened) => openRules(subject, opened, ports));
  shell.onSubmission({ callbackId: RULES_MODAL, topic: RULES_TOPIC, isForAll: true }, async (submission) => ({
    answer: review(submission),
  }));
  const confirm = { callbackId: RULES_CONFIRM_MODAL, topic: RULES_TOPIC, isFresh: true, isForAll: true };
  shell.onSubmission(confirm, async (submission) => {
    const state = parseRulesConfirmState(submission.view.private_metadata);
    if (!state) return { answer: toProblem(OUT_OF_DATE, RULES_TOPIC) };
    const { channel, before, after, replyTo } = state;
    const done = `:white_check_mark: The rules are set: ${nameChannel(channel)}. They count for questions from now on.`;
    const change = { kind: 'rules', channel, before, after } as const;
    return confirmSetting({ change, done, topic: RULES_TOPIC, replyTo }, submission, ports);
  });
}

/** *Review change*: old → new on top of the form. Nothing is changed yet. */
function review({ view }: Submission): ViewResponseAction {
  const state = parseRulesState(view.private_metadata);
  if (!state) return toProblem(OUT_OF_DATE, RULES_TOPIC);
  const confirm = buildRulesConfirm(state, readRulesForm(view.state.values));
  if (confirm) return { response_action: 'push', view: confirm };
  return {
    response_action: 'errors',
    errors: { questions: 'This is what is set already: there is nothing to change.' },
  };
}
