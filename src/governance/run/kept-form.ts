// A window that decides something. What it was made from is kept until it is submitted; what differs are its fields, and what
// becomes of them.
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { english } from '../../languages/english.ts';
import { buildSection } from '../../slack/views/content.ts';
import { type Fields, readFields } from '../../slack/views/fields.ts';
import { buildLoadingModal, buildModal, type ModalTopic } from '../../slack/views/modal.ts';
import { windowOf } from '../../slack/window.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, Answer, Clicked, Submission } from '../shell/admin-shell.ts';
import { buildNotes } from '../shell/blocks.ts';
import { type Opened, type Place, toModal, toProblem } from '../shell/modal.ts';
import { keep, parseState, readKept } from '../shell/modal-state.ts';
import { type Decision, readDecision } from './decision-form.ts';

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
  /** See AdminCheck. */
  isCounted?: boolean;
  isForAll?: boolean;
  read(fields: Fields, state: State, services: GovernanceServices): Filled<Values>;
  /** Whether a second administrator has to approve it, as far as it can be known before the service is read again. */
  needsApprover(state: State, filled: Values): boolean;
  /** Answers the submission, and does what was decided. */
  carryOut(
    state: State,
    decided: Decision & FormPlace & { filled: Values },
    submission: Submission,
    services: GovernanceServices,
  ): Answer;
};

const placeSchema = z.object({ id: z.string().min(1), replyTo: z.string() });

/** What a window carries. `id`: under which what it was made from is kept. */
export type FormPlace = z.infer<typeof placeSchema>;

type FormWindow = Pick<ModalView, 'blocks'> & { submit: string; place: FormPlace };

export function buildFormWindow(
  { callbackId, topic }: Pick<KeptForm<unknown, unknown>, 'callbackId' | 'topic'>,
  { submit, place, blocks }: FormWindow,
): ModalView {
  const frame = { id: callbackId, title: topic.title, submit, metadata: JSON.stringify(place) };
  return buildModal(frame, blocks, english);
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

export function registerForm<State, Values>(
  shell: AdminShell,
  form: KeptForm<State, Values>,
  services: GovernanceServices,
): void {
  const { callbackId, topic, isCounted = true, isForAll = false } = form;
  shell.onSubmission({ callbackId, topic, isFresh: true, isCounted, isForAll }, (submission) =>
    submitForm(form, submission, services),
  );
}

/** The form, with the button that opens it. `outOfDate`: where its value names nothing; default: the form is too old. */
export function registerOpening<State, Values, Subject>(
  shell: AdminShell,
  form: KeptForm<State, Values>,
  button: { actionId: string; parse(value: string): Subject | undefined; outOfDate?: string },
  open: (subject: Subject, opened: Opened & { body: object }) => Promise<void>,
  services: GovernanceServices,
): void {
  const { topic, tooOld, isCounted = true, isForAll = false } = form;
  shell.onModalButton({ topic, outOfDate: tooOld, isCounted, isForAll, ...button }, open);
  registerForm(shell, form, services);
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
  const read = form.read(fields, state, services);
  const needsApprover = read.errors === undefined && form.needsApprover(state, read.filled);
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

/** A menu of such a window, which makes it one of what is chosen. */
export function onFormMenu<State>(
  shell: AdminShell,
  actionId: string,
  form: Pick<KeptForm<State, unknown>, 'callbackId' | 'topic' | 'tooOld'>,
  open: (state: State, chosen: string, opened: Opened) => Promise<void>,
  services: GovernanceServices,
): void {
  const { topic, tooOld } = form;
  const change = async ({ body, value, caller, say, openSession }: Clicked) => {
    const window = windowOf({ body, viewId: body.view?.id ?? '', say, texts: english }, services);
    const modal = toModal(window, { say, topic }, services);
    try {
      const kept = await readState<State>(form, body.view?.private_metadata ?? '', services);
      if (!kept) return await modal.showProblem(tooOld);
      await modal.show(buildLoadingModal(topic, english));
      await open(kept.state, value, { modal, openSession, caller, replyTo: kept.place.replyTo });
    } catch (error) {
      await modal.showFailure(error);
    }
  };
  shell.onClick(actionId, change);
}
