// A window in which something is decided. The state that it shows is stored until it is submitted. Forms differ in their
// fields, and in what happens with them.
import type { BlockAction } from '@slack/bolt';
import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { english } from '../../languages/english.ts';
import { buildSection } from '../../slack/views/content.ts';
import { type Fields, readFields } from '../../slack/views/fields.ts';
import { buildModal, type ModalTopic } from '../../slack/views/modal.ts';
import type { GovernanceServices } from '../services.ts';
import type { ChangeCheck } from '../shell/access.ts';
import type { AdminShell, Answer, Submission } from '../shell/admin-shell.ts';
import { buildNotes } from '../shell/blocks.ts';
import { type Opened, type Place, toProblem } from '../shell/modal.ts';
import { keep, parseState, readKept } from '../shell/modal-state.ts';
import { buildDecisionFields, type Decision, type DecisionFields, readDecision } from './decision-form.ts';

/** `errors`: a sentence by block id. */
export type Filled<Values> = { filled: Values; errors?: undefined } | { errors: Record<string, string> };

/** Renames the keys of errors, from names of values to names of their fields. */
export function toFieldErrors<Value extends string>(
  errors: { [value in Value]?: string },
  names: Record<Value, string>,
): Record<string, string> {
  const entries = Object.entries(errors) as [Value, string][];
  return Object.fromEntries(entries.map(([value, sentence]) => [names[value], sentence]));
}

/** `State`: plain JSON. It is stored, so fields are added, never renamed. */
export type KeptForm<State, Values> = {
  /** Slack sends submissions under this name: never rename. */
  callbackId: string;
  topic: ModalTopic;
  /** Shown if the state is not stored any more; plain text. */
  tooOld: string;
  /** Who may open and submit it. */
  check?: ChangeCheck;
  /** A button that opens it, beside a command. */
  button?: FormButton;
  /** A menu in it that opens the form of the chosen option in the same window. */
  menu?: {
    actionId: string;
    open(state: State, chosen: string, opened: Opened, services: GovernanceServices): Promise<void>;
  };
  /** The last fields, before the small print. */
  decision?: DecisionFields;
  /** Default: it has no fields of its own. */
  read?(fields: Fields, state: State, services: GovernanceServices): Filled<Values>;
  /**
   * Whether it is already certain, before the service is read again, that a second administrator has to approve. Default:
   * no.
   */
  needsApprover?(state: State, filled: Values): boolean;
  /** Answers the submission, and carries out the decision. */
  carryOut(
    state: State,
    decided: Decision & FormPlace & { filled: Values },
    submission: Submission,
    services: GovernanceServices,
  ): Answer;
};

type OpenForm = (opened: Opened & { body: object }, services: GovernanceServices) => Promise<void>;

/** `parse`: undefined for an invalid value. `outOfDate`: shown for that; default: `tooOld` of the form. */
type FormButton = { actionId: string; parse(value: string): OpenForm | undefined; outOfDate?: string };

/** A button whose value names the subject of the form. */
export function opensForm<Subject>(
  actionId: string,
  parse: (value: string) => Subject | undefined,
  open: (subject: Subject, ...args: Parameters<OpenForm>) => Promise<void>,
): FormButton {
  return {
    actionId,
    parse(value) {
      const subject = parse(value);
      return subject === undefined ? undefined : (...args) => open(subject, ...args);
    },
  };
}

const placeSchema = z.object({ id: z.string().min(1), replyTo: z.string() });

/** The metadata of a window. `id`: under which its state is stored. */
export type FormPlace = z.infer<typeof placeSchema>;

/** The parts of one window. Without `submit` it is read-only. `decision`: in addition to that of the form. */
export type FormWindow = {
  blocks: KnownBlock[];
  submit?: string;
  title?: string;
  decision?: DecisionFields;
  /** Small print at the end. */
  note?: string;
};

type AnyForm = Pick<KeptForm<unknown, unknown>, 'callbackId' | 'topic' | 'decision'>;

export function buildFormWindow(
  { callbackId, topic, decision }: AnyForm,
  { blocks, submit, title = topic.title, note, decision: more }: FormWindow,
  { place, needsApproval }: { place: FormPlace; needsApproval: boolean },
): ModalView {
  const fields = submit === undefined ? [] : buildDecisionFields({ ...decision, ...more }, needsApproval);
  const notes = note === undefined ? [] : [buildNotes([note])];
  const frame = { id: callbackId, title, metadata: JSON.stringify(place), ...(submit !== undefined && { submit }) };
  return buildModal(frame, [...blocks, ...fields, ...notes], english);
}

