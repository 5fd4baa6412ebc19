// What administrators read about their workspace and this app: rules, insights, feedback, the doctor, and what went wrong.
import { MAX_PAUSE_WORD } from '../../../src/conversation/channel-settings.ts';
import { FEEDBACK_REASONS } from '../../../src/conversation/turn.ts';
import { buildDoctorMessage } from '../../../src/doctor/doctor-message.ts';
import { buildRulesMessage } from '../../../src/governance/channel-rules/rules-message.ts';
import { buildExported } from '../../../src/governance/exports/slack-export.ts';
import { buildInsightsMessage } from '../../../src/governance/lists/insights-message.ts';
import {
  buildAdminProblem,
  buildAdminSignIn,
  buildAdminText,
  buildSignedInAlready,
  NOT_SET_UP,
} from '../../../src/governance/shell/failure-message.ts';
import { EMPTY_POLICY, type Entry } from '../../../src/policy/policy.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { buildFeedbackMessage, type Feedback } from '../../../src/slack/views/feedback-window.ts';
import { ALL_OFF, toEntries } from '../../governance/channel-rules/channel-entries.ts';
import { NOW } from '../../governance/lists/list-world.ts';
import { aPolicy, WHY } from '../../governance/policy-documents/policy-samples.ts';
import { BAD, type Kind, TURN, toKinds, ZONE } from './kind.ts';

type Contents = Record<string, Content>;

export const listAdminWorkspaceKinds = (): Kind[] => toKinds({ ...WORKSPACE(), ...REST() });

const WORKSPACE = (): Contents => {
  const all = { workspace: 'T1', channel: '*' };
  const pause = {
    setting: 'pause',
    target: all,
    standing: { value: { word: BAD.slice(0, MAX_PAUSE_WORD) }, why: WHY },
  };
  const targets = [all, ...Array.from({ length: 300 }, (_, index) => ({ ...all, channel: `C0000000${index}` }))];
  const policy = aPolicy(pause as Entry, ...targets.flatMap((target) => toEntries(target, ALL_OFF)));
  const shown = { configured: {}, now: NOW, here: 'C0PLANS', ...ZONE };
  const counts = { questions: 100, channel: 60, 'result:answer': 80, 'result:forbidden': 7, 'seconds:4': 50 };
  const feedback: Feedback = { turnId: TURN.id, verdict: 'bad', reasons: ['wrong'], comment: '', withText: false };
  const longest = { ...feedback, reasons: [...FEEDBACK_REASONS], comment: BAD.repeat(2), withText: true };
  return {
    'channel rules': buildRulesMessage(policy, 'T1', shown),
    'no channel rules': buildRulesMessage(EMPTY_POLICY, 'T1', shown),
    insights: buildInsightsMessage({ counts, people: { ...counts }, firstDay: 20_000 }, 30),
    'insights of nobody': buildInsightsMessage({ counts: {}, people: {}, firstDay: undefined }, 7),
    feedback: buildFeedbackMessage(feedback, undefined, undefined),
    'feedback whose text could not be read': buildFeedbackMessage(feedback, 'unreadable', 'request'),
    'feedback whose text is not for guests': buildFeedbackMessage(feedback, 'guests', 'request'),
    'feedback, at its worst': buildFeedbackMessage(
      longest,
      { question: BAD.repeat(20), answer: BAD.repeat(60) },
      'r'.repeat(36),
    ),
  };
};

const REST = (): Contents => ({
  'administration is not set up': buildAdminText(NOT_SET_UP),
  'a file that was sent': buildExported({
    ...{ list: 'agents', asOf: NOW, gaps: ['It is not complete.'], columns: [], rows: [] },
  }),
  'a problem of an administrator': buildAdminProblem(BAD.repeat(4)),
  'an administrator who is signed in': buildSignedInAlready(BAD),
  'an administrator who is not signed in': buildAdminSignIn(),
  'an administrator whose sign-in is refused': buildAdminSignIn(BAD.repeat(4), 'press the button again'),
  'the doctor, where all is well': buildDoctorMessage([
    { title: 'Slack', findings: [{ level: 'ok', sentence: 'The token works.' }] },
  ]),
  'the doctor, where much is wrong': buildDoctorMessage(
    Array.from({ length: 12 }, (_, index) => ({
      title: `Part ${index}`,
      findings: [
        { level: 'ok', sentence: 'Fine.' },
        { level: 'warning', sentence: BAD.repeat(3), details: [BAD] },
        { level: 'error', sentence: `${BAD}:`, details: [BAD, BAD] },
      ],
    })),
  ),
});
