// What questions get that are not answered, or not yet; and the sentences that clicks and commands are answered with.
import type { Notice, NoticeCode } from '../../../src/conversation/outcome.ts';
import type { Question } from '../../../src/conversation/question.ts';
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
  buildRuleNotice,
  buildTyped,
  buildWaiting,
  MAX_ROOT_LENGTH,
  RULE_NOTICES,
} from '../../../src/slack/views/notice-message.ts';
import { BAD, type Kind, QUESTION, type Shown, TURN, toKinds } from './kind.ts';

export function listNoticeKinds(texts: Texts): Kind[] {
  const notice = (code: NoticeCode, more: Partial<Notice> = {}) =>
    buildNotice(TURN.id, { kind: 'notice', code, ...more }, texts);
  const codes = [...(Object.keys(texts.notices.sentences) as NoticeCode[]), ...RULE_NOTICES];
  const reasons = [undefined, ...Object.keys(texts.notices.waitsFor)];
  const edited = (stage: 'asking' | 'done') => buildOffer({ ...TURN, stage }, '1795000002.000000', texts);
  const root = (question: Partial<Question>) => buildRoot({ ...QUESTION, ...question }, texts);
  const cap = { most: 1_000, until: 1_795_600_800_000 };
  return toKinds({
    ...Object.fromEntries(codes.map((code) => [`the notice ${code}`, notice(code)])),
    'a notice with words of the service': notice('rejected', { detail: BAD }),
    'a notice in plain text': toPlainContent(notice('rejected', { detail: BAD })),
    'the notice of a pause, with the longest word': buildRuleNotice(
      { kind: 'notice', code: 'paused', detail: BAD },
      texts,
    ),
    'the notice person_cap, with its numbers': notice('person_cap', { cap }),
    'the notice channel_cap, with its numbers': notice('channel_cap', { cap }),
    ...Object.fromEntries(
      reasons.map((waitingFor) => [
        `the line of a question that waits (${waitingFor ?? 'no reason'})`,
        buildWaiting({ ...TURN, waitingFor }, texts),
      ]),
    ),
    'what replaces a message that cannot be deleted': buildOver(texts),
    'the root of a question': root({}),
    'the root of a question with web search': root({ webSearch: true }),
    'the root of the longest question': root({ text: 'x'.repeat(MAX_ROOT_LENGTH) }),
    'the root of the longest question of entities': root({
      text: '&'.repeat(MAX_ROOT_LENGTH / countCharacters('&amp;')),
    }),
    'a question that is given back': buildTyped({ text: `${'x'.repeat(9_000)}${BAD.repeat(20)}` }),
    'the offer after an edit that came too late': edited('asking'),
    'the offer after an edit of what was answered': edited('done'),
    'the greeting': buildGreeting(texts),
    'the greeting of a guest': buildRefusal(texts),
    ...listSentences(texts),
  });
}

/** Said as they are. */
function listSentences({ controls, edits, details, webOff, signIn, account, home }: Texts): Shown {
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
  const sentences = Object.entries(sections).flatMap(([section, texts]) =>
    Object.entries(texts).flatMap(([name, text]) =>
      typeof text === 'string' ? [[`the sentence ${section}.${name}`, toTextContent(text)]] : [],
    ),
  );
  return Object.fromEntries(sentences);
}
