// The one place where commands, clicks, submissions and suggestions of administrators arrive from Slack. Checks the sender
// each time before anything is done, because a message stays when a person loses a right.
import type { App, BlockAction, BlockSuggestion, ViewOutput, ViewResponseAction } from '@slack/bolt';
import type { Button, PlainTextOption } from '@slack/types';
import type { Person } from '../../conversation/question.ts';
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import { english } from '../../languages/english.ts';
import { installationOf } from '../../slack/request-source.ts';
import { escapeMrkdwn } from '../../slack/text-out/neutralise.ts';
import {
  buildButton,
  type buildPlainText,
  buildSection,
  type Content,
  toContent,
  toMrkdwnLine,
} from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { MAX_BUTTON_VALUE_LENGTH } from '../../slack/web/limits.ts';
import { windowOf } from '../../slack/window.ts';
import { withinTime } from '../../time-limit.ts';
import { type AccountPorts, type Admin, type AdminCheck, type AdmitPorts, admit, type ChangeCheck } from './access.ts';
import { buildActions } from './blocks.ts';
import { type Kept, NOT_SET_UP, toFailureSentence } from './failure-message.ts';
import { type ModalPorts, type Opened, type Place, placeAfterAnswer, toModal, toProblem, withModal } from './modal.ts';
import { readReplyTo } from './modal-state.ts';
import { type BackgroundPorts, createSay, type Say, type SayPorts, startSaying, toReplyTo } from './respond.ts';
import { type GivenCommand, WAITS_MINUTES, type WaitingCommands } from './waiting-commands.ts';

export type ShellPorts = AdmitPorts &
  AccountPorts &
  ModalPorts &
  SayPorts &
  BackgroundPorts & { waiting: WaitingCommands };

/** An admin, and where answers to them go. */
export type Asking = Admin & { say: Say };

/** What a command does: either opens a modal, at once and before any check, or answers in a message. */
export type CommandWork =
  | { check?: ChangeCheck | undefined; topic: ModalTopic; open(opened: Opened): Promise<void> }
  | { check?: AdminCheck | undefined; run(asking: Asking): Promise<void> };

/** `place`: the id of the conversation in which the command was typed. */
type ChooseWork = (text: string, place: string) => CommandWork;

type Command = { name: string; choose: ChooseWork };

/** Takes the commands that waited for this person's sign-in. Calling one starts it. Throws StoreUnavailableError. */
export type TakeWaiting = (person: Person) => Promise<(() => void)[]>;

/** `value`: of the button or the chosen option. `label`: of the option. Both '' if there is none. */
export type Clicked = Asking & { body: BlockAction; value: string; label: string };

type ClickOptions = {
  check?: AdminCheck | undefined;
  /** What to do after a sign-in; mrkdwn. */
  again?: string;
  /** The message for an error that stops the work. */
  toFailure?(error: unknown, body: BlockAction): Content;
};

type ModalButton<Subject> = {
  actionId: string | RegExp;
  topic: ModalTopic;
  /** Reads the value of the button. Undefined: it is not a valid value. */
  parse(value: string): Subject | undefined;
  /** Shown for an invalid value; plain text. */
  outOfDate: string;
  check?: ChangeCheck | undefined;
};

type Form = {
  callbackId: string;
  topic: ModalTopic | ((view: ViewOutput) => ModalTopic);
  check?: ChangeCheck | undefined;
};

export type Submission = Admin & {
  view: ViewOutput;
  /** For `afterwards`: where the result is shown. `replyTo`: see respond.ts. `isWatched`: in the modal only. */
  toPlace(replyTo: string | undefined, options?: { isWatched?: boolean }): Place;
};

/** `afterwards` runs in the background once Slack has the answer, and reports its own errors. */
export type Answer = { answer: ViewResponseAction; afterwards?: () => Promise<void> };

type Suggesting = {
  actionId: string;
  /** The answer if `suggest` takes longer than `withinMs`. */
  late: Options;
  withinMs: number;
  toFailure(error: unknown): Options;
};

export type AdminShell = ReturnType<typeof createAdminShell>;

