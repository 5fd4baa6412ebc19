// How an admin works: commands whose answers only they see, the sign-in that these ask for, and the modals.
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { closeModals, openWindow } from './open-window.ts';
import { openBrowserOf, passSignInPages, pressSignIn } from './sign-in.ts';
import type { World } from './world.ts';

/** Commands work here, and so they do everywhere. */
const ADMIN_CHANNEL = 'C0GENERAL';

/** What only this person sees in the channel, oldest first. */
export function readPrivate(world: World, user: string): Message[] {
  return world.slack
    .as(user)
    .sees(ADMIN_CHANNEL)
    .filter(({ ephemeralFor }) => ephemeralFor === user);
}

/** This person's direct messages with the app, oldest first, with those in threads. */
export function readDirect(world: World, user: string): Message[] {
  const person = world.slack.as(user);
  const roots = person.sees(person.dm);
  const replies = roots.flatMap(({ ts }) => person.sees(person.dm, ts).slice(1));
  return [...roots, ...replies].sort((a, b) => (a.ts < b.ts ? -1 : 1));
}

/** Waits for what comes after the first `count` of them. */
export function nextPrivate(world: World, user: string, count: number): Promise<Message> {
  return world.slack.until(() => readPrivate(world, user)[count], { what: `a message for ${user} alone` });
}

/** Gives an admin command, and waits for the message that answers it. */
export async function giveAdminCommand(world: World, user: string, text: string): Promise<Message> {
  const count = readPrivate(world, user).length;
  await world.slack.as(user).command('/assistant-admin', text, ADMIN_CHANNEL);
  return nextPrivate(world, user, count);
}

/** Gives `doctor`, and returns what it says in the end: before that, it may say that it is looking. */
export async function askDoctor(world: World, user: string): Promise<string> {
  const count = readPrivate(world, user).length;
  await giveAdminCommand(world, user, 'doctor');
  const readReport = () =>
    readPrivate(world, user)
      .slice(count)
      .map((message) => world.slack.render(message))
      .find((text) => text.includes('*Doctor*'));
  return world.slack.until(readReport, { what: 'what the doctor says' });
}

/** Gives a command that opens a window, and waits for that. */
export function openForm(world: World, user: string, command: string): Promise<View> {
  const give = () => world.slack.as(user).command('/assistant-admin', command, ADMIN_CHANNEL);
  return openWindow(world, user, give);
}

/** Signs in for administration from a prompt, and returns the text of the last page. */
export async function signInAsAdmin(world: World, user: SandboxUser, prompt: Message): Promise<string> {
  const url = await pressSignIn(world, user, prompt);
  const browser = await openBrowserOf(world, user);
  await browser.open(url);
  const { text } = await passSignInPages(browser);
  await closeModals(world, user);
  return text;
}
