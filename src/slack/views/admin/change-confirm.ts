// The second look at a change, whatever it changes: old → new, what it would break, why, Confirm or Back.
import type { ContextBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { PlanRow } from '../../../governance/plan-rows.ts';
import { buildPlainText, buildSection } from '../content.ts';
import { buildApproverInput } from './approval/approver-field.ts';
import { buildReasonInput } from './reason-field.ts';

export type ConfirmOptions = {
  timeZone: string;
  /** One per confirmation shown, where the plan is kept: submitting it twice is one change. */
  changeId: string;
  /** Where the admin is answered in the end. */
  replyTo?: string | undefined;
  /** To begin with; the admin may say it otherwise. */
  reason?: string | undefined;
  /** On top of a form: its close button leads back there. */
  isPushed: boolean;
  /** A second admin has to approve it: asks who. */
  needsApprover?: boolean;
};

export type ConfirmParts = {
  callbackId: string;
  /** What is changed, and old → new. */
  blocks: KnownBlock[];
  warnings: readonly { text: string }[];
  /** In mrkdwn, below: how far to trust it. */
  notes: string[];
  /** False: it is set already, and there is nothing to confirm. */
  changes: boolean;
};

export function buildChangeConfirmation(
  { callbackId, blocks, warnings, notes, changes }: ConfirmParts,
  { changeId, replyTo, reason, isPushed, needsApprover = false }: ConfirmOptions,
): ModalView {
  const texts = [...new Set(warnings.map(({ text }) => text))];
  return {
    type: 'modal',
    callback_id: callbackId,
    title: buildPlainText('Confirm the change'),
    ...(changes ? { submit: buildPlainText(needsApprover ? 'Ask for approval' : 'Confirm') } : {}),
    close: buildPlainText(isPushed ? 'Back' : 'Cancel'),
    private_metadata: encodeConfirmState({ changeId, replyTo }),
    blocks: [
      ...blocks,
      ...(changes ? [] : [buildSection('This is what is set already: there is nothing to change.')]),
      ...(texts.length === 0 ? [] : [buildSection(texts.map((text) => `:warning: ${text}`).join('\n'))]),
      ...(notes.length === 0 ? [] : [buildNotes(notes)]),
      ...(changes ? [buildReasonInput(reason)] : []),
      ...(changes && needsApprover ? [buildApproverInput()] : []),
    ],
  };
}

/** old → new, or what stays, once. */
export function describeRow({ label, before, after, isChanged }: PlanRow): string {
  return isChanged ? `${label}: ${before} → *${after}*` : `${label}: ${after} (unchanged)`;
}

function buildNotes(notes: string[]): ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text: notes.join('\n'), verbatim: true }] };
}

const stateSchema = z.object({ schema: z.literal(1), changeId: z.string().min(1), replyTo: z.string().optional() });

/** The plan itself is kept elsewhere: it may be longer than what a modal can carry. */
export type ConfirmState = { changeId: string; replyTo?: string | undefined };

function encodeConfirmState(state: ConfirmState): string {
  return JSON.stringify({ schema: 1, ...state });
}

/** Undefined where it is not the private_metadata of a confirmation. */
export function parseConfirmState(text: string): ConfirmState | undefined {
  try {
    return stateSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
