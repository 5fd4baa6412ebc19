import type { ActionsBlock, AnyBlock, Button, HeaderBlock, HomeView, SectionBlock, StaticSelect } from '@slack/types';
import { DateTime } from 'luxon';
import type { ScheduledQuestion } from '../../conversation/schedules.ts';
import type { AccountLink } from '../../identity/account-link.ts';
import type { Texts } from '../../languages/english.ts';
import { ACTIONS, buildButton, buildNote, buildPlainText, buildSection, toLocale } from './content.ts';
import { toClock } from './notice-message.ts';
import { buildScheduleList } from './schedules.ts';
import { buildDisconnect, toAccountName } from './sign-in.ts';

/** The person has asked `asked` of `most` questions of a day that ends at `until` (epoch ms). */
export type PersonCap = { channel: string; asked: number; most: number; until: number };

/** What the home tab shows. */
export type HomeModel = {
  texts: Texts;
  /** With tokens; undefined: not signed in. */
  link: AccountLink | undefined;
  adminLink: AccountLink | undefined;
  /** IANA. `isDefault`: the Slack profile has none. */
  timeZone: { name: string; isDefault: boolean };
  /** Channels with a cap that the person has asked in today. */
  caps: readonly PersonCap[];
  scheduled: readonly ScheduledQuestion[];
  /** For administrators: see admin-home-views.ts. */
  adminBlocks: readonly AnyBlock[];
};

/** About 30 blocks; Slack takes 100. */
export function buildHome(model: HomeModel): HomeView {
  return toView([
    ...buildAccount(model),
    ...buildPreferences(model),
    ...buildScheduled(model),
    ...buildAbilities(model.texts),
    ...buildPrivacy(model.texts),
    ...model.adminBlocks,
  ]);
}

/** For guests and people of other organisations. */
export function buildOutsiderHome(texts: Texts): HomeView {
  return toView([buildSection(texts.home.outsider)]);
}

/** The store cannot be read. Everything that does not need it is still shown. */
export function buildHomeWithoutStore(texts: Texts): HomeView {
  return toView([buildSection(`:warning: ${texts.home.storeFails}`), ...buildAbilities(texts)]);
}

/** Shows, exports and deletes what is kept of the person who clicks. */
export function buildMyDataButtons(texts: Texts): ActionsBlock {
  const { privacy } = texts.home;
  return {
    type: 'actions',
    elements: [
      buildButton(ACTIONS.showMyData, privacy.show, 'mine'),
      buildButton(ACTIONS.exportMyData, privacy.export, 'mine'),
      { ...buildButton(ACTIONS.deleteMyData, privacy.delete, 'mine'), style: 'danger' },
    ],
  };
}

/** For example 22 November 2026 at 21:55. */
export function formatSince(at: number, timeZone: string, texts: Texts): string {
  return DateTime.fromMillis(at, { zone: timeZone, locale: toLocale(texts) }).toLocaleString({
    dateStyle: 'long',
    timeStyle: 'short',
  });
}

export function nameOfAccount(link: AccountLink, texts: Texts): string {
  return toAccountName(link) ?? texts.home.account.nameUnknown;
}

function buildAccount({ texts, link, adminLink, timeZone }: HomeModel): AnyBlock[] {
  const { account } = texts.home;
  const since = link && formatSince(link.linkedAt, timeZone.name, texts);
  const signIn = (label: string): Button => buildButton(ACTIONS.signIn, label, 'assistant');
  const buttons: Button[] = link
    ? [signIn(account.connectOther), buildDisconnect(ACTIONS.homeSignOut, 'assistant', texts)]
    : [{ ...signIn(account.connect), style: 'primary' }];
  const text = link && since ? account.signedIn(nameOfAccount(link, texts), since) : account.signedOut;
  const admin = adminLink ? [buildNote(account.admin(nameOfAccount(adminLink, texts)))] : [];
  return [buildHeader(account.title), buildSection(text), { type: 'actions', elements: buttons }, ...admin];
}

function buildPreferences({ texts, link, timeZone, caps }: HomeModel): AnyBlock[] {
  const { preferences } = texts.home;
  const zone = timeZone.isDefault ? preferences.zoneByDefault(timeZone.name) : preferences.zoneOfProfile(timeZone.name);
  const answers = link
    ? [buildChannelAnswers(link, texts), buildNote(preferences.channelAnswersHint)]
    : [buildSection(preferences.channelAnswersUnknown)];
  return [
    buildHeader(preferences.title),
    ...answers,
    buildSection(zone),
    buildSection(preferences.inLanguage),
    ...buildCaps(caps, texts),
  ];
}

function buildScheduled({ texts, link, scheduled }: HomeModel): AnyBlock[] {
  const isHeld = scheduled.length > 0 && link === undefined;
  return [buildHeader(texts.schedules.listTitle), ...buildScheduleList(scheduled, { isHeld }, texts).blocks];
}

/** Nobody asks in more channels with a cap on one day. */
const MAX_CAPS = 10;

function buildCaps(caps: readonly PersonCap[], { home: { preferences } }: Texts): AnyBlock[] {
  if (caps.length === 0) return [];
  const lines = caps
    .slice(0, MAX_CAPS)
    .map(({ channel, asked, most, until }) => preferences.cap(`<#${channel}>`, asked, most, toClock(until)));
  return [buildSection([preferences.caps, ...lines].join('\n'))];
}

function buildChannelAnswers({ channelAnswers, version }: AccountLink, texts: Texts): SectionBlock {
  const { preferences } = texts.home;
  const toOption = (value: AccountLink['channelAnswers']) => ({
    text: buildPlainText(value === 'private' ? preferences.inDirectMessage : preferences.inThread),
    value,
  });
  const accessory: StaticSelect = {
    type: 'static_select',
    action_id: ACTIONS.channelAnswers,
    options: [toOption('thread'), toOption('private')],
    initial_option: toOption(channelAnswers),
  };
  // With the same block id Slack keeps the old choice and ignores the one in the new view.
  return { ...buildSection(preferences.channelAnswers), block_id: `channel_answers_${version}`, accessory };
}

function buildAbilities(texts: Texts): AnyBlock[] {
  const { abilities, prompts } = texts.home;
  const examples = prompts.slice(1).map(({ message }) => `• _${message}_`);
  return [
    buildHeader(abilities.title),
    buildSection(abilities.can),
    buildSection(abilities.cannot),
    buildSection(abilities.try(examples.join('\n'))),
    buildNote(abilities.help),
  ];
}

function buildPrivacy(texts: Texts): AnyBlock[] {
  const { privacy } = texts.home;
  return [buildHeader(privacy.title), buildSection(privacy.text), buildMyDataButtons(texts)];
}

function buildHeader(text: string): HeaderBlock {
  return { type: 'header', text: buildPlainText(text) };
}

function toView(blocks: AnyBlock[]): HomeView {
  return { type: 'home', blocks };
}
