// The windows of people who ask, and their home tab.
import type { Texts } from '../../../src/languages/english.ts';
import { buildAskAboutModal } from '../../../src/slack/listeners/ask-about.ts';
import { buildRetiredModal } from '../../../src/slack/listeners/retired.ts';
import { toSignInTopic } from '../../../src/slack/listeners/sign-in.ts';
import { buildWebOffModal } from '../../../src/slack/listeners/web-off.ts';
import { NOTES_BLOCK } from '../../../src/slack/views/answer-end.ts';
import { buildDetailsWindow, toDetailsTopic } from '../../../src/slack/views/details-window.ts';
import { buildFeedbackWindow, buildThanks, toFeedbackTopic } from '../../../src/slack/views/feedback-window.ts';
import { buildHome, buildHomeWithoutStore, buildOutsiderHome } from '../../../src/slack/views/home.ts';
import { buildLoadingModal, buildProblemModal } from '../../../src/slack/views/modal.ts';
import {
  buildDataWindow,
  buildDeleted,
  buildDeleteWindow,
  buildExport,
  buildKept,
  toDataTopic,
} from '../../../src/slack/views/my-data.ts';
import {
  buildScheduleList,
  buildScheduleSaved,
  buildScheduleWindow,
  toScheduleTopic,
} from '../../../src/slack/views/schedules.ts';
import { aSchedule } from '../../delivery/schedule-world.ts';
import { aLink } from '../../storage/a-link.ts';
import { BAD, type Kind, TURN, toKinds } from './kind.ts';

const ZONE = 'Europe/Berlin';
const LINK = aLink({ accountName: BAD });
const ADMIN = aLink({ purpose: 'admin', accountName: BAD });
const SCHEDULED = [[1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5], [1], [2, 4], [1, 2, 3, 4, 6, 7]].map((days, index) => ({
  ...aSchedule({ id: String(index), days, content: { text: BAD, webSearch: true, links: [], unusable: [] } }),
  nextAt: 0,
}));

/** With more notes than a window shows. */
const ANSWER = {
  blocks: [{ block_id: NOTES_BLOCK, elements: Array.from({ length: 10 }, () => ({ text: '&amp;'.repeat(900) })) }],
};

const ODD_BLOCKS = [
  'x',
  [],
  [null],
  [{ type: 'context' }],
  [{ block_id: NOTES_BLOCK }],
  [{ block_id: NOTES_BLOCK, elements: [null, {}] }],
];

export function listWindowKinds(texts: Texts): Kind[] {
  const json = JSON.stringify({ text: BAD.repeat(60), names: [BAD, BAD] }, null, 2);
  return toKinds({
    ...ASKING(texts),
    ...FEEDBACK(texts),
    ...DATA(texts),
    ...HOME(texts),
    'an export of data': buildExport(json, texts),
    'the scheduled questions': [
      buildScheduleList(SCHEDULED, { isHeld: true }, texts),
      buildScheduleList([], { isHeld: false }, texts),
    ],
  });
}

