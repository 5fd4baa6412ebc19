import type { Person } from '../conversation/question.ts';
import type { ScheduledQuestion, Scheduling } from '../conversation/schedules.ts';
import type { TurnStore } from '../conversation/stores.ts';
import type { ThreadConversation, Turn } from '../conversation/turn.ts';
import type { AccountLink, ChannelAnswers, LinkStore, Purpose } from './account-link.ts';

/** `spokenIn`: keys of the threads in which a person has spoken to the app. */
export type PersonalThreads = {
  spokenIn: string[];
  conversations: { thread: string; conversation: ThreadConversation }[];
};

/**
 * Port: the records about one person's questions, in all workspaces of their team. Only for requests by the person,
 * because it reads all records, in small steps.
 */
export type PersonalRecords = {
  /** All turns, including done ones, in order of acceptance. */
  turns(person: Person): Promise<Turn[]>;
  threads(person: Person): Promise<PersonalThreads>;
  /**
   * Removes their done turns, the marks where they have spoken, and their own conversations; a shared thread
   * begins a new conversation. Turns that are not done stay. Returns how many records were removed.
   */
  forget(person: Person): Promise<number>;
};

/**
 * The records of one person. Not included: the audit log, counts, and what expires by itself (that they were greeted or
 * opened the home tab, and the digests of their feedback).
 */
export type Kept = PersonalThreads & { links: AccountLink[]; turns: Turn[]; scheduled: readonly ScheduledQuestion[] };

/** `records`: of questions and conversations. `left`: questions that did not end in time; their records stay. */
export type Removed = { signIns: number; cancelled: number; records: number; left: number };

type PersonalDataPorts = {
  links: Pick<LinkStore, 'get' | 'save'>;
  personal: PersonalRecords;
  turns: Pick<TurnStore, 'get'>;
  scheduling: Pick<Scheduling, 'list' | 'endAll'>;
  unlink(person: Person): Promise<Purpose[]>;
  /** Ends a turn that runs or waits. False: there is nothing to end. */
  endTurn(id: string, stage: 'cancelled'): Promise<boolean>;
  /** Forgets that they were greeted and opened the home tab, and their feedback on the answers to these turns. */
  forgetTraces(person: Person, turnIds: string[]): Promise<void>;
  wait(ms: number): Promise<void>;
};

/** A cancelled question ends once its reply says so. */
const LOOK_EVERY_MS = 500;
const LOOKS = 20;

export type PersonalData = ReturnType<typeof createPersonalData>;

/** Shows and deletes what is kept of a person. All throw StoreUnavailableError. */
export function createPersonalData(ports: PersonalDataPorts) {
  const { links, personal, scheduling, unlink, forgetTraces } = ports;
  return {
    async read(person: Person): Promise<Kept> {
      const [assistant, admin, scheduled, turns, threads] = await Promise.all([
        links.get({ ...person, purpose: 'assistant' }),
        links.get({ ...person, purpose: 'admin' }),
        scheduling.list(person),
        personal.turns(person),
        personal.threads(person),
      ]);
      return { links: [assistant, admin].filter((link) => link !== undefined), scheduled, turns, ...threads };
    },
    /** May be repeated: what is gone is not counted again. Takes up to ten seconds. */
    async remove(person: Person): Promise<Removed> {
      // Unlink first: a question that runs meanwhile then finds no sign-in.
      const signIns = (await unlink(person)).length;
      const scheduled = await scheduling.endAll(person);
      const all = await personal.turns(person);
      const open = all.filter(({ stage }) => stage !== 'done');
      const cancelled = await cancel(open, ports);
      const left = await waitForEnds(open, ports);
      // Before the turns are removed, because this needs their ids: after a crash, `remove` can be repeated.
      await forgetTraces(
        person,
        all.map(({ id }) => id),
      );
      const records = scheduled + (await personal.forget(person));
      return { signIns, cancelled, records, left };
    },
    /** False: they are not signed in, and the choice is stored with the sign-in. */
    async chooseChannelAnswers(person: Person, channelAnswers: ChannelAnswers): Promise<boolean> {
      for (;;) {
        const link = await links.get({ ...person, purpose: 'assistant' });
        if (!link?.sealedTokens) return false;
        if (link.channelAnswers === channelAnswers) return true;
        const { version, ...rest } = link;
        // The save fails if the tokens were refreshed meanwhile: try again.
        if (await links.save({ ...rest, channelAnswers }, version)) return true;
      }
    },
  };
}

async function cancel(open: Turn[], { endTurn }: PersonalDataPorts): Promise<number> {
  let cancelled = 0;
  for (const { id } of open) if (await endTurn(id, 'cancelled')) cancelled += 1;
  return cancelled;
}

/** Returns how many have not ended. */
async function waitForEnds(open: Turn[], { turns, wait }: PersonalDataPorts): Promise<number> {
  let left = open.map(({ id }) => id);
  for (let looks = 0; left.length > 0 && looks < LOOKS; looks += 1) {
    if (looks > 0) await wait(LOOK_EVERY_MS);
    const stages = await Promise.all(left.map(async (id) => ({ id, stage: (await turns.get(id))?.stage ?? 'done' })));
    left = stages.filter(({ stage }) => stage !== 'done').map(({ id }) => id);
  }
  return left.length;
}

/** As JSON, one record per line, without tokens. A question and its answer are included until the answer is posted. */
export function exportKept(
  person: Person,
  { links, scheduled, turns, spokenIn, conversations }: Kept,
  now: number,
): string {
  const parts = {
    exportedAt: toIso(now),
    person,
    signIns: links.map(({ sealedTokens, schema: _, version: __, sealed: ___, ...link }) => ({
      ...link,
      hasTokens: sealedTokens !== '',
      linkedAt: toIso(link.linkedAt),
      usedAt: toIso(link.usedAt),
      endedAt: toIso(link.endedAt),
    })),
    scheduledQuestions: scheduled.map(({ days, time, zone, nextAt, content }) => ({
      ...{ days, time, zone, nextAt: toIso(nextAt), ...content },
    })),
    questions: turns.map(
      ({ id, acceptedAt, decidedAt, stage, result, outcome, question, parts, language, details }) => ({
        id,
        acceptedAt: toIso(acceptedAt),
        decidedAt: toIso(decidedAt),
        ...{ stage, result, ...question, outcome, language, details },
        reply: parts.map(({ channel, ts }) => ({ channel, ts })),
      }),
    ),
    threadsSpokenIn: spokenIn,
    conversations: conversations.map(({ thread, conversation }) => ({ thread, ...conversation })),
  };
  const fields = Object.entries(parts).map(([name, value]) => `${JSON.stringify(name)}: ${toLines(value)}`);
  return `{\n${fields.join(',\n')}\n}`;
}

function toLines(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n${value.map((item) => `  ${JSON.stringify(item)}`).join(',\n')}\n]`;
}

/** Undefined is left out of the JSON. */
function toIso(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
