import { toPersonKey } from '../../conversation/question.ts';
import type { TurnStore } from '../../conversation/stores.ts';
import type { Stage, Turn } from '../../conversation/turn.ts';
import { StoreUnavailableError } from '../../errors.ts';
import { isDead, readRecord, toRevised } from '../record.ts';
import type { RedisConnection } from './redis-client.ts';
import {
  DEAD_TURNS,
  LANE,
  OPEN_LANES,
  OPEN_TURNS,
  PARKED_OF,
  PARKED_TURNS,
  STAGES,
  TURN,
  turnsOf,
} from './redis-keys.ts';
import { forgetTurns, type retentionScripts } from './redis-retention.ts';
import { type TurnRow, toThreadArgs, type turnScripts } from './turn-scripts.ts';

type TurnsConnection = RedisConnection<typeof turnScripts & typeof retentionScripts>;

const ACCEPTED = ['duplicate', 'new', 'unbegun'] as const;

/** What a turn asks changes seldom, and its record a few times in a run. */
const REVISE_ROUNDS = 5;

/** One round trip per call, except for lists, which are paged. Costs do not grow with the number of done turns. */
export function createRedisTurns(redis: TurnsConnection, now: () => number): TurnStore {
  const { send } = redis;
  return {
    async accept(turn, changes = []) {
      const { id, lane, question, stage, fence, acceptedAt, notBefore = '' } = turn;
      const { asker, workspace } = question;
      const keys = [TURN + id, turnsOf(workspace)];
      const args = [id, lane, toPersonKey(asker), workspace, stage, fence, acceptedAt, notBefore, toBody(turn)];
      const answer = await send((client) => client.acceptTurn(keys, [...args, ...toThreadArgs(changes, now())]));
      return ACCEPTED[answer] ?? 'duplicate';
    },
    async get(id) {
      const fields = ['fence', 'stage', 'notBefore', 'body'];
      return toTurn(await send((client) => client.hmGet(TURN + id, fields)));
    },
    head: async (lane) => toTurn(await send((client) => client.headOfLane([LANE + lane]))),
    inLane: (lane) => listInOrder(redis, LANE + lane),
    async takeHead(lane, until, deaths = Number.MAX_SAFE_INTEGER) {
      const taken = await send((client) => client.takeHead([LANE + lane], [until, deaths]));
      if (!taken) return undefined;
      const [isTaken, inLane, ...row] = taken;
      const turn = toTurn(row);
      return turn && { turn, isTaken: isTaken === '1', isLast: inLane === '1' };
    },
    async save(turn, changes = []) {
      const { id, fence, stage, lane, notBefore = '' } = turn;
      const args = [id, fence, stage, lane, notBefore, toBody(turn), isDead(turn) ? 1 : 0];
      const answer = await send((client) => client.saveTurn([TURN + id], [...args, ...toThreadArgs(changes, now())]));
      return answer === 1;
    },
    end: async (id, stage) => (await send((client) => client.endTurn([TURN + id], [id, stage]))) === 1,
    async revise(id, said) {
      for (let round = 0; round < REVISE_ROUNDS; round += 1) {
        const row = await send((client) => client.hmGet(TURN + id, ['fence', 'stage', 'notBefore', 'body']));
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
    openLanes: () => send((client) => client.sMembers(OPEN_LANES)),
    async deadLetters(limit) {
      const rows = await send((client) => client.listTurns([DEAD_TURNS], [0, limit - 1, 'REV']));
      return rows.flatMap((row) => toTurn(row) ?? []);
    },
    async counts() {
      const [stages, oldest] = await send((client) =>
        Promise.all([client.hGetAll(STAGES), client.zRangeWithScores(OPEN_TURNS, 0, 0)]),
      );
      const byStage = Object.fromEntries(Object.entries(stages).map(([stage, count]) => [stage, Number(count)]));
      return { byStage, oldestAcceptedAt: oldest[0]?.score };
    },
    forget: (before) => forgetTurns(redis, before),
  };
}

/** Larger pages would block Redis. */
const PAGE = 200;

async function listInOrder({ send }: TurnsConnection, index: string): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (let last = '0'; ; ) {
    const range = [`(${last}`, '+inf', 'BYSCORE', 'LIMIT', 0, PAGE];
    const rows = await send((client) => client.listTurns([index], range));
    turns.push(...rows.flatMap((row) => toTurn(row) ?? []));
    const seq = rows.at(-1)?.[4];
    if (rows.length < PAGE || !seq) return turns;
    last = seq;
  }
}

function toBody({ fence: _fence, stage: _stage, notBefore: _notBefore, ...turn }: Turn): string {
  return JSON.stringify(turn);
}

function toTurn(row: TurnRow | null): Turn | undefined {
  if (!row) return undefined;
  const [fence, stage, notBefore, body] = row;
  if (!body) return undefined;
  const turn = readRecord<Turn>(body);
  const waiting = notBefore ? { notBefore: Number(notBefore) } : {};
  return { ...turn, ...waiting, stage: stage as Stage, fence: Number(fence) };
}
