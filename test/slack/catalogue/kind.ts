import type { HomeView, ModalView } from '@slack/types';
import type { Question } from '../../../src/conversation/question.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { buildFormWindow, type FormWindow } from '../../../src/governance/run/kept-form.ts';
import type { Content } from '../../../src/slack/views/content.ts';

/** One kind of message, window or home tab that the app shows, as it is sent to Slack. */
export type Kind = { kind: string } & ({ message: Content } | { view: ModalView | HomeView });

/** What is shown, by its kind. */
export type Shown = Record<string, Content | Content[] | ModalView | HomeView>;

/** The same name with a number for each of several messages. */
export function toKinds(shown: Shown): Kind[] {
  return Object.entries(shown).flatMap(([kind, one]): Kind[] => {
    if ('type' in one) return [{ kind, view: one }];
    const all = Array.isArray(one) ? one : [one];
    return all.map((message, index) => ({ kind: all.length === 1 ? kind : `${kind}, ${index + 1}`, message }));
  });
}

/** The same with the kinds of windows named as such. */
export function toWindowKinds(windows: Record<string, ModalView>): Kind[] {
  return Object.entries(windows).map(([kind, view]) => ({ kind: `the window of ${kind}`, view }));
}

/** A window that decides something, with all fields that it may have, and as much in its metadata as Slack takes. */
export function toWindow(form: Parameters<typeof buildFormWindow>[0], window: FormWindow): ModalView {
  return buildFormWindow(form, window, { place: { id: 'kept', replyTo: 'm'.repeat(2_900) }, needsApproval: true });
}

/** A name that others chose, at its worst: Slack counts each character as an entity. */
export const BAD = '&<>'.repeat(200);

/** The longest id that the administrative interface gives. */
export const LONG_ID = 'e'.repeat(256);

export const ZONE = { timeZone: 'Europe/Berlin' };

export const LIMIT = { credits: 2_000, noticeAt: 80, stopAtLimit: true } as const;

export const AGENT = {
  ...{ environmentId: 'env-1', agentId: 'a1', resourceId: 'a1', name: 'Travel Planner' },
  ...{ environmentName: 'Production', ownerId: 'ana', isHarness: false },
};

export const WORST_AGENT = {
  ...{ environmentId: LONG_ID, agentId: LONG_ID, resourceId: LONG_ID, name: BAD, environmentName: BAD, ownerId: BAD },
  isHarness: 'unknown' as const,
};

export const QUESTION: Question = {
  asker: { team: 'T0ACME', user: 'U0ANA' },
  workspace: 'T0ACME',
  channel: 'C0PLANS',
  origin: 'command',
  audience: 'channel',
  startsThread: true,
  text: 'What is new in the plan of 2027?',
  webSearch: false,
  links: [],
  unusable: [],
};

export const TURN: Turn = {
  schema: 1,
  id: 'message:T0ACME:C0PLANS:1795000000.000100',
  lane: 'T0ACME:C0PLANS:1795000000.000100',
  question: QUESTION,
  stage: 'accepted',
  acceptedAt: 0,
  fence: 1,
  failures: 0,
  parts: [],
};
