import { toPersonKey } from '../../conversation/question.ts';
import type { TurnCounts, TurnStore } from '../../conversation/stores.ts';
import { type Stage, type Turn, toRunId } from '../../conversation/turn.ts';
import { StoreUnavailableError } from '../../errors.ts';
import type { RedisConnection } from '../../storage/redis/redis-client.ts';
import { isDead, readRecord, toRevised } from '../record.ts';
import { createWalk, type walkScripts } from './redis-walk.ts';
import { DEAD_TURNS, LANE, LEASE, OPEN_LANES, OPEN_TURNS, PARKED_OF, PARKED_TURNS, TURN, TURNS } from './turn-keys.ts';
import { type TurnRow, toThreadArgs, type turnScripts } from './turn-scripts.ts';

type TurnsConnection = RedisConnection<typeof turnScripts & typeof walkScripts>;

const ACCEPTED = ['duplicate', 'new', 'taken'] as const;

const FIELDS = ['fence', 'stage', 'notBefore', 'body', 'run', 'settled'];

/** Enough: questions are rarely edited, and a run writes its record only a few times. */
const REVISE_ROUNDS = 5;

/** One round trip per call, except for paged lists. The cost does not grow with the number of done turns. */
export function createRedisTurns(redis: TurnsConnection, now: () => number): TurnStore {
  const { send } = redis;
  const walk = createWalk(redis);
  return {
    async accept(turn, changes = [], holder = '') {
      const { id, lane, question, stage, fence, acceptedAt, notBefore = '', run = '' } = turn;
      const keys = [TURN + id, TURNS];
      const person = toPersonKey(question.asker);
      const args = [id, lane, person, stage, fence, acceptedAt, notBefore, toBody(turn), holder, run];
      const answer = await send((client) => client.acceptTurn(keys, [...args, ...toThreadArgs(changes, now())]));
      return ACCEPTED[answer] ?? 'duplicate';
    },
    get: async (id) => toTurn(await send((client) => client.hmGet(TURN + id, FIELDS))),
    head: async (lane) => toTurn((await send((client) => client.listTurns([LANE + lane], [0, 0])))[0]),
    inLane: (lane) => listInOrder(redis, LANE + lane),
    async takeHead(lane, until, deaths = Number.MAX_SAFE_INTEGER, holder = '') {
      const args = [until, deaths, holder, toRunId()];
      const taken = await send((client) => client.takeHead([LANE + lane, LEASE + lane], args));
      if (!taken) return undefined;
      const [isTaken, inLane, ...row] = taken;
      const turn = toTurn(row);
      return turn && { turn, isTaken: isTaken === '1', isLast: inLane === '1' };
    },
    async save(turn, changes = []) {
      const { id, fence, stage, lane, notBefore = '', run = '', settled = '' } = turn;
      const args = [id, fence, stage, lane, notBefore, toBody(turn), isDead(turn) ? 1 : 0, run, settled];
      const answer = await send((client) => client.saveTurn([TURN + id], [...args, ...toThreadArgs(changes, now())]));
      return answer === 1;
    },
    end: async (id, stage) => (await send((client) => client.endTurn([TURN + id], [id, stage]))) === 1,
    async revise(id, said) {
      for (let round = 0; round < REVISE_ROUNDS; round += 1) {
        const row = await send((client) => client.hmGet(TURN + id, FIELDS));
        const turn = toTurn(row);
        const revised = turn && toRevised(turn, said);
        if (!revised) return false;
        const [fence, stage, , body] = row.map((field) => field ?? '');
        const args = [fence ?? '', stage ?? '', body ?? '', revised.fence, toBody(revised)];
        if ((await send((client) => client.reviseTurn([TURN + id], args))) === 1) return true;
      }
      throw new StoreUnavailableError('a turn changed while its question was replaced');
    },
    unpark: (person) => send((client) => client.unparkTurns([PARKED_OF + toPersonKey(person)])),
    parked: (person) => listInOrder(redis, person ? PARKED_OF + toPersonKey(person) : PARKED_TURNS),
    dueLanes: (at, holder = '', jobs = []) => send((client) => client.dueLanes([OPEN_LANES], [at, holder, ...jobs])),
    async deadLetters(limit) {
      const rows = await send((client) => client.listTurns([DEAD_TURNS], [0, limit - 1, 'REV']));
      return rows.flatMap((row) => toTurn(row) ?? []);
    },
    async counts() {
      const [parked, oldest] = await send((client) =>
        Promise.all([client.zCard(PARKED_TURNS), client.zRangeWithScores(OPEN_TURNS, 0, 0)]),
      );
      const byStage: TurnCounts['byStage'] = parked > 0 ? { parked } : {};
      for (let from = 0; ; from += COUNTED) {
        const stages = await send((client) => client.stagesOf([OPEN_TURNS], [from, from + COUNTED - 1]));
        for (const stage of stages) byStage[stage] = (byStage[stage] ?? 0) + 1;
        if (stages.length < COUNTED) return { byStage, oldestAcceptedAt: oldest[0]?.score };
      }
    },
    forget: async (before) => (await walk('walkTurns', { before, mode: 'forget' })).removed,
  };
}

/** Larger pages would block Redis. `COUNTED`: for pages without records. */
const PAGE = 200;
const COUNTED = 1_000;

async function listInOrder({ send }: TurnsConnection, index: string): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (let last = '0'; ; ) {
    const range = [`(${last}`, '+inf', 'BYSCORE', 'LIMIT', 0, PAGE];
    const rows = await send((client) => client.listTurns([index], range));
    turns.push(...rows.flatMap((row) => toTurn(row) ?? []));
    const seq = rows.at(-1)?.[6];
    if (rows.length < PAGE || !seq) return turns;
    last = seq;
  }
}

function toBody({ fence, settled, run, stage, notBefore, ...turn }: Turn): string {
  return JSON.stringify(turn);
}

export function toTurn(row: TurnRow | undefined): Turn | undefined {
  if (!row) return undefined;
  const [fence, stage, notBefore, body, run, settled] = row;
  if (!body) return undefined;
  const turn = readRecord<Turn>(body);
  return {
    ...turn,
    ...(notBefore && { notBefore: Number(notBefore) }),
    ...(run && { run }),
    ...(settled && { settled: Number(settled) }),
    stage: stage as Stage,
    fence: Number(fence),
  };
}
