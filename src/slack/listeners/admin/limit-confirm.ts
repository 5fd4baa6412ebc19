import type { App } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { applyLimit } from '../../../governance/apply-limit.ts';
import type { Caller } from '../../../governance/is-admin.ts';
import { type LimitPlan, planLimit } from '../../../governance/limit-plan.ts';
import { LIMIT_CONFIRM_MODAL } from '../../views/admin/limit-confirm.ts';
import { parseLimitConfirmState } from '../../views/admin/limit-metadata.ts';
import { buildApplyingModal, buildOutcomeMessage, buildOutcomeModal } from '../../views/admin/limit-outcome.ts';
import type { Content } from '../../views/content.ts';
import { readSlackError } from '../../web-client-error.ts';
import { requireAdmin, toCaller } from './access.ts';
import type { AdminPorts } from './admin-ports.ts';
import { toFailureMessage, toFailureSentence } from './failure-message.ts';
import { OUT_OF_DATE, toProblem } from './limit-form.ts';
import { toModal } from './modal.ts';
import { createSay, type Say } from './say.ts';

type Confirmed = { plan: LimitPlan; changeId: string; caller: Caller; client: WebClient; viewId: string; say: Say };

/**
 * Slack puts up *Applying…* when it gets the acknowledgement: an outcome that overtook it would be covered for good.
 * A write takes longer than this by itself; a refusal may not.
 */
const ACKNOWLEDGEMENT_LEAD_MS = 300;

/** *Confirm*: carries out the plan in the background, and shows how it ended, in the modal and in a message. */
export function registerLimitConfirm(app: App, ports: AdminPorts): void {
  app.view({ callback_id: LIMIT_CONFIRM_MODAL, type: 'view_submission' }, async ({ view, body, ack, client }) => {
    const state = parseLimitConfirmState(view.private_metadata);
    const result = state && planLimit({ ...state, before: state.known });
    if (!state || result?.kind !== 'planned') return ack(toProblem(OUT_OF_DATE));
    try {
      const caller = await toCaller({ body, user: body.user.id }, ports);
      await requireAdmin(caller, ports);
      await ack({ response_action: 'update', view: buildApplyingModal(result.plan) });
      const { plan } = result;
      const { changeId, replyTo } = state;
      const say = sayOrWrite({ replyTo, client, user: caller.user }, ports);
      ports.inBackground(() => apply({ plan, changeId, caller, client, viewId: view.id, say }, ports));
    } catch (error) {
      await ack(toProblem(toFailureSentence(error, ports.log)));
    }
  });
}

async function apply(confirmed: Confirmed, ports: AdminPorts): Promise<void> {
  const { plan, client, viewId, say } = confirmed;
  const modal = toModal(viewId, { client, say }, ports);
  const lead = new Promise((resolve) => setTimeout(resolve, ACKNOWLEDGEMENT_LEAD_MS));
  try {
    const [outcome, timeZone] = await Promise.all([carryOut(confirmed, ports), ports.timeZone(confirmed.caller)]);
    const content = buildOutcomeMessage(plan, outcome, { timeZone });
    if (outcome.kind !== 'duplicate') await say(content);
    await lead;
    await modal.show(buildOutcomeModal(content));
  } catch (error) {
    const { sentence, content } = toFailureMessage(error, ports);
    await say(content);
    await lead;
    await modal.showProblem(sentence);
  }
}

async function carryOut({ plan, changeId, caller }: Confirmed, ports: AdminPorts) {
  const { changes, now, log } = ports;
  const { client, token } = await ports.openSession(caller);
  const outcome = await applyLimit(
    plan,
    { changeId, by: caller },
    {
      readThresholds: () => client.readThresholds(token),
      putThreshold: (change) => client.putThreshold(token, change),
      changes,
      now,
    },
  );
  const { team, user } = caller;
  log.info({ team, user, change: changeId, outcome: outcome.kind, reason: readReason(outcome) }, 'limit change ended');
  return outcome;
}

function readReason(outcome: Awaited<ReturnType<typeof applyLimit>>): string | undefined {
  if (outcome.kind === 'failed') return outcome.failure.code;
  if (outcome.kind === 'conflict') return outcome.stage;
  return outcome.kind === 'applied_not_verified' ? outcome.reason : undefined;
}

/**
 * Where the command was given, as long as Slack lets us; a modal may stay open for longer than that, and then it is a
 * direct message: who changed something has to learn how it ended.
 */
function sayOrWrite(
  { replyTo, client, user }: { replyTo: string | undefined; client: WebClient; user: string },
  ports: AdminPorts,
): Say {
  const say = createSay(replyTo ?? '', ports);
  return async (content: Content) => {
    if (await say(content)) return true;
    try {
      const { channel } = await client.conversations.open({ users: user });
      await client.chat.postMessage({ channel: channel?.id ?? '', ...content });
      return true;
    } catch (error) {
      ports.log.warn({ slackError: readSlackError(error) }, 'outcome not sent');
      return false;
    }
  };
}
