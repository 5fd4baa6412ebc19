// What questions get that are not answered, or not yet; and the sentences that clicks and commands are answered with.
import type { NoticeCode } from '../../../src/conversation/outcome.ts';
import type { Texts } from '../../../src/languages/english.ts';
import { buildOffer } from '../../../src/slack/listeners/changed-messages.ts';
import { buildGreeting, buildRefusal } from '../../../src/slack/onboarding.ts';
import { countCharacters } from '../../../src/slack/text-out/message-budget.ts';
import { toPlainContent } from '../../../src/slack/views/answer-message.ts';
import { toTextContent } from '../../../src/slack/views/content.ts';
import {
  buildNotice,
  buildOver,
  buildRoot,
  buildTyped,
  buildWaiting,
  MAX_ROOT_LENGTH,
} from '../../../src/slack/views/notice-message.ts';
import { buildRuleNotice } from '../../../src/slack/views/rule-content.ts';
import { BAD, type Kind, QUESTION, TURN, toKinds } from './kind.ts';

/** Held complete by its type. */
const NOTICES: Record<NoticeCode, true> = {
  interrupted: true,
  outcome_unknown: true,
  unavailable: true,
  empty: true,
  disengaged: true,
  forbidden: true,
  consent_missing: true,
  licence_missing: true,
  credits_used_up: true,
  policy_blocks: true,
  rejected: true,
  too_long: true,
  busy: true,
  sign_in_needed: true,
  sign_in_expired: true,
  sign_in_lost: true,
  question_lost: true,
  too_late: true,
  schedule_held: true,
  account_unusable: true,
  sign_in_broken: true,
  question_gone: true,
  question_changed: true,
  no_question: true,
  help: true,
  cannot_post: true,
  guest: true,
  shared_channel: true,
  stopped: true,
  cancelled: true,
  failed: true,
  not_allowed_here: true,
  paused: true,
  person_cap: true,
  channel_cap: true,
};

/** Questions as long as a command takes them. */
const LONGEST = {
  'the longest question': 'x'.repeat(MAX_ROOT_LENGTH),
  'the longest question of entities': '&'.repeat(MAX_ROOT_LENGTH / countCharacters('&amp;')),
};

export function listNoticeKinds(texts: Texts): Kind[] {
  return [...listNotices(texts), ...listRoots(texts), ...listOffers(texts), ...listSentences(texts)];
}

function listNotices(texts: Texts): Kind[] {
  const codes = Object.keys(NOTICES) as NoticeCode[];
  const detailed = buildNotice(TURN.id, { kind: 'notice', code: 'rejected', detail: BAD }, texts);
  const reasons = [undefined, ...Object.keys(texts.notices.waitsFor)];
  return [
    ...codes.map(
      (code): Kind => ({ kind: `the notice ${code}`, message: buildNotice(TURN.id, { kind: 'notice', code }, texts) }),
    ),
    { kind: 'a notice with words of the service', message: detailed },
    { kind: 'a notice in plain text', message: toPlainContent(detailed) },
    {
      kind: 'the notice of a pause, with the longest word',
      message: buildRuleNotice({ kind: 'notice', code: 'paused', detail: BAD }, texts),
    },
    ...(['person_cap', 'channel_cap'] as const).map(
      (code): Kind => ({
        kind: `the notice ${code}, with its numbers`,
        message: buildRuleNotice({ kind: 'notice', code, cap: { most: 1_000, until: 1_795_600_800_000 } }, texts),
      }),
    ),
    ...reasons.map(
      (waitingFor): Kind => ({
        kind: `the line of a question that waits (${waitingFor ?? 'no reason'})`,
        message: buildWaiting({ ...TURN, waitingFor }, texts),
      }),
    ),
    { kind: 'what replaces a message that cannot be deleted', message: buildOver(texts) },
  ];
}

function listRoots(texts: Texts): Kind[] {
  return [
    { kind: 'the root of a question', message: buildRoot(QUESTION, texts) },
    { kind: 'the root of a question with web search', message: buildRoot({ ...QUESTION, webSearch: true }, texts) },
    ...Object.entries(LONGEST).map(
      ([kind, text]): Kind => ({ kind: `the root of ${kind}`, message: buildRoot({ ...QUESTION, text }, texts) }),
    ),
    ...toKinds('a question that is given back', buildTyped({ text: `${'x'.repeat(9_000)}${BAD.repeat(20)}` }, texts)),
  ];
}

function listOffers(texts: Texts): Kind[] {
  const edited = (stage: 'asking' | 'done') => buildOffer({ ...TURN, stage }, '1795000002.000000', texts);
  return [
    { kind: 'the offer after an edit that came too late', message: edited('asking') },
    { kind: 'the offer after an edit of what was answered', message: edited('done') },
    { kind: 'the greeting', message: buildGreeting(texts) },
    { kind: 'the greeting of a guest', message: buildRefusal(texts) },
  ];
}

/** Said as they are. */
function listSentences({ controls, edits, details, webOff, signIn, account, home }: Texts): Kind[] {
  const sections = {
    ...{ controls, retired: controls.retired, edits, account },
    details: { notYours: details.notYours, tooOld: details.tooOld, failed: details.failed },
    signIn: { disconnected: signIn.disconnected },
    home: { failed: home.data.failed, exported: home.data.exported },
    webOff: { usage: webOff.usage, tooLong: webOff.tooLong },
    values: {
      stopNotYours: controls.stopNotYours('<@U0ANA>'),
      unknownWord: account.unknownWord('x'.repeat(50)),
    },
  };
  return Object.entries(sections).flatMap(([section, texts]) =>
    Object.entries(texts).flatMap(([name, text]): Kind[] =>
      typeof text === 'string' ? [{ kind: `the sentence ${section}.${name}`, message: toTextContent(text) }] : [],
    ),
  );
}
