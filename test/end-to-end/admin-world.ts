import { createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Entries } from '@assistant-bridge/sandbox/slack/people/modal.ts';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import {
  awaitModal,
  closeModals,
  giveAdminCommand,
  nextPrivate,
  readPrivate,
  signInAsAdmin,
} from '../app/administer.ts';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { passSignInPages, pressSignIn } from '../app/sign-in.ts';
import { startWorld, type World, type WorldOptions } from '../app/world.ts';

export const KIM = 'U0KIM';

/** What a confirmation asks for. */
export const WHY = { reason: 'The pilot grows in spring' };

export type AdminWorld = World & {
  app: AppProcess;
  /** Gives a command as Kim, and returns what she sees. */
  tell(text: string): Promise<string>;
  /** Fills the form, confirms what comes after it with a reason, and returns the message about the outcome. */
  set(form: View, entries: Entries): Promise<string>;
  stop(): Promise<void>;
};

/** A world with the real app, in which Kim is an admin who has signed in. */
export async function startAdminWorld(
  options: WorldOptions = {},
  environment: Record<string, string> = {},
): Promise<AdminWorld> {
  const world = await startWorld(options);
  const app = await startAppProcess({ ...world.environment, ...environment });
  await signInAsAdmin(world, KIM, await giveAdminCommand(world, KIM, 'sign-in'));
  world.admin.ledger.clear();
  const { slack } = world;
  const live: AdminWorld = {
    ...world,
    app,
    tell: async (text) => slack.render(await giveAdminCommand(world, KIM, text)),
    async set(form, entries) {
      await slack.as(KIM).submit(form, entries);
      const confirmation = await awaitModal(world, KIM, `${form.callbackId}_confirm`);
      const count = readPrivate(world, KIM).length;
      await slack.as(KIM).submit(confirmation, WHY);
      return slack.render(await nextPrivate(world, KIM, count));
    },
    async stop() {
      // A test may have started it anew.
      await live.app.kill('SIGTERM');
      await world.close();
    },
  };
  return live;
}

/** Signs somebody in with Kim's account of the directory, which has the role there: it need not be of their own name. */
export function signInWithKimsAccount(world: AdminWorld, user: SandboxUser, prompt?: Message): Promise<void> {
  return signInWithAccount(world, user, 'kim', prompt);
}

/** Signs somebody in with any account of the directory. `prompt`: a message with the button; without it, they ask for one. */
export async function signInWithAccount(
  world: AdminWorld,
  user: SandboxUser,
  account: string,
  prompt?: Message,
): Promise<void> {
  const url = await pressSignIn(world, user, prompt ?? (await giveAdminCommand(world, user, 'sign-in')));
  await followSignIn(world, user, account, url);
  await closeModals(world, user);
}

/** The pages of a sign-in, from the address that the modal offered. */
export async function followSignIn(world: AdminWorld, user: SandboxUser, account: string, url: string): Promise<void> {
  const browser = createBrowser();
  await browser.open(`${world.slack.url}/sandbox/login?user=${user}`);
  await browser.open(world.identityProvider.loginUrl(account));
  await browser.open(url);
  await passSignInPages(browser);
}
