// *Confirm*, of what administrators set for questions: from the click to the message about how it ended.
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { parseReason } from '../audit/reason.ts';
import type { Edit } from '../policy/edit.ts';
import type { ChannelTarget } from '../policy/target.ts';
import type { GovernanceServices } from '../services.ts';
import type { Answer, Submission } from '../shell/admin-shell.ts';
import type { Allowance } from '../shell/allowance.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';
import { buildAdminText, type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import { REASON_FIELD, readReason } from '../shell/form-fields.ts';
import { buildEndModal, orTellFailure, type Place } from '../shell/modal.ts';
import type { Say } from '../shell/respond.ts';
import { type ChangeRulesPorts, changeRules, type SettingChange } from './change-rules.ts';
import { proposeForChannels } from './channel-plan.ts';
import { type ChannelValues, readOwnValues } from './channel-settings-views.ts';

export type SettingPorts = ChangeRulesPorts &
  FailurePorts & { allowance: Allowance } & Pick<GovernanceServices, 'policy' | 'engine' | 'createId'>;

/** `change`, `policy`: undefined where that stays as it is. `done`: what is said once it is changed, in mrkdwn. */
type Setting = {
  change: SettingChange | undefined;
  policy?: PolicyChange;
  done: string;
  topic: ModalTopic;
  replyTo: string;
};

/** `shown`: what the admin was shown. */
type PolicyChange = { target: ChannelTarget; shown: ChannelValues; edits: Edit[] };

const CONFLICT =
  ':x: *Conflict*: somebody changed this meanwhile, so nothing was changed. Look at what is set now: `/assistant-admin rules`.';

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
  setting: Setting,
  request: Parameters<typeof changeRules>[1],
  { say, modal }: Place,
  ports: SettingPorts,
): Promise<void> {
  const { change, policy, done, topic } = setting;
  const isAsShown = policy === undefined || (await isAsSet(policy, ports));
  const outcome = isAsShown && change ? await changeRules(change, request, ports) : undefined;
  const isChanged = isAsShown && outcome !== 'conflict' && (await changePolicy(setting, request, say, ports));
  const text = isChanged ? done : CONFLICT;
  // What became of the policy is said with its revision.
  if (!isChanged || change) await say(buildAdminText(text));
  await modal.show(buildNote(topic, text));
}

async function isAsSet({ target, shown }: PolicyChange, { policy: store, now }: SettingPorts): Promise<boolean> {
  const { policy } = await store.read();
  return toCanonicalJson(readOwnValues(policy, target, now())) === toCanonicalJson(shown);
}

/** False: somebody changed the same meanwhile. */
async function changePolicy(
  { policy, replyTo }: Setting,
  { by: caller, reason }: Parameters<typeof changeRules>[1],
  say: Say,
  ports: SettingPorts,
): Promise<boolean> {
  if (policy === undefined || policy.edits.length === 0) return true;
  const proposal = await proposeForChannels(policy.edits, ports);
  return (await ports.engine.confirm(proposal, { caller, reason, say, replyTo })) !== 'outdated';
}

function buildNote({ id, title }: ModalTopic, text: string) {
  return { ...buildEndModal(`${id}_end`, title, [buildSection(text)]), title: buildPlainText(title) };
}
