// How a person signs in: press the button in Slack, follow the link in a browser that is signed in to both sides.
import { type Browser, createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import { ACCOUNTS, type SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { ACTIONS } from '../../src/slack/views/content.ts';
import { openWindow } from './open-window.ts';
import type { World } from './world.ts';

/** A browser in which this person is signed in to Slack and to the identity provider. */
export async function openBrowserOf(
  { slack, identityProvider }: World,
  user: SandboxUser,
  account: string = ACCOUNTS[user],
): Promise<Browser> {
  const browser = createBrowser();
  await browser.open(`${slack.url}/sandbox/login?user=${user}&team=${slack.teamId}`);
  await browser.open(identityProvider.loginUrl(account));
  return browser;
}

/** Presses *Sign in* under a message, and returns the address that the modal offers. */
export async function pressSignIn(
  world: World,
  user: SandboxUser,
  prompt: Pick<Message, 'channel' | 'ts'>,
): Promise<string> {
  const person = world.slack.as(user);
  const view = await openWindow(world, user, () => person.click(prompt, ACTIONS.signIn));
  const { url } = await person.clickInView(view, ACTIONS.openAddress);
  if (!url) throw new Error('the button in the modal opens no page');
  return url;
}

/** Whether there is a *Sign in* button on it, in whatever language. */
function asksToSignIn({ blocks }: Pick<Message, 'blocks'>): boolean {
  return JSON.stringify(blocks).includes(`"action_id":"${ACTIONS.signIn}"`);
}

/** The latest message with a *Sign in* button in this person's direct messages with the app, in a thread or not. */
export async function findPrompt(world: World, user: SandboxUser): Promise<Message> {
  const person = world.slack.as(user);
  const look = () => {
    const roots = person.sees(person.dm);
    const all = [...roots, ...roots.flatMap(({ ts }) => person.sees(person.dm, ts))];
    return all
      .filter(asksToSignIn)
      .sort((a, b) => (a.ts < b.ts ? -1 : 1))
      .at(-1);
  };
  return world.slack.until(look, { what: `a sign-in prompt for ${user}` });
}

/** The whole sign-in of somebody who has been asked to. Returns the browser on its last page. */
export async function signIn(world: World, user: SandboxUser, channelAnswers?: 'thread' | 'private'): Promise<Browser> {
  const url = await pressSignIn(world, user, await findPrompt(world, user));
  const browser = await openBrowserOf(world, user);
  await browser.open(url);
  await passSignInPages(browser, channelAnswers ? { channelAnswers } : {});
  return browser;
}

/** From the first page of a sign-in to the last one: *Continue*, and *Connect* where both names are shown. */
export async function passSignInPages(
  browser: Browser,
  choice: { channelAnswers?: 'thread' | 'private' } = {},
): Promise<Browser['page']> {
  const page = await browser.submit(0, choice);
  const asks = page.forms.some(({ buttons }) => buttons.some(({ value }) => value === 'connect'));
  return asks ? browser.submit(0, { decision: 'connect' }) : page;
}
