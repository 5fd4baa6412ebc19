// Counts the questions of each day in channels with a cap. In other channels nothing is counted.
import { amend, type Document, type Kernel, type Write } from '../storage/kernel.ts';
import { createLocalLock } from '../with-lock.ts';
import type { ReadChannelSettings } from './channel-settings.ts';
import type { Notice } from './outcome.ts';
import { type Person, type Question, toPersonKey } from './question.ts';
import type { Turn } from './turn.ts';

/** `day`: the local date, as YYYY-MM-DD. `endsAt`: when the next day begins (epoch ms). */
export type LocalDay = { day: string; endsAt: number };

/** What one cap counts, on one day. */
export type Cap = {
  scope: 'person' | 'channel';
  most: number;
  day: LocalDay;
  question: Pick<Question, 'asker' | 'channel' | 'workspace'>;
};

/** `asked`: the questions counted on the day that ends at `until` (epoch ms). */
type CountedQuestions = Pick<Question, 'workspace' | 'channel'> & { asked: number; until: number };

/** Longer than a counted turn can wait for the service and run again. */
const TURN_KEPT_MS = 3 * 24 * 3_600_000;

/** Kept beyond the day, because clocks of replicas differ. */
const COUNTER_KEPT_MS = 3_600_000;

export type CapCounter = ReturnType<typeof createCapCounter>;

/** Throws StoreUnavailableError. */
export function createCapCounter(kernel: Pick<Kernel, 'get' | 'range' | 'commit'>, now: () => number) {
  const inTurn = createLocalLock();
  return {
    /**
     * Counts a turn in all of these caps. If one of them is reached, counts it in none and returns that cap. Repeated
     * calls count a turn only once. Atomic across replicas.
     */
    async count(turnId: string, caps: readonly Cap[]): Promise<Cap | undefined> {
      const keys = [`capped-turn:${turnId}`, ...caps.map(toKey)];
      let reached: Cap | undefined;
      const decide = ([turn, ...counters]: (Document<CountedQuestions> | undefined)[]): Write[] | undefined => {
        const asked = counters.map((counter) => counter?.body.asked ?? 0);
        reached = turn ? undefined : caps.find(({ most }, index) => (asked[index] ?? 0) >= most);
        if (turn || reached) return undefined;
        const { workspace = '' } = caps[0]?.question ?? {};
        const entries = [{ index: `workspace:${workspace}` }];
        return [
          { put: keys[0] ?? '', body: {}, expiresAt: now() + TURN_KEPT_MS, entries },
          ...caps.map((cap, index) => toCounterWrite(cap, (asked[index] ?? 0) + 1)),
        ];
      };
      // Questions of one process take turns, so only writes of other replicas can conflict.
      await inTurn(keys.at(-1) ?? '', () => amend<CountedQuestions>(kernel, keys, decide));
      return reached;
    },
    /** What this person asked today in channels with a cap per person. */
    async listCounted(person: Person): Promise<CountedQuestions[]> {
      const found = await kernel.range(toIndex(person));
      const counted = found.map(({ body }) => body as CountedQuestions);
      return counted.filter(({ until }) => until > now());
    },
  };
}

/** Counts the turn. If a cap is reached, returns a notice that says until when. Throws StoreUnavailableError. */
export type CheckCaps = (turn: Turn) => Promise<Notice | undefined>;

export function createCapCheck(ports: {
  settings: ReadChannelSettings<'personCap' | 'channelCap'>;
  counter: Pick<CapCounter, 'count'>;
  /** IANA zones: `timeZone` is for caps per person, `defaultTimeZone` for caps per channel. */
  timeZone(question: Question): Promise<string>;
  defaultTimeZone: string;
  /** The day that it is now in a zone. */
  today(timeZone: string): LocalDay;
}): CheckCaps {
  return async ({ id, question }) => {
    if (question.audience === 'person') return undefined;
    const { repeats = id } = question;
    const { personCap, channelCap } = await ports.settings(question);
    const caps: Cap[] = [];
    if (personCap !== undefined) {
      caps.push({ scope: 'person', most: personCap, day: ports.today(await ports.timeZone(question)), question });
    }
    if (channelCap !== undefined) {
      caps.push({ scope: 'channel', most: channelCap, day: ports.today(ports.defaultTimeZone), question });
    }
    const reached = caps.length === 0 ? undefined : await ports.counter.count(repeats, caps);
    if (reached === undefined) return undefined;
    const { scope, most, day } = reached;
    return { kind: 'notice', code: `${scope}_cap`, cap: { most, until: day.endsAt } };
  };
}

function toKey({ scope, day: { day }, question: { asker, channel } }: Cap): string {
  const whose = scope === 'person' ? [asker.user] : [];
  return ['cap', asker.team, channel, ...whose, day].join(':');
}

/** The index of a person's counters, for the home tab. */
function toIndex(person: Person): string {
  return `capped:${toPersonKey(person)}`;
}

function toCounterWrite(cap: Cap, asked: number): Write {
  const { scope, day, question } = cap;
  const { asker, workspace, channel } = question;
  const body: CountedQuestions = { workspace, channel, asked, until: day.endsAt };
  const entries = [{ index: `workspace:${workspace}` }, ...(scope === 'person' ? [{ index: toIndex(asker) }] : [])];
  return { put: toKey(cap), body, expiresAt: day.endsAt + COUNTER_KEPT_MS, entries };
}
