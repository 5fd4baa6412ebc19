import type { App } from '@slack/bolt';
import type { Person } from '../../conversation/question.ts';
import type { AccountLink } from '../../identity/account-link.ts';
import type { Texts } from '../../languages/english.ts';
import { isHelpWord } from '../../languages/language.ts';
import { installationOf, textsFor } from '../request-source.ts';
import { unescapeMrkdwn } from '../text-out/neutralise.ts';
import { type Content, toMrkdwnLine, toTextContent } from '../views/content.ts';
import { buildMyDataButtons, formatSince } from '../views/home.ts';
import { toPauseWord } from '../views/notice-message.ts';
import { buildSignInOffer, toAccountName } from '../views/sign-in.ts';
import { orSayNothingWasDone } from './on-interaction.ts';
import type { ListenerPorts } from './ports.ts';
import { listSchedules, openScheduleFor } from './schedules.ts';

/** `/assistant help | sign-in | sign-out | status | schedule | privacy | new`: only the person who typed it sees the answer. */
export function registerAssistantCommand(app: App, ports: ListenerPorts): void {
  app.command('/assistant', async ({ command, ack }) => {
    const say = (content: Partial<Content> & { text: string }) => ack({ response_type: 'ephemeral', ...content });
    const [, scheduled] = /^schedule\s+(.+)$/is.exec(command.text.trim()) ?? [];
    if (scheduled !== undefined) return openScheduleFor({ command, ack }, scheduled, ports);
    const texts = textsFor(command, ports);
    await orSayNothingWasDone(
      async () => {
        const { team, workspace } = await installationOf(command, ports);
        const caller = { team, user: command.user_id, workspace, texts: await texts };
        await say(await answer(command.text.trim().toLowerCase(), caller, ports));
      },
      async () => say({ text: (await texts).controls.nothingWasDone }),
    );
  });
}

type Caller = Person & { workspace: string; texts: Texts };

async function answer(
  word: string,
  caller: Caller,
  ports: ListenerPorts,
): Promise<Partial<Content> & { text: string }> {
  const { account, notices } = caller.texts;
  if (isHelpWord(word)) return { text: notices.sentences.help };
  switch (word) {
    case 'sign-in':
      return offerSignIn(caller, ports);
    case 'sign-out':
      return { text: await signOut(caller, ports) };
    case '':
    case 'status':
      return { text: [...(await describePause(caller, ports)), await describeStatus(caller, ports)].join('\n') };
    case 'schedule':
      return (await listSchedules(caller, ports))(caller.texts);
    case 'privacy':
      return describePrivacy(caller.texts);
    case 'new':
      return { text: account.newConversation };
    default:
      return { text: account.unknownWord(toMrkdwnLine(unescapeMrkdwn(word), 50)) };
  }
}

function describePrivacy(texts: Texts): Content {
  const { blocks } = toTextContent(texts.account.privacy);
  return { text: texts.account.privacy, blocks: [...blocks, buildMyDataButtons(texts)] };
}

async function offerSignIn(caller: Caller, ports: ListenerPorts): Promise<Content> {
  const [link, waiting] = await Promise.all([findLink(caller, ports), ports.turns.parked(caller)]);
  return buildSignInOffer({ link, waiting: waiting.length }, caller.texts);
}

/** Undefined: the person never signed in, or the sign-in has ended. */
async function findLink(caller: Caller, { links }: ListenerPorts): Promise<AccountLink | undefined> {
  const link = await links.get({ ...caller, purpose: 'assistant' });
  return link?.sealedTokens ? link : undefined;
}

async function signOut(caller: Caller, { linkFlow }: ListenerPorts): Promise<string> {
  const { team, user, texts } = caller;
  const ended = await linkFlow.unlink({ team, user });
  return ended.length === 0 ? texts.account.wasNotSignedIn : texts.account.signedOut;
}

async function describePause({ workspace, texts }: Caller, { channelSettings }: ListenerPorts): Promise<string[]> {
  const { pause } = await channelSettings({ workspace, channel: '', audience: 'person' });
  return pause ? [texts.rules.pausedStatus(toPauseWord(pause.word))] : [];
}

async function describeStatus(caller: Caller, ports: ListenerPorts): Promise<string> {
  const { account } = caller.texts;
  const link = await findLink(caller, ports);
  if (!link) return account.notSignedIn;
  const profileZone = await ports.people.timeZoneSoon(caller.workspace, caller.user);
  const zone = profileZone ?? ports.defaultTimeZone;
  const since = formatSince(link.linkedAt, zone, caller.texts);
  return [
    account.signedIn(toAccountName(link), since),
    (profileZone ? account.profileZone : account.defaultZone)(zone),
    link.channelAnswers === 'private' ? account.answeredPrivately : account.answeredInThread,
  ].join('\n');
}
