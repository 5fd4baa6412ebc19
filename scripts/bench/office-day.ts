// A day of questions, played against what one replica and one Redis can do. The shape of the day is an assumption: two
// peaks of an office day, less at lunch, little at night. Nobody publishes such a curve for an assistant in Slack.

/** What one turn costs, as measured. */
type TurnCost = {
  cpuMs: number;
  /** How long Redis is busy with it: its processor time, and the flushes that it waits for. */
  redisMs: number;
};

/** Turns that come together share wake-ups and flushes. */
export type TurnCosts = { alone: TurnCost; amongMany: TurnCost };

/** What the assistant adds to a day. All are assumptions. */
export const ASSUMED = {
  questionsPerPerson: 5,
  /** Messages that are no questions, in channels of the app. */
  talkPerPerson: 45,
  /** Half of the answers take longer, and one in twenty more than four times as long. */
  medianAnswerS: 10,
  answerSpread: 0.85,
} as const;

export type Day = {
  questions: number;
  /** In the hour that has most. */
  busiestHour: number;
  /** Questions per second, in the minute that has most. */
  busiestPerSecond: number;
  /** The most questions that were under way at once. */
  mostOpen: number;
  /** How busy each replica's core is, and Redis, in the busiest hour: 1 is always. */
  replicaUse: number;
  redisUse: number;
};

/** Questions by the hour of the day, everybody in one time zone, as shares that need not add up to anything. */
const BY_HOUR = [1, 1, 1, 1, 1, 2, 8, 30, 75, 100, 105, 90, 50, 75, 100, 95, 80, 45, 20, 12, 10, 8, 4, 2];

const DAY_S = 86_400;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const HOUR_MINUTES = 60;

/** Plays a whole day, question by question; the same numbers give the same day. */
export function playDay(people: number, replicas: number, costs: TurnCosts): Day {
  const random = createRandom();
  const curve = toCurve(people);
  const busiest = curve.indexOf(Math.max(...curve));
  const serve = createQueue(replicas, costs);
  const perMinute: number[] = [];
  const openings = new Int32Array(DAY_S);
  let cpuMs = 0;
  let redisMs = 0;
  for (const [minute, perSecond] of curve.entries()) {
    const isBusiest = Math.abs(minute - busiest) <= HOUR_MINUTES / 2;
    const arrivals = listArrivals(minute * MINUTE_S, perSecond, random);
    perMinute.push(arrivals.length);
    for (const at of arrivals) {
      const served = serve(at);
      if (isBusiest) {
        cpuMs += served.cpuMs;
        redisMs += served.redisMs;
      }
      note(openings, at, 1);
      note(openings, at + ASSUMED.medianAnswerS * Math.exp(ASSUMED.answerSpread * toNormal(random)), -1);
    }
  }
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    questions: sum(perMinute),
    busiestHour: Math.max(...perMinute.map((_, minute) => sum(perMinute.slice(minute, minute + HOUR_MINUTES)))),
    busiestPerSecond: Math.max(...perMinute) / MINUTE_S,
    mostOpen: findMostOpen(openings),
    replicaUse: cpuMs / replicas / (HOUR_S * 1000),
    redisUse: redisMs / (HOUR_S * 1000),
  };
}

/** The moments of a minute at which questions come, from many people who do not know of each other, in s of the day. */
function listArrivals(from: number, perSecond: number, random: () => number): number[] {
  const arrivals: number[] = [];
  const next = (at: number) => at - Math.log(1 - random()) / perSecond;
  for (let at = next(from); at < from + MINUTE_S; at = next(at)) arrivals.push(at);
  return arrivals;
}

/**
 * The replicas take questions in turn, and share one Redis; each does one thing at a time, and a turn in one piece. Who
 * has to wait costs as much as one among many. `at`: in s of the day.
 */
function createQueue(replicas: number, { alone, amongMany }: TurnCosts): (at: number) => TurnCost {
  const freeAt = new Float64Array(replicas);
  let redisFreeAt = 0;
  let next = 0;
  return (at) => {
    const replica = next++ % replicas;
    const begun = Math.max(at, freeAt[replica] ?? 0);
    const written = Math.max(begun, redisFreeAt);
    const { cpuMs } = begun > at ? amongMany : alone;
    const { redisMs } = written > begun ? amongMany : alone;
    freeAt[replica] = begun + cpuMs / 1000;
    redisFreeAt = written + redisMs / 1000;
    return { cpuMs, redisMs };
  };
}

/** Questions per second in each minute of the day. */
function toCurve(people: number): number[] {
  const total = BY_HOUR.reduce((sum, share) => sum + share, 0);
  const perDay = people * ASSUMED.questionsPerPerson;
  return Array.from({ length: DAY_S / MINUTE_S }, (_, minute) => (perDay * readHour(minute / 60)) / total / HOUR_S);
}

/** Between the middles of two hours, in a straight line. */
function readHour(hour: number): number {
  const shifted = (hour - 0.5 + 24) % 24;
  const before = Math.floor(shifted);
  const part = shifted - before;
  return (BY_HOUR[before] ?? 0) * (1 - part) + (BY_HOUR[(before + 1) % 24] ?? 0) * part;
}

function note(openings: Int32Array, at: number, change: 1 | -1): void {
  const second = Math.floor(at);
  if (second < DAY_S) openings[second] = (openings[second] ?? 0) + change;
}

/** From what changed in each second. */
function findMostOpen(openings: Int32Array): number {
  let open = 0;
  let most = 0;
  for (const change of openings) {
    open += change;
    most = Math.max(most, open);
  }
  return most;
}

function toNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** From 0 to 1, the same with each run: https://en.wikipedia.org/wiki/Linear_congruential_generator */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