/** Handlers registered here run for administrators only, and only with the rights of that person. */
export function createAdminShell(app: App, ports: ShellPorts) {
  function startCommand(given: GivenCommand, choose: ChooseWork, own: ShellPorts): void {
    const { body, user, text, place } = given;
    const say = createSay(body, own);
    startSaying(say, own, async () => {
      const work = choose(text, place);
      const { check = {} } = work;
      if ('run' in work) return work.run({ ...(await admit(given, own, check)), say });
      await withModal({ body, user, say, replyTo: toReplyTo(body), topic: work.topic, check }, own, work.open);
    });
  }

  /** Undefined: the command was not stored, so the person has to give it again. */
  async function tryKeep(command: Command, given: GivenCommand, error: unknown): Promise<Kept | undefined> {
    try {
      const { team } = await installationOf(given.body, ports);
      const person = { team, user: given.user };
      await ports.waiting.keep(person, given);
      // A sign-in that ended just now may have looked before this was stored. Whoever takes the command out runs it.
      const isLate = error instanceof AccountNotLinkedError && (await ports.adminAccount(person))?.isSignedIn === true;
      if (!isLate)
        return {
          again: `I carry out ${quote(command, given)} by myself, if you sign in within ${WAITS_MINUTES} minutes`,
        };
      for (const begin of await takeWaiting(command, person)) begin();
      return 'goes on';
    } catch (failure) {
      ports.log.warn({ err: failure }, 'command does not wait for the sign-in');
      return undefined;
    }
  }

  async function takeWaiting(command: Command, person: Person): Promise<(() => void)[]> {
    const commands = await ports.waiting.take(person);
    return commands.map((given) => () => runWaiting(command, given));
  }

  /** Runs after the sign-in. Asks Slack again whether they are an admin. A modal can only be opened by a click. */
  function runWaiting(command: Command, given: GivenCommand): void {
    const say = createSay(given.body, ports);
    startSaying(say, ports, async () => {
      const work = command.choose(given.text, given.place);
      const admin = await admit(given, ports, { ...work.check, isFresh: true });
      if ('run' in work) return work.run({ ...admin, say });
      await say(buildGoOn(quote(command, given), given.text));
    });
  }

  return {
    /**
     * Acknowledges without text, because Slack cannot replace or remove such a text later. A command that needs a sign-in
     * first is stored until then.
     */
    onCommand(name: string, choose: ChooseWork): TakeWaiting {
      app.command(name, async ({ command, ack }) => {
        await ack();
        const { user_id: user, text, channel_id: place } = command;
        const given = { body: command, user, text, place };
        const keepForSignIn = (error: unknown) => tryKeep({ name, choose }, given, error);
        startCommand(given, choose, { ...ports, keepForSignIn });
      });
      app.action<BlockAction>({ type: 'block_actions', action_id: COMMAND_ACTIONS }, async ({ body, ack }) => {
        await ack();
        const { value: text } = readAction(body);
        startCommand({ body, user: body.user.id, text, place: body.channel?.id ?? '' }, choose, ports);
      });
      return (person) => takeWaiting({ name, choose }, person);
    },

    /** A button or a menu. */
    onClick(
      actionId: string | RegExp,
      work: (clicked: Clicked) => Promise<void>,
      { check, again, toFailure }: ClickOptions = {},
    ): void {
      app.action<BlockAction>({ type: 'block_actions', action_id: actionId }, async ({ body, ack }) => {
        await ack();
        const say = createSay(body, ports, body.view?.type === 'modal' ? readReplyTo(body.view) : undefined);
        const run = async () => {
          const admin = await admit({ body, user: body.user.id }, ports, check);
          await work({ ...admin, say, body, ...readAction(body) });
        };
        const tell = toFailure && (async (error: unknown) => void (await say(toFailure(error, body))));
        startSaying(say, ports, tell ? () => run().catch(tell) : run, again);
      });
    },

    /** A button that opens a modal, or replaces the view of the modal that it is in. */
    onModalButton<Subject>(
      { actionId, parse, outOfDate, ...how }: ModalButton<Subject>,
      show: (subject: Subject, opened: Opened & { body: object }) => Promise<void>,
    ): void {
      app.action<BlockAction>({ type: 'block_actions', action_id: actionId }, async ({ body, ack }) => {
        await ack();
        const replyTo = body.view ? readReplyTo(body.view) : toReplyTo(body);
        const say = createSay(body, ports, replyTo);
        const opening = { body, user: body.user.id, say, replyTo, ...(body.view && { viewId: body.view.id }), ...how };
        const work = async (opened: Opened) => {
          const subject = parse(readAction(body).value);
          if (!subject) return opened.modal.showProblem(outOfDate);
          await show(subject, { ...opened, body });
        };
        startSaying(say, ports, () => withModal(opening, ports, work));
      });
    },

    /** Slack waits 3 s for the answer, and the check comes first, so `handle` must be quick. */
    onSubmission(form: Form, handle: (submission: Submission) => Promise<Answer>): void {
      app.view({ callback_id: form.callbackId, type: 'view_submission' }, async ({ view, body, ack }) => {
        const topic = typeof form.topic === 'function' ? form.topic(view) : form.topic;
        const toPlace: Submission['toPlace'] = (replyTo = '', { isWatched = false } = {}) => {
          const say = createSay(body, ports, replyTo);
          const window = windowOf({ body, viewId: view.id, texts: english, ...(isWatched && { say }) }, ports);
          return placeAfterAnswer(toModal(window, { say, topic }, ports), say);
        };
        try {
          const admin = await admit({ body, user: body.user.id }, ports, { isFresh: false, ...form.check });
          const { answer, afterwards } = await handle({ ...admin, view, toPlace });
          await ack(answer);
          if (afterwards) ports.inBackground(afterwards);
        } catch (error) {
          await ack(toProblem(toFailureSentence(error, ports.log), topic));
        }
      });
    },

    /** Slack asks with every keystroke, so this is no command of the person, and Slack is not asked each time who it is. */
    onSuggestion(
      { actionId, late, withinMs, toFailure }: Suggesting,
      suggest: (body: BlockSuggestion, admin: Admin) => Promise<Options>,
    ): void {
      const look = async (body: BlockSuggestion) => {
        try {
          return await suggest(
            body,
            await admit({ body, user: body.user.id }, ports, { isCounted: false, isFresh: false }),
          );
        } catch (error) {
          return toFailure(error);
        }
      };
      app.options<'block_suggestion'>({ type: 'block_suggestion', action_id: actionId }, async ({ body, ack }) => {
        await ack(await withinTime(withinMs, look(body), () => late));
      });
    },
  };
}

