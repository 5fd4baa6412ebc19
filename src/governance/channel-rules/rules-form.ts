import type { Rules } from '../../conversation/channel-rules.ts';
import type { PolicyStore } from '../policy/policy-store.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import type { FormValues } from '../shell/form-fields.ts';
import { type OwnOpened, toProblem } from '../shell/modal.ts';
import type { ChangeRulesPorts } from './change-rules.ts';
import { describeChannelChanges, readChannelFields, toChannelEdits } from './channel-settings-views.ts';
import { describeRuleChanges, nameChannel } from './rule-words.ts';
import {
  buildRulesModal,
  EDIT_RULES_ACTION,
  parseRulesState,
  parseRulesValue,
  RULES_MODAL,
  RULES_TOPIC,
  type RulesSubject,
  readRulesForm,
  toChannelTarget,
} from './rules-form-views.ts';
import { confirmSetting, type SettingPorts } from './slack-setting-change.ts';

/** `configuredRules`: what the configuration sets for all workspaces. */
export type RulesOpenPorts = Pick<ChangeRulesPorts, 'ruleStore' | 'now'> & {
  configuredRules: Rules;
  policy: Pick<PolicyStore, 'readChannels'>;
};

/** `/assistant-admin rules #channel`, and *Edit…*. */
export async function openRules(
  { channel }: RulesSubject,
  { modal, caller, replyTo }: OwnOpened,
  { ruleStore, configuredRules: configured, policy: policies, now }: RulesOpenPorts,
): Promise<void> {
  const [stored, policy] = await Promise.all([ruleStore.get(caller.workspace), policies.readChannels()]);
  const settings = { policy, team: caller.team, now: now() };
  await modal.show(buildRulesModal({ channel, stored, configured, settings, replyTo }));
}

const OUT_OF_DATE = 'This is too old. Give the command again: /assistant-admin rules.';

/** From *Edit…* to the message about how it ended. */
export function registerRulesForm(shell: AdminShell, ports: RulesOpenPorts & SettingPorts): void {
  const button = { actionId: EDIT_RULES_ACTION, topic: RULES_TOPIC, parse: parseRulesValue, outOfDate: OUT_OF_DATE };
  shell.onOwnModalButton(button, (subject, opened) => openRules(subject, opened, ports));
  const form = { callbackId: RULES_MODAL, topic: RULES_TOPIC, isFresh: true, isForAll: true };
  shell.onSubmission(form, async (submission) => {
    const { view } = submission;
    const state = parseRulesState(view.private_metadata);
    if (!state) return { answer: toProblem(OUT_OF_DATE, RULES_TOPIC) };
    const { channel, before, settings, replyTo } = state;
    const after = readRulesForm(view.state.values);
    const fields = readChannelFields(view.state.values as FormValues);
    if ('errors' in fields) return { answer: { response_action: 'errors', errors: fields.errors } };
    const target = toChannelTarget(submission.caller.team, channel);
    const ofRules = describeRuleChanges(before, after);
    const ofPolicy = describeChannelChanges(settings, fields.values);
    if (ofRules.length + ofPolicy.length === 0) {
      return { answer: { response_action: 'errors', errors: { questions: SET_ALREADY } } };
    }
    const title = `:white_check_mark: The rules are set: ${nameChannel(channel)}.`;
    const setting = {
      change: ofRules.length === 0 ? undefined : ({ kind: 'rules', channel, before, after } as const),
      policy: { target, shown: settings, edits: toChannelEdits(settings, fields.values, target) },
      done: [title, ...ofRules, ...ofPolicy].join('\n'),
    };
    return confirmSetting({ ...setting, topic: RULES_TOPIC, replyTo }, submission, ports);
  });
}

const SET_ALREADY = 'This is what is set already: there is nothing to change.';
