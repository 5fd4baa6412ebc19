import type { App } from '@slack/bolt';
import { DateTime } from 'luxon';
import type { Person } from '../../conversation/question.ts';
import { StoreUnavailableError } from '../../errors.ts';
import type { AccountLink } from '../../identity/account-link.ts';
import { installationOf } from '../installations/request-source.ts';
import { escapeMrkdwn } from '../text-out/neutralise.ts';
import type { Content } from '../views/content.ts';
import { HELP, PRIVACY } from '../views/notice-message.ts';
import { buildSignInOffer } from '../views/sign-in.ts';
import type { ListenerPorts } from './message.ts';

const NEW =
  'Every thread is a conversation of its own: to start a new one, write to me outside of a thread, or mention me in a new message.';

export const NOTHING_WAS_DONE = 'Nothing was done, because I could not write it down. Please try again in a moment.';

/** `/assistant help | sign-in | sign-out | status | privacy | new`: only the person who typed it sees the answer. */
export function registerAssistantCommand(app: App, ports: ListenerPorts): void {
  app.command('/assistant', async ({ command, ack }) => {
    const say = (content: Partial<Content> & { text: string }) => ack({ response_type: 'ephemeral', ...content });
    await orSayNothingWasDone(
      async () => {
        const { team, workspace } = await installationOf(command, ports);
        const caller = { team, user: command.user_id, workspace };
        await say(await answer(command.text.trim().toLowerCase(), caller, ports));
      },
      (text) => say({ text }),
    );
  });
}

/**
 * Slack never resends a command, a click or a modal: if the store cannot be written, the person is told to try again. Any
 * other error is a bug and is thrown.
 */
export async function orSayNothingWasDone(
  work: () => Promise<void>,
  say: (text: string) => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    await say(NOTHING_WAS_DONE);
  }
}

type Caller = Person & { workspace: string };

async function answer(
  word: string,
  caller: Caller,
  ports: ListenerPorts,
): Promise<Partial<Content> & { text: string }> {
  switch (word) {
    case 'sign-in':
      return offerSignIn(caller, ports);
    case 'sign-out':
      return { text: await signOut(caller, ports) };
    case '':
    case 'status':
      return { text: await describeStatus(caller, ports) };
    case 'privacy':
      return { text: PRIVACY };
    case 'new':
      return { text: NEW };
    case 'help':
      return { text: HELP };
    default:
      return {
        text: `I do not know \`${escapeMrkdwn(word.slice(0, 50))}\`. Try \`/assistant help\`, \`sign-in\`, \`sign-out\`, \`status\`, \`privacy\` or \`new\`.`,
      };
  }
}

async function offerSignIn(caller: Caller, ports: ListenerPorts): Promise<Content> {
  const [link, waiting] = await Promise.all([findLink(caller, ports), ports.turns.parked(caller)]);
  return buildSignInOffer(ports.linkFlow.variant, { account: link && nameAccount(link), waiting: waiting.length });
}

/** Undefined: they never signed in, or their sign-in has ended. */
async function findLink(caller: Caller, { links }: ListenerPorts): Promise<AccountLink | undefined> {
  const link = await links.get({ ...caller, purpose: 'assistant' });
  return link?.sealedTokens ? link : undefined;
}

function nameAccount({ accountName }: AccountLink): string {
  return escapeMrkdwn(accountName ?? 'an account whose name is unknown');
}

async function signOut(caller: Caller, { linkFlow }: ListenerPorts): Promise<string> {
  const ended = await linkFlow.unlink(caller);
  if (ended.length === 0) return 'You were not signed in.';
  return 'You are signed out, and your sign-in is deleted here. When you ask me something, I will ask you to sign in again.';
}

async function describeStatus(caller: Caller, ports: ListenerPorts): Promise<string> {
  const link = await findLink(caller, ports);
  if (!link) return 'You are not signed in. Type `/assistant sign-in`, or ask me something: I will ask you to sign in.';
  const profileZone = await ports.people.timeZoneSoon(caller.workspace, caller.user);
  const zone = profileZone ?? ports.defaultTimeZone;
  const since = DateTime.fromMillis(link.linkedAt, { zone }).toFormat('d LLLL yyyy, HH:mm');
  return [
    `You are signed in as *${nameAccount(link)}* since ${since}.`,
    profileZone
      ? `Your time zone, which is sent with every question, is ${zone}, from your Slack profile.`
      : `Your Slack profile has no time zone, so ${zone}, the default here, is sent with every question.`,
    link.channelAnswers === 'private'
      ? 'What you ask in channels is answered in a direct message. Sign in again to change that.'
      : 'What you ask in channels is answered in the thread, where all members can read it. Sign in again to change that.',
  ].join('\n');
}