/** The action id of a button that gives a command. Written into messages: never rename. */
const GO_ON_ACTION = 'admin_go_on';
const COMMAND_ACTIONS = /^admin_go_on(?:_\d+)?$/;

/** A button that does the same as typing `text`. `nth`: its position in the block. Undefined: the text is too long. */
export function buildCommandButton(label: string, text: string, nth: number): Button | undefined {
  // Slack sends typed text in this form.
  const value = escapeMrkdwn(text);
  return value.length > MAX_BUTTON_VALUE_LENGTH ? undefined : buildButton(`${GO_ON_ACTION}_${nth}`, label, value);
}

/** `quoted`: mrkdwn. A command that is too long for a button has to be typed again. */
function buildGoOn(quoted: string, text: string): Content {
  const isTooLong = text.length > MAX_BUTTON_VALUE_LENGTH;
  const said = `You are signed in. ${isTooLong ? `Give ${quoted} again` : `Go on with ${quoted}`}.`;
  const button = { ...buildButton(GO_ON_ACTION, 'Go on…', text), style: 'primary' as const };
  return toContent([buildSection(said), ...buildActions([isTooLong ? undefined : button])]);
}

function quote({ name }: Command, { text }: GivenCommand): string {
  return `\`${toMrkdwnLine(`${name} ${text}`.trim().replaceAll('`', "'"), 100)}\``;
}

/** For installations without administrators. */
export function registerNotSetUp(app: App, command: string): void {
  app.command(command, ({ ack }) => ack({ response_type: 'ephemeral', text: NOT_SET_UP }));
}

function readAction({ actions: [action] }: BlockAction): { value: string; label: string } {
  if (action?.type === 'button') return { value: action.value ?? '', label: '' };
  const chosen = action?.type === 'static_select' ? action.selected_option : undefined;
  return { value: chosen?.value ?? '', label: chosen?.text.text ?? '' };
}

/** An answer to block_suggestion. A group's label is no option: nobody can pick it. */
export type Options =
  | { options: PlainTextOption[] }
  | { option_groups: { label: ReturnType<typeof buildPlainText>; options: PlainTextOption[] }[] };