const ASKING = (texts: Texts) => {
  const topics = [
    toSignInTopic(texts),
    toDetailsTopic(texts),
    toFeedbackTopic('good', texts),
    toFeedbackTopic('bad', texts),
    toScheduleTopic(texts),
    ...(['looking', 'exporting', 'deleting'] as const).map((what) => toDataTopic(what, texts)),
  ];
  const [signIn = toSignInTopic(texts)] = topics;
  const zones = { profileZone: ZONE, defaultZone: 'UTC' };
  const details = {
    timeZone: 'UTC',
    quotes: { messages: 20, cut: 3 },
    permalinks: { used: 1, refused: 1 },
    textFiles: 2,
    requestId: 'r'.repeat(36),
  };
  return {
    'the window of a question without web search': buildWebOffModal('C0PLANS', texts),
    'the window of a question about a message': buildAskAboutModal(
      { channel: 'C0PLANS', ts: '1.1', threadTs: '1.1' },
      BAD.repeat(20),
      texts,
    ),
    'the window that schedules a question': buildScheduleWindow({ question: BAD.repeat(20), zone: ZONE }, texts),
    'the window that schedules any question': buildScheduleWindow({ question: '', zone: 'UTC' }, texts),
    'a question that is scheduled': buildScheduleSaved(1_795_561_200_000, ZONE, texts),
    'the window of an older release': buildRetiredModal(texts),
    'the details of an answer': buildDetailsWindow({ ...TURN, details, decidedAt: 99_000 }, ANSWER, zones, texts),
    'the details of an older answer': buildDetailsWindow(TURN, undefined, zones, texts),
    ...Object.fromEntries(
      ODD_BLOCKS.map((blocks) => [
        `the details of an answer whose blocks are ${JSON.stringify(blocks)}`,
        buildDetailsWindow(TURN, { blocks }, zones, texts),
      ]),
    ),
    ...Object.fromEntries(
      topics.map((topic, index) => [
        `a window that loads (${topic.id}${index > 1 ? ` ${index}` : ''})`,
        buildLoadingModal(topic, texts),
      ]),
    ),
    'a window that fails': buildProblemModal(BAD, signIn, texts),
    'a window in which nothing was done': buildProblemModal(texts.controls.nothingWasDone, signIn, texts),
    'a window without a link': buildProblemModal(texts.signIn.window.failed, signIn, texts),
  };
};

const FEEDBACK = (texts: Texts) => {
  const build = (verdict: 'good' | 'bad', comment: boolean, text: boolean) =>
    buildFeedbackWindow({ turnId: TURN.id, verdict }, { comment, text }, texts);
  return {
    'the feedback on a good answer': build('good', true, true),
    'the feedback on a bad answer': build('bad', true, true),
    'the feedback on the answer to somebody else': build('bad', true, false),
    'the feedback that nobody reads': build('bad', false, false),
    'thanks for a good answer': buildThanks('good', texts),
    'thanks for a bad answer': buildThanks('bad', texts),
  };
};

const DATA = (texts: Texts) => {
  const { data } = texts.home;
  const kept = { links: [LINK, ADMIN], turns: [TURN], scheduled: SCHEDULED, spokenIn: [], conversations: [] };
  return {
    'what is kept': buildKept(kept, ZONE, texts),
    'what is kept of somebody who never asked': buildKept({ ...kept, links: [], turns: [] }, ZONE, texts),
    'whether to delete data': buildDeleteWindow(texts),
    'what was deleted': buildDeleted({ signIns: 2, cancelled: 2, records: 1, left: 1 }, texts),
    'that nothing was deleted': buildDeleted({ signIns: 0, cancelled: 0, records: 0, left: 0 }, texts),
    'a failure to delete data': buildDataWindow([data.failedHalfway], texts),
    'a failure to export data': buildDataWindow([data.exportFailed], texts),
  };
};

const HOME = (texts: Texts) => {
  const caps = Array.from({ length: 12 }, () => ({
    channel: 'C0GENERAL',
    asked: 3,
    most: 10,
    until: 1_795_561_200_000,
  }));
  const model = { texts, timeZone: { name: ZONE, isDefault: false }, caps, scheduled: SCHEDULED, adminBlocks: [] };
  const unnamed = { ...LINK, accountName: undefined, channelAnswers: 'private' as const };
  const byDefault = { name: 'UTC', isDefault: true };
  return {
    'the home tab': buildHome({ ...model, link: LINK, adminLink: undefined }),
    'the home tab of an administrator': buildHome({ ...model, link: LINK, adminLink: ADMIN }),
    'the home tab of an account without a name': buildHome({
      ...model,
      ...{ link: unnamed, adminLink: undefined, timeZone: byDefault },
    }),
    'the home tab without a sign-in': buildHome({
      ...model,
      ...{ scheduled: [], link: undefined, adminLink: undefined },
    }),
    'the home tab without the store': buildHomeWithoutStore(texts),
    'the home tab of a guest': buildOutsiderHome(texts),
  };
};
