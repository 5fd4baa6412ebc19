// A window that decides something. What it was made from is kept until it is submitted; what differs are its fields, and what
// becomes of them.
import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { english } from '../../languages/english.ts';
import { buildSection } from '../../slack/views/content.ts';
import { type Fields, readFields } from '../../slack/views/fields.ts';
import { buildLoadingModal, buildModal, type ModalTopic } from '../../slack/views/modal.ts';
import { windowOf } from '../../slack/window.ts';
import type { GovernanceServices } from '../services.ts';
import type { ChangeCheck } from '../shell/access.ts';
import type { AdminShell, Answer, Clicked, Submission } from '../shell/admin-shell.ts';
import { buildNotes } from '../shell/blocks.ts';
import { type Opened, type Place, toModal, toProblem } from '../shell/modal.ts';
import { keep, parseState, readKept } from '../shell/modal-state.ts';
import { buildDecisionFields, type Decision, type DecisionFields, readDecision } from './decision-form.ts';

/** `errors`: a sentence by block id. */
export type Filled<Values> = { filled: Values; errors?: undefined } | { errors: Record<string, string> };

/** Sentences by the names of values, as sentences by the names of their fields. */
export function toFieldErrors<Value extends string>(
  errors: { [value in Value]?: string },
  names: Record<Value, string>,
): Record<string, string> {
  const entries = Object.entries(errors) as [Value, string][];
  return Object.fromEntries(entries.map(([value, sentence]) => [names[value], sentence]));
}

/** `State`: plain JSON, as long as it is kept: fields are added, never renamed. */
export type KeptForm<State, Values> = {
  /** Slack sends submissions under this name: never rename. */
  callbackId: string;
  topic: ModalTopic;
  /** Said where what it was made from is not kept any more; plain text. */
  tooOld: string;
  /** Who may open and submit it. */
  check?: ChangeCheck;
  /** What opens it, besides a command. */
  button?: FormButton;
  /** A menu in it, which makes it the window of what is chosen. */
  menu?: {
    actionId: string;
    open(state: State, chosen: string, opened: Opened, services: GovernanceServices): Promise<void>;
  };
  /** What it ends with, before its small print. */
  decision?: DecisionFields;
  /** Default: it has no fields of its own. */
  read?(fields: Fields, state: State, services: GovernanceServices): Filled<Values>;
  /**
   * Whether a second administrator has to approve it, as far as it can be known before the service is read again. Default:
   * that is not known.
   */
  needsApprover?(state: State, filled: Values): boolean;
  /** Answers the submission, and does what was decided. */
  carryOut(
    state: State,
    decided: Decision & FormPlace & { filled: Values },
    submission: Submission,
    services: GovernanceServices,
  ): Answer;
};

type OpenForm = (opened: Opened & { body: object }, services: GovernanceServices) => Promise<void>;

/** `parse`: what a value opens; undefined: it names nothing. `outOfDate`: said then; default: that the form is too old. */
type FormButton = { actionId: string; parse(value: string): OpenForm | undefined; outOfDate?: string };

/** A button whose value names what its form is about. */
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

/** What a window carries. `id`: under which what it was made from is kept. */
export type FormPlace = z.infer<typeof placeSchema>;

/** What is special in a window. Without `submit` nothing is decided in it. `decision`: beside that of the form. */
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

/** Takes the place of what the window shows. `id`: of the state that this one takes the place of. */
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

/** `id`: of what it takes the place of. Throws StoreUnavailableError. */
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

/** Has these forms submitted, opened by their buttons, and changed by their menus. */
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

/** What is wrong is said at its field. */
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

/** Who has submitted a form, and where what comes of it is shown. */
export type Acting = Pick<Submission, 'caller' | 'openSession'> & Pick<Place, 'modal' | 'say'> & { replyTo: string };

/** Says what is being done, and does it in the background. What stops it is said in the window. */
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

/** `topic.loading`: what is being done. Closing it stops nothing. */
export function buildWorking({ title, loading }: ModalTopic): ModalView {
  const note = buildNotes(['You may close this: you get a message about how it ends.']);
  return buildModal({ id: 'form_working', title }, [buildSection(loading), note], english);
}

function registerMenu(
  shell: AdminShell,
  { callbackId, topic, tooOld, check, menu }: KeptForm<unknown, unknown>,
  services: GovernanceServices,
): void {
  if (menu === undefined) return;
  const change = async ({ body, value, caller, say, openSession }: Clicked) => {
    const window = windowOf({ body, viewId: body.view?.id ?? '', say, texts: english }, services);
    const modal = toModal(window, { say, topic }, services);
    try {
      const kept = await readState({ callbackId }, body.view?.private_metadata ?? '', services);
      if (!kept) return await modal.showProblem(tooOld);
      await modal.show(buildLoadingModal(topic, english));
      await menu.open(kept.state, value, { modal, openSession, caller, replyTo: kept.place.replyTo }, services);
    } catch (error) {
      await modal.showFailure(error);
    }
  };
  shell.onClick(menu.actionId, change, { check });
}
