import type { Question } from '../../conversation/question.ts';
import type { TurnStore } from '../../conversation/stores.ts';
import type { ThreadStore } from '../../conversation/thread-store.ts';
import type { LinkStore } from '../../identity/account-link.ts';
import type { LinkFlow } from '../../identity/link-flow.ts';
import type { Log } from '../../log.ts';
import type { AgentSessions } from '../agent-sessions.ts';
import type { AnswerClicks } from '../answer-clicks.ts';
import type { FindInstallation } from '../installation.ts';
import type { People } from '../people.ts';
import type { CallSlack } from '../web/methods.ts';

/** What the listeners may do. None of it is slow: they write to the store, and Slack gets its acknowledgement. */
export type ListenerPorts = {
  /** Writes a question to the store, once per id. Throws StoreUnavailableError. */
  accept(id: string, question: Question): Promise<'new' | 'duplicate'>;
  /** Ends a turn that runs or waits. False: there is nothing to end. */
  endTurn(id: string, stage: 'stopped' | 'cancelled'): Promise<boolean>;
  /** Ends what a thread shows of work. Never fails. */
  clearSession: AgentSessions['clear'];
  turns: Pick<TurnStore, 'get' | 'head' | 'parked'>;
  threads: Pick<ThreadStore, 'isEngaged'>;
  links: Pick<LinkStore, 'get'>;
  linkFlow: Pick<LinkFlow, 'variant' | 'issueTicket' | 'confirmCode' | 'unlink'>;
  findInstallation: FindInstallation;
  people: People;
  /** Has all replicas forget what they remember of somebody. */
  personChanged(workspace: string, user: string): void;
  /** Slack's Web API, for windows. */
  call: CallSlack;
  clicks: AnswerClicks;
  /** Goes on after the acknowledgement; a stop waits for it. */
  inBackground(work: () => Promise<void>): void;
  defaultTimeZone: string;
  log: Log;
};
