import type { ReadChannelSettings } from '../../conversation/channel-settings.ts';
import type { Person, Question } from '../../conversation/question.ts';
import type { Scheduling } from '../../conversation/schedules.ts';
import type { ThreadStore, TurnStore } from '../../conversation/stores.ts';
import type { FeedbackEvent, Verdict } from '../../conversation/turn.ts';
import type { ClaimStore } from '../../identity/account-link.ts';
import type { LinkFlow } from '../../identity/link-flow.ts';
import type { PersonalData } from '../../identity/personal-data.ts';
import type { AgentSessions } from '../agent-sessions.ts';
import type { AnswerClicks } from '../answer-clicks.ts';
import type { AudienceChange } from '../channel-audience.ts';
import type { SendFeedback } from '../feedback-channel.ts';
import type { HomeTab } from '../home-tab.ts';
import type { Uninstall } from '../installations/uninstall.ts';
import type { Messenger } from '../messenger.ts';
import type { Onboarding } from '../onboarding.ts';
import type { ThreadReader } from '../read-thread.ts';
import type { Uses } from '../services.ts';
import type { SignInClicks } from '../sign-in-clicks.ts';

/**
 * What the listeners need. Slack waits three seconds for the acknowledgement: Slack and services are called after it, with
 * `inBackground`.
 */
export type ListenerPorts = Uses<
  'links' | 'findInstallation' | 'people' | 'channels' | 'groups' | 'call' | 'now' | 'log'
> & {
  /** Writes a question to the store, once per id. Throws StoreUnavailableError. */
  accept(id: string, question: Question): Promise<'new' | 'duplicate'>;
  /** Handles a file that somebody sent to the app without any text. False: it is not a file to handle. */
  takeFile(question: Question, file: LoneFile): Promise<boolean>;
  /** Ends a turn that runs or waits. False: there is nothing to end. */
  endTurn(id: string, stage: 'stopped' | 'cancelled'): Promise<boolean>;
  /** Ends the status that a thread shows. Never fails. */
  clearSession: AgentSessions['clear'];
  turns: Pick<TurnStore, 'get' | 'head' | 'inLane' | 'parked' | 'revise'>;
  threads: Pick<ThreadStore, 'isEngaged'>;
  readQuestion: ThreadReader['readQuestion'];
  scheduling: Scheduling;
  once: Pick<ClaimStore, 'claim' | 'peek' | 'put'>;
  linkFlow: Pick<LinkFlow, 'issueTicket' | 'unlink'>;
  /** What administrators have set. */
  channelSettings: ReadChannelSettings<'pause' | 'reply'>;
  /** Makes all replicas forget what they know of a person. */
  personChanged(workspace: string, user: string): void;
  /** Deletes the sign-ins and waiting questions of a person who has left this workspace. Throws StoreUnavailableError. */
  personLeft(person: Person, workspace: string): Promise<void>;
  /** Makes all replicas forget what they know of a channel. */
  channelChanged(workspace: string, channel: string): void;
  /** Tells all replicas who reads a channel now, or who became a guest or a member. */
  audienceChanged(change: AudienceChange): void;
  uninstall: Uninstall;
  homeTab: HomeTab;
  onboarding: Onboarding;
  personalData: PersonalData;
  messenger: Messenger;
  clicks: AnswerClicks;
  signInClicks: Pick<SignInClicks, 'keep'>;
  /** Continues after the acknowledgement; shutdown waits for it. */
  inBackground(work: () => Promise<void>): void;
  /** Counts what people think of answers. */
  tell(event: FeedbackEvent): void;
  /** For the insights of administrators. Never throws. */
  countFeedback(verdict: Verdict, person: Person & { workspace: string }): void;
  /** Undefined: FEEDBACK_CHANNEL is not set. */
  sendFeedback: SendFeedback | undefined;
  defaultTimeZone: string;
};

/** A file that Slack keeps. */
export type LoneFile = { id: string; name: string };
