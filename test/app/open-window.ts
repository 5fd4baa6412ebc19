// How somebody opens a window in Slack.

import type { View } from '@assistant-bridge/sandbox/slack/records.ts';
import type { NotTaken } from '@assistant-bridge/sandbox/slack/warnings.ts';
import { english } from '../../src/languages/english.ts';
import { german } from '../../src/languages/german.ts';
import type { World } from './world.ts';

const MOST_TRIES = 3;

const NOT_OPENED = [english, german].map(({ controls }) => controls.windowNotOpened);

/**
 * Does what opens a window, and waits until it has something to say: not for the one that is put up while the app looks. On a
 * busy machine the app, or its call, may be too late for Slack. Whoever is told so does it again.
 */
export async function openWindow(
  world: World,
  user: string,
  act: () => Promise<{ error: NotTaken | undefined }>,
): Promise<View> {
  const person = world.slack.as(user);
  const countFailures = () =>
    world.slack.workspace.messages
      .all()
      .filter(({ ephemeralFor, channel }) => ephemeralFor === user || channel === person.dm)
      .filter(({ text }) => NOT_OPENED.some((sentence) => text.includes(sentence))).length;
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const before = countFailures();
    await closeModals(world, user);
    if ((await act()).error !== undefined) continue;
    const look = () => readyView(world, user) ?? countFailures() > before;
    const found = await world.slack.until(look, { what: `a window in front of ${user}` });
    if (found !== true) return found;
  }
  throw new Error(`no window for ${user}, however often they ask`);
}

/** Waits for a window that has something to say. */
export function awaitModal(world: World, user: string, callbackId?: string): Promise<View> {
  const look = () => {
    const view = readyView(world, user);
    return callbackId === undefined || view?.callbackId === callbackId ? view : undefined;
  };
  return world.slack.until(look, { what: `the modal ${callbackId ?? ''} in front of ${user}` });
}

/** Closes whatever is open. */
export async function closeModals(world: World, user: string): Promise<void> {
  const person = world.slack.as(user);
  for (let view = person.openView(); view; view = person.openView()) await person.closeView(view);
}

function readyView(world: World, user: string): View | undefined {
  const view = world.slack.as(user).openView();
  return view?.callbackId.endsWith('_loading') ? undefined : view;
}
