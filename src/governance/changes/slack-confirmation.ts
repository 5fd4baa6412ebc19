// The last look at a change, whatever it changes: old → new, what it would break, why, Set or Back.
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildApproverInput, buildReasonInput } from '../shell/form-fields.ts';
import { type KeepPorts, keep, parseState, readKept } from '../shell/modal-state.ts';
import type { TimeZones } from '../shell/respond.ts';
import { needsSecondApprover } from './change.ts';
import type { ChangeKind, ChangePlan, PlannedChange } from './change-kind.ts';
import { listWarnings } from './change-views.ts';

/** Who is to confirm, and what is known already. */
export type Confirming = {
  caller: Caller;
  /** To begin with; the admin may say it otherwise. */
  reason?: string | undefined;
  /** See respond.ts. */
  replyTo?: string | undefined;
};

/** `needsApproval`: REQUIRE_SECOND_APPROVER. */
export type ConfirmPorts = KeepPorts & TimeZones & { needsApproval: boolean };

/**
 * To be pushed on top of a form, or else to be shown in a modal that is open; what was planned is kept meanwhile. What is
 * confirmed there is carried out by registerChangeConfirm. Throws StoreUnavailableError.
 */
export async function toConfirmation<Plan extends ChangePlan>(
  kind: ConfirmKind<Plan>,
  change: PlannedChange<Plan>,
  { caller, reason, replyTo }: Confirming,
  ports: ConfirmPorts,
  isPushed = true,
): Promise<ModalView> {
  const [changeId, timeZone] = await Promise.all([keep('plan', change, ports), ports.timeZone(caller)]);
  const needsApprover = needsSecondApprover(change.plan, ports);
  return buildConfirmation(kind, change, { changeId, timeZone, reason, replyTo, isPushed, needsApprover });
}

/** By the id of the change. Undefined: too old. It stays: confirmed twice, it is one change. Throws StoreUnavailableError. */
export function readPlannedChange(id: string, ports: Pick<KeepPorts, 'approvals'>): Promise<PlannedChange | undefined> {
  return readKept<PlannedChange>('plan', id, ports);
}

type ConfirmKind<Plan extends ChangePlan> = Pick<
  ChangeKind<Plan>,
  'confirmModal' | 'toLabel' | 'name' | 'listRows' | 'listNotes'
>;

export type ConfirmOptions = ConfirmState & {
  timeZone: string;
  /** To begin with; the admin may say it otherwise. */
  reason?: string | undefined;
  /** On top of a form: its close button leads back there. */
  isPushed: boolean;
  /** A second admin has to approve it: asks who. */
  needsApprover?: boolean;
};

export function buildConfirmation<Plan extends ChangePlan>(
  kind: ConfirmKind<Plan>,
  change: PlannedChange<Plan>,
  { changeId, replyTo, timeZone, reason, isPushed, needsApprover = false }: ConfirmOptions,
): ModalView {
  const { plan } = change;
  const warnings = listWarnings(plan);
  const notes = kind.listNotes(change, { timeZone });
  return {
    type: 'modal',
    callback_id: kind.confirmModal,
    title: buildPlainText('Confirm the change'),
    ...(plan.changes ? { submit: buildPlainText(needsApprover ? 'Ask for approval' : kind.toLabel(plan)) } : {}),
    close: buildPlainText(isPushed ? 'Back' : 'Cancel'),
    private_metadata: JSON.stringify({ schema: 1, changeId, replyTo }),
    blocks: [
      ...[kind.name(change), ...kind.listRows(plan)].map(buildSection),
      ...(plan.changes ? [] : [buildSection('This is what is set already: there is nothing to change.')]),
      ...(warnings.length === 0 ? [] : [buildSection(warnings.join('\n'))]),
      ...(notes.length === 0 ? [] : [buildNotes(notes)]),
      ...(plan.changes ? [buildReasonInput(reason)] : []),
      ...(plan.changes && needsApprover ? [buildApproverInput()] : []),
    ],
  };
}

const stateSchema = z.object({ schema: z.literal(1), changeId: z.string().min(1), replyTo: z.string().optional() });

/**
 * What the modal carries; the plan may be longer than that. `changeId`: one per confirmation shown, where the plan is
 * kept, so that submitting it twice is one change. `replyTo`: where the admin is answered in the end.
 */
export type ConfirmState = { changeId: string; replyTo?: string | undefined };

/** Undefined where it is not the private_metadata of a confirmation. */
export function parseConfirmState(text: string): ConfirmState | undefined {
  return parseState(stateSchema, text);
}