/** Replaces what the window shows. `id`: of the stored state to replace; undefined: store a new one. */
export async function showForm<State>(
  form: AnyForm,
  { state, id, ...window }: FormWindow & { state: State; id?: string },
  { modal, replyTo }: Pick<Opened, 'modal' | 'replyTo'>,
  services: GovernanceServices,
): Promise<FormPlace> {
  const place = await keepState(form, state, { ...(id !== undefined && { id }), replyTo }, services);
  await modal.show(buildFormWindow(form, window, { place, needsApproval: services.needsApproval }));
  return place;
}

/** `id`: of the stored state to replace, if any. Throws StoreUnavailableError. */
export async function keepState<State>(
  { callbackId }: Pick<KeptForm<State, unknown>, 'callbackId'>,
  state: State,
  { id, replyTo }: Pick<FormPlace, 'replyTo'> & Partial<FormPlace>,
  services: GovernanceServices,
): Promise<FormPlace> {
  return { id: await keep(callbackId, state, services, id), replyTo };
}

async function readState<State>(
  { callbackId }: Pick<KeptForm<State, unknown>, 'callbackId'>,
  metadata: string,
  services: GovernanceServices,
): Promise<{ state: State; place: FormPlace } | undefined> {
  const place = parseState(placeSchema, metadata);
  const state = place && (await readKept<State>(callbackId, place.id, services));
  return place && state && { state, place };
}

/** Registers the submissions, buttons and menus of these forms. */
export function registerForms(
  shell: AdminShell,
  forms: readonly KeptForm<unknown, unknown>[],
  services: GovernanceServices,
): void {
  for (const form of forms) {
    const { callbackId, topic, tooOld, check, button } = form;
    shell.onSubmission({ callbackId, topic, check: { isFresh: true, ...check } }, (submission) =>
      submitForm(form, submission, services),
    );
    const opening = button && { topic, outOfDate: tooOld, check, ...button };
    if (opening) shell.onModalButton(opening, (open, opened) => open(opened, services));
    registerMenu(shell, form, services);
  }
}

/** Shows errors at their fields. */
export async function submitForm<State, Values>(
  form: KeptForm<State, Values>,
  submission: Submission,
  services: GovernanceServices,
): Promise<Answer> {
  const { view, caller } = submission;
  const kept = await readState<State>(form, view.private_metadata, services);
  if (!kept) return { answer: toProblem(form.tooOld, form.topic) };
  const { state, place } = kept;
  const fields = readFields(view);
  const read = form.read?.(fields, state, services) ?? { filled: undefined as Values };
  const needsApprover = read.errors === undefined && (form.needsApprover?.(state, read.filled) ?? false);
  const decision = await readDecision(fields, { caller, errors: read.errors ?? {}, needsApprover }, services);
  if ('errors' in decision) return { answer: { response_action: 'errors', errors: decision.errors } };
  if (read.errors !== undefined) return { answer: { response_action: 'errors', errors: read.errors } };
  return form.carryOut(state, { ...decision, ...place, filled: read.filled }, submission, services);
}

/** Who submitted a form, and where the result is shown. */
export type Acting = Pick<Submission, 'caller' | 'openSession'> & Pick<Place, 'modal' | 'say'> & { replyTo: string };

/** Shows that the work is under way, and does it in the background. Errors are shown in the window. */
export function answerWorking(
  topic: ModalTopic,
  { caller, openSession, toPlace }: Pick<Submission, 'caller' | 'openSession' | 'toPlace'>,
  replyTo: string,
  work: (acting: Acting) => Promise<void>,
): Answer {
  return {
    answer: { response_action: 'update', view: buildWorking(topic) },
    async afterwards() {
      const { modal, say } = toPlace(replyTo);
      await work({ caller, openSession, modal, say, replyTo }).catch(modal.showFailure);
    },
  };
}

/** `topic.loading`: what is being done. Closing the window does not stop it. */
export function buildWorking({ title, loading }: ModalTopic): ModalView {
  const note = buildNotes(['You may close this window. A message will tell you how it ended.']);
  return buildModal({ id: 'form_working', title }, [buildSection(loading), note], english);
}

function registerMenu(
  shell: AdminShell,
  { callbackId, topic, tooOld, check, menu }: KeptForm<unknown, unknown>,
  services: GovernanceServices,
): void {
  if (menu === undefined) return;
  const button = { actionId: menu.actionId, topic, check, parse: (chosen: string) => chosen, outOfDate: tooOld };
  shell.onModalButton(button, async (chosen, opened) => {
    const { view } = opened.body as BlockAction;
    const kept = await readState({ callbackId }, view?.private_metadata ?? '', services);
    if (!kept) return opened.modal.showProblem(tooOld);
    await menu.open(kept.state, chosen, opened, services);
  });
}
