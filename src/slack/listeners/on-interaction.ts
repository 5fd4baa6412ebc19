// How clicks and submissions are answered: the listener acknowledges in time, and the person is told the result.
import type { App, BlockButtonAction, BlockStaticSelectAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { type Person, toPersonKey } from '../../conversation/question.ts';
import type { Turn } from '../../conversation/turn.ts';
import { StoreUnavailableError, TransientError } from '../../errors.ts';
import type { Texts } from '../../languages/english.ts';
import type { HomeOwner } from '../home-tab.ts';
import type { Installation } from '../installation.ts';
import { installationOf, readSource, readUser, textsFor } from '../request-source.ts';
import { type Content, toTextContent } from '../views/content.ts';
import type { Submitted } from '../views/fields.ts';
import { buildLoadingModal, buildProblemModal, type ModalTopic } from '../views/modal.ts';
import { openWindow } from '../window.ts';
import type { ListenerPorts } from './ports.ts';

/** `body`: what Slack sent. Throws UnknownWorkspaceError. */
export async function readClicker(body: object, ports: Pick<ListenerPorts, 'findInstallation'>): Promise<Clicker> {
  const { team, workspace, botUserId } = await installationOf(body, ports);
  return { person: { team, user: readUser(body) }, workspace, botUserId };
}

/** Who clicked, typed a command or submitted a window, and where the app is installed. */
export type Clicker = { person: Person } & Pick<Installation, 'workspace' | 'botUserId'>;

type ButtonBody = BlockButtonAction | BlockStaticSelectAction;

/** `value`: of the button, or of the chosen option. */
export type Click = { by: Clicker; value: string; body: BlockButtonAction };

async function readClick(body: ButtonBody, ports: ListenerPorts): Promise<Click> {
  const [action] = body.actions;
  const value = (action?.type === 'static_select' ? action.selected_option?.value : action?.value) ?? '';
  const by = await readClicker(body, ports);
  const { view } = body;
  if (view?.type === 'home') await ports.homeTab.seen(toHomeOwner(by.person, by.workspace, body), view.hash);
  return { by, value, body: body as BlockButtonAction };
}

export function toHomeOwner(person: Person, workspace: string, body: object): HomeOwner {
  const { workspace: homeTeam } = readSource(body);
  return { ...person, workspace, ...(homeTeam !== workspace && { homeTeam }) };
}

/** A sentence, or the content that replaces the clicked message, in the language of the person who clicked. */
export type Answer = (texts: Texts) => string | { replacement: Content };

/** Does what a button or a menu in a message or in the home tab asks for. `act` returns what to say, if anything. */
export function onButton(
  app: App,
  actionId: string,
  ports: ListenerPorts,
  act: (click: Click) => Promise<Answer | undefined>,
): void {
  app.action<ButtonBody>({ type: 'block_actions', action_id: actionId }, ({ ack, body }) =>
    answerClick({ ack, body }, ports, async () => act(await readClick(body, ports))),
  );
}

/**
 * Does what a click asks for, acknowledges it, and only then answers it, because Slack waits three seconds for the
 * acknowledgement. `work` returns the answer, if any.
 */
export async function answerClick(
  { ack, body }: { ack(): Promise<void>; body: object },
  ports: ListenerPorts,
  work: () => Promise<Answer | undefined>,
): Promise<void> {
  const answer = await orSayNothingWasDone<Answer | undefined>(
    work,
    async () =>
      ({ controls }) =>
        controls.nothingWasDone,
  );
  await ack();
  // In the background, because the acknowledgement is sent when the listener ends.
  if (answer) ports.inBackground(async () => show(body, answer(await textsFor(body, ports)), ports));
}

async function show(body: object, answer: ReturnType<Answer>, { clicks }: ListenerPorts): Promise<void> {
  if (typeof answer === 'string') return void (await clicks.say(body, toTextContent(answer)));
  const { replacement } = answer;
  if (!(await clicks.replace(body, replacement))) await clicks.say(body, replacement);
}

/**
 * Slack never resends a command, a click or a modal: if the store cannot be written, the person is told to try again. Any
 * other error is a bug and is thrown.
 */
export async function orSayNothingWasDone<T>(work: () => Promise<T>, sayNothingWasDone: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return sayNothingWasDone();
  }
}

