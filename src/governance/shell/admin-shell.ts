// The one place where Slack's commands, clicks, submissions and suggestions reach what administrators do. Who sent them is
// checked here, every time, before anything is done: an old message outlives a right.
import type { App, BlockAction, BlockSuggestion, ViewOutput, ViewResponseAction } from '@slack/bolt';
import type { Button, PlainTextOption } from '@slack/types';
import type { Person } from '../../conversation/question.ts';
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import { english } from '../../languages/english.ts';
import { installationOf } from '../../slack/installations/request-source.ts';
import { escapeMrkdwn } from '../../slack/text-out/neutralise.ts';
import {
  buildButton,
  type buildPlainText,
  buildSection,
  type Content,
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

/** An admin, and where they are answered. */
export type Asking = Admin & { say: Say };

/** What a command does: in a modal, which is opened before anybody is asked anything, or else in words. */
export type CommandWork =
  | { check?: ChangeCheck | undefined; topic: ModalTopic; open(opened: Opened): Promise<void> }
  | { check?: AdminCheck | undefined; run(asking: Asking): Promise<void> };

/** `place`: the conversation that the command was given in. */
type ChooseWork = (text: string, place: string) => CommandWork;

type Command = { name: string; choose: ChooseWork };

/** Takes what waited for this person's sign-in: each is begun by calling it. Throws StoreUnavailableError. */
export type TakeWaiting = (person: Person) => Promise<(() => void)[]>;

/** `value`: of the button, or of what was chosen in a menu; `label`: of the latter. '' where there is none. */
export type Clicked = Asking & { body: BlockAction; value: string; label: string };

type ClickOptions = {
  check?: AdminCheck | undefined;
  /** What to do after a sign-in; mrkdwn. */
  again?: string;
  /** What is said where the work stops. */
  toFailure?(error: unknown, body: BlockAction): Content;
};

type ModalButton<Subject> = {
  actionId: string | RegExp;
  topic: ModalTopic;
  /** What the value of the button names; undefined: it is no such value. */
  parse(value: string): Subject | undefined;
  /** Shown then; plain text. */
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
  /** For `afterwards`: where what comes of it is told. `replyTo`: see respond.ts. `isWatched`: in the modal alone. */
  toPlace(replyTo: string | undefined, options?: { isWatched?: boolean }): Place;
};

/** `afterwards` runs in the background once Slack has the answer, and tells by itself what stops it. */
export type Answer = { answer: ViewResponseAction; afterwards?: () => Promise<void> };

type Suggesting = {
  actionId: string;
  /** The answer where `suggest` takes longer than `withinMs`. */
  late: Options;
  withinMs: number;
  toFailure(error: unknown): Options;
};

export type AdminShell = ReturnType<typeof createAdminShell>;

/** What is registered here runs for admins alone, and with nothing but their own rights. */
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

  /** Undefined: it does not wait, and has to be given again. */
  async function tryKeep(command: Command, given: GivenCommand, error: unknown): Promise<Kept | undefined> {
    try {
      const { team } = await installationOf(given.body, ports);
      const person = { team, user: given.user };
      await ports.waiting.keep(person, given);
      // A sign-in that ended just now may have looked before this was kept. Who takes it out carries it out.
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
    return commands.map((given) => () => goOn(command, given));
  }

  /** After the sign-in. Whether they are still an admin is asked of Slack, and a modal needs a click of theirs. */
  function goOn(command: Command, given: GivenCommand): void {
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
     * It is acknowledged without a word: Slack offers no way to replace or remove what a command is acknowledged with.
     * Given before the sign-in that it needs, it waits for that.
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

    /** A button, or a choice. */
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

    /** A button that opens a modal, or takes the place of what its own modal shows. */
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

    /** Checked before the answer, which Slack waits 3 s for: `handle` has to be quick. */
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

    /** What is typed comes with every key that is pressed, so nobody counts it. */
    onSuggestion(
      { actionId, late, withinMs, toFailure }: Suggesting,
      suggest: (body: BlockSuggestion, admin: Admin) => Promise<Options>,
    ): void {
      const look = async (body: BlockSuggestion) => {
        try {
          return await suggest(body, await admit({ body, user: body.user.id }, ports, { isCounted: false }));
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

/** What a button does that gives a command. Written into messages: never rename. */
const GO_ON_ACTION = 'admin_go_on';
const COMMAND_ACTIONS = /^admin_go_on(?:_\d+)?$/;

/** A button that gives a command: it does what typing `text` would. `nth`: in its block. Undefined: the text is too long. */
export function buildCommandButton(label: string, text: string, nth: number): Button | undefined {
  // As Slack sends what is typed.
  const value = escapeMrkdwn(text);
  return value.length > MAX_BUTTON_VALUE_LENGTH ? undefined : buildButton(`${GO_ON_ACTION}_${nth}`, label, value);
}

/** `quoted`: mrkdwn. What is too long for a button has to be given again. */
function buildGoOn(quoted: string, text: string): Content {
  const isTooLong = text.length > MAX_BUTTON_VALUE_LENGTH;
  const said = `You are signed in. ${isTooLong ? `Give ${quoted} again` : `Go on with ${quoted}`}.`;
  const button = { ...buildButton(GO_ON_ACTION, 'Go on…', text), style: 'primary' as const };
  return { text: said, blocks: [buildSection(said), ...buildActions([isTooLong ? undefined : button])] };
}

function quote({ name }: Command, { text }: GivenCommand): string {
  return `\`${toMrkdwnLine(`${name} ${text}`.trim().replaceAll('`', "'"), 100)}\``;
}

/** For where nobody can be an administrator. */
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
