// The hand of an administrator: commands, windows, plans, and what comes of them. The demo uses it as well.
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Entries } from '@assistant-bridge/sandbox/slack/people/modal.ts';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { giveAdminCommand, openForm, readDirect, readPrivate } from '../app/administer.ts';
import { closeModals, openWindow } from '../app/open-window.ts';
import { openBrowserOf, passSignInPages, pressSignIn } from '../app/sign-in.ts';
import type { World } from '../app/world.ts';

export const KIM = 'U0KIM';
export const ANA = 'U0ANA';
export const BEN = 'U0BEN';

/** Why, in every form that asks. */
export const WHY = 'The pilot grows in spring';

/** The window that shows a plan. */
export const PLAN = 'plan_confirm';

/** A file that the app sent: its name, what was said with it, and what is in it. */
export type SentFile = { name: string; comment: string; content: string };

/** All of it by Kim, unless told otherwise. */
export type Hand = {
  /** Gives a command, and returns what they see. */
  tell(text: string, user?: SandboxUser): Promise<string>;
  /** Gives a command that opens a window, and returns that. */
  open(command: string, user?: SandboxUser): Promise<View>;
  /** Presses a button, and returns the window that it opens. */
  press(message: Message, button: string, user?: SandboxUser): Promise<View>;
  /** Submits what is open, and throws where it complains at a field. */
  submit(view: View, entries: Entries, user?: SandboxUser): Promise<View | undefined>;
  /** Fills the form with a reason, confirms the plan where one is shown, and returns the message about the outcome. */
  decide(form: View, entries?: Entries, user?: SandboxUser): Promise<Message>;
  /** Whatever the app says to somebody in answer to what is done: the first new message that fits. */
  awaitSaid(work: () => Promise<unknown>, fits: RegExp, user?: SandboxUser): Promise<Message>;
  /** Gives `review`, and returns its report. */
  review(words?: string, user?: SandboxUser): Promise<Message>;
  /** Drafts the first policy from what is set. `entries`: of the window of the draft. */
  draft(entries?: Entries): Promise<Message>;
  /** The files that somebody has in their direct messages, oldest first. */
  files(user?: SandboxUser): SentFile[];
  /** The stored policy, as YAML. */
  exportPolicy(user?: SandboxUser): Promise<string>;
  /** Sends a policy to the app, and returns the window that says what it would change, or why it does not. */
  importPolicy(content: string, user?: SandboxUser): Promise<View>;
  /** What the person's hand did so far: commands, clicks, choices, fields, submits and windows closed. */
  countSteps(): number;
  render(message: Message | View | undefined): string;
};

/** The field of the second administrator. */
const WHO = 'Who approves?';

/** What is said at the end of whatever was confirmed. */
export const OUTCOME = /^(?:✓|:x:|:warning:|:hourglass_flowing_sand: @|Nothing to do|Somebody changed)/;