/** The turn with this id, if the clicker asked it; else why they cannot do anything with it. */
export async function readOwnTurn(
  id: string,
  { person }: Clicker,
  { turns }: Pick<ListenerPorts, 'turns'>,
): Promise<Turn | 'tooOld' | 'notYours'> {
  const turn = await turns.get(id);
  if (!turn) return 'tooOld';
  return toPersonKey(person) === toPersonKey(turn.question.asker) ? turn : 'notYours';
}

/** A window that is filled after it has opened. If `fill` fails, the window shows `failed`, and the error is logged. */
export type FilledWindow = {
  topic(texts: Texts): ModalTopic;
  fill(texts: Texts, viewId: string): Promise<ModalView>;
  failed(texts: Texts): string;
};

/** Answers a button with a window: see answerWithWindow. */
export function onWindowButton(
  app: App,
  actionId: string,
  ports: ListenerPorts,
  {
    fill,
    ...window
  }: Omit<FilledWindow, 'fill'> & {
    fill(click: Click, texts: Texts, viewId: string): Promise<ModalView>;
  },
): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, ({ ack, body }) =>
    answerWithWindow({ ack, body }, ports, {
      ...window,
      fill: async (texts, viewId) => fill(await readClick(body, ports), texts, viewId),
    }),
  );
}

/** A trigger expires after three seconds. If Slack names no language in time, the window opens in the default one. */
const OPENING_MS = 250;

/**
 * Answers a click or a command with a window, after the acknowledgement: opening it may take longer than the three
 * seconds that Slack waits. `window`: its content, or how to fill it where something has to be looked up.
 */
export async function answerWithWindow(
  { ack, body }: { ack(): Promise<void>; body: object },
  ports: ListenerPorts,
  window: FilledWindow | ((texts: Texts) => ModalView),
): Promise<void> {
  await ack();
  const isWhole = typeof window === 'function';
  const build = (texts: Texts) => (isWhole ? window(texts) : buildLoadingModal(window.topic(texts), texts));
  ports.inBackground(async () => {
    const texts = await textsFor(body, ports, OPENING_MS);
    const say = (content: Content) => ports.clicks.say(body, content);
    const opened = await openWindow({ body, say, texts }, build(texts), ports);
    const known = await textsFor(body, ports);
    if (!opened) return;
    if (!isWhole) await opened.show(await orProblem(window, known, ports, () => window.fill(known, opened.viewId)));
    else if (known !== texts) await opened.show(build(known));
  });
}

/** Whatever fails, the window must not show "loading" for ever. */
export async function orProblem(
  { topic, failed }: Omit<FilledWindow, 'fill'>,
  texts: Texts,
  { log }: Pick<ListenerPorts, 'log'>,
  fill: () => Promise<ModalView>,
): Promise<ModalView> {
  try {
    return await fill();
  } catch (error) {
    const { id } = topic(texts);
    log[error instanceof TransientError ? 'warn' : 'error']({ window: id, err: error }, 'window not filled');
    return buildProblemModal(failed(texts), topic(texts), texts);
  }
}

type Submission = { by: Clicker; view: Submitted; texts: Promise<Texts>; body: object };

/** `refused`: a sentence below the field. `view`: what the window shows now. `after`: runs after the acknowledgement. */
type Taken = { refused?: string | undefined; view?: ModalView; after?(): Promise<void> };

/**
 * Takes a window that was submitted. If `take` resolves with undefined, the window closes. `field`: the field below which
 * `refused` is shown.
 */
export function onSubmit(
  app: App,
  { id, field }: { id: string; field?: string },
  ports: ListenerPorts,
  take: (submission: Submission) => Promise<Taken | undefined>,
): void {
  app.view({ callback_id: id, type: 'view_submission' }, async ({ view, body, ack }) => {
    const texts = textsFor(body, ports);
    const refuse = (why: string) => ack({ response_action: 'errors', errors: { [String(field)]: why } });
    const work = async () => {
      const taken = await take({ by: await readClicker(body, ports), view, texts, body });
      if (taken?.refused !== undefined) return refuse(taken.refused);
      await (taken?.view ? ack({ response_action: 'update', view: taken.view }) : ack());
      if (taken?.after) ports.inBackground(taken.after);
    };
    if (field === undefined) return work();
    await orSayNothingWasDone(work, async () => refuse((await texts).controls.nothingWasDone));
  });
}