/** Counts everything that it does. */
export function toHand(world: World): Hand {
  const { slack } = world;
  let steps = 0;
  const render = (shown: Message | View | undefined) => (shown === undefined ? '' : slack.render(shown));

  async function tidy(user: SandboxUser): Promise<void> {
    const isOpen = slack.as(user).openView() !== undefined;
    await closeModals(world, user);
    if (isOpen) steps += 1;
  }

  async function awaitSaid(work: () => Promise<unknown>, fits: RegExp, user: SandboxUser = KIM): Promise<Message> {
    const read = () => [...readPrivate(world, user), ...readDirect(world, user)];
    const before = new Set(read().map(({ ts }) => ts));
    await work();
    const find = () => read().find((message) => !before.has(message.ts) && fits.test(slack.render(message)));
    return slack.until(find, { what: `a message for ${user} that fits ${fits}`, timeoutMs: 150_000 });
  }

  const hand: Hand = {
    render,
    awaitSaid,
    countSteps: () => steps,
    async tell(text, user = KIM) {
      steps += 1;
      return slack.render(await giveAdminCommand(world, user, text));
    },
    async open(command, user = KIM) {
      await tidy(user);
      steps += 1;
      return openForm(world, user, command);
    },
    async press(message, button, user = KIM) {
      await tidy(user);
      steps += 1;
      return openWindow(world, user, () => slack.as(user).click(message, button));
    },
    async submit(view, entries, user = KIM) {
      const choices = Object.values(entries).map((entry) => (Array.isArray(entry) ? entry.length : 1));
      steps += choices.reduce((sum, one) => sum + one, 1);
      const { errors, error, view: shown } = await slack.as(user).submit(view, entries);
      if (Object.keys(errors).length > 0) throw new Error(`the window complains: ${JSON.stringify(errors)}`);
      if (error !== undefined) throw new Error(`the window shows an error: ${error}`);
      return shown;
    },
    async decide(form, entries = {}, user = KIM) {
      // The window that is submitted becomes the next one.
      const { callbackId } = form;
      const { approver, ...rest } = entries;
      const own = { reason: WHY, ...rest };
      const asksWho = approver !== undefined && render(form).includes(WHO);
      const filled = callbackId === PLAN ? toPlanEntries(render(form), entries) : asksWho ? { ...own, approver } : own;
      const confirm = async () => {
        await hand.submit(form, filled, user);
        if (callbackId === PLAN) return;
        const next = () => findNext(slack.as(user).openView(), callbackId);
        const view = await slack.until(next, { what: 'a plan, or the end', timeoutMs: 150_000 });
        if (view === 'over' || view.callbackId !== PLAN) return;
        await hand.submit(view, toPlanEntries(render(view), entries), user);
      };
      return awaitSaid(confirm, OUTCOME, user);
    },
    async review(words = '', user = KIM) {
      steps += 1;
      const give = async () => {
        // The review before is over once its end is noted, which is a moment after it was said.
        while (slack.render(await giveAdminCommand(world, user, `review ${words}`.trim())).includes('still running'));
      };
      return awaitSaid(give, /As of .* · policy \d+/s, user);
    },
    async draft(entries = { words: 'production' }) {
      const empty = await awaitSaid(() => hand.tell('review'), /The policy is empty/);
      return hand.decide(await hand.press(empty, 'Draft a policy…'), entries);
    },
    files: (user = KIM) =>
      readDirect(world, user).flatMap(({ text, files = [] }) =>
        files.map(({ id, name }) => ({
          name: String(name),
          comment: text,
          content: String(slack.workspace.files.get(String(id))?.content),
        })),
      ),
    async exportPolicy(user = KIM) {
      const before = hand.files(user).length;
      await hand.tell('policy export', user);
      const { content } = await slack.until(() => hand.files(user)[before], { what: 'the policy' });
      return content;
    },
    async importPolicy(content, user = KIM) {
      const person = slack.as(user);
      await person.say(person.dm, '', { files: [{ name: 'policy.yaml', content }], subtype: 'file_share' });
      await hand.submit(await hand.open('policy import', user), {}, user);
      const look = () => {
        const view = person.openView();
        return view && /^(?:plan_confirm|policy_import_end)$/.test(view.callbackId) ? view : undefined;
      };
      return slack.until(look, { what: 'the plan, or why there is none' });
    },
  };
  return hand;
}

/** Undefined: it is being looked up. */
function findNext(view: View | undefined, submitted: string): View | 'over' | undefined {
  if (view === undefined) return 'over';
  const isWaiting = /_(?:loading|reading|working)$/.test(view.callbackId) || view.callbackId === submitted;
  return isWaiting ? undefined : view;
}

/** A reason, the approver where there is one, and the number that a large plan has typed. */
function toPlanEntries(plan: string, { reason = WHY, approver }: Entries = {}): Entries {
  const [, number] = /Type ([\d,]+)/.exec(plan) ?? [];
  const asksWho = plan.includes(WHO) && approver !== undefined;
  return { reason, ...(number !== undefined && { typed: number }), ...(asksWho && { approver }) };
}

/** Signs somebody in with any account of the directory. `prompt`: a message with the button; without it, they ask for one. */
export async function signInWithAccount(
  world: World,
  user: SandboxUser,
  account: string,
  prompt?: Message,
): Promise<void> {
  const url = await pressSignIn(world, user, prompt ?? (await giveAdminCommand(world, user, 'sign-in')));
  const browser = await openBrowserOf(world, user, account);
  await browser.open(url);
  await passSignInPages(browser);
  await closeModals(world, user);
}
