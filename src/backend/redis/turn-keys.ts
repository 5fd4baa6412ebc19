// The keys of turns and threads in Redis, and what removes them: every key has an owner or a time to live. Other keys:
// redis-keys.ts, the budgets of redis-buckets.ts, and BullMQ's queue.
import { PREFIX } from '../../storage/redis/redis-keys.ts';

// Turns and their indexes: removed by `forget` and `purge`.

/** A hash: the record, fields that change without it, and fields that say where the turn is indexed. */
export const TURN = `${PREFIX}turn:`;
/** A sorted set per lane, in order of arrival: the turns that are neither done nor parked. Gone with the last of them. */
export const LANE = `${PREFIX}lane:`;
/** A sorted set: the lanes with such turns, by when their first turn may run. */
export const OPEN_LANES = `${PREFIX}lanes`;
/** A sorted set by the time of acceptance: the turns that are neither done nor parked. */
export const OPEN_TURNS = `${PREFIX}turns:open`;
/** Sorted sets in order of arrival: everyone's parked turns, and one person's. */
export const PARKED_TURNS = `${PREFIX}turns:parked`;
export const PARKED_OF = `${PREFIX}parked:`;
/** A sorted set in order of arrival: the turns that were given up. */
export const DEAD_TURNS = `${PREFIX}turns:dead`;

/** A hash per thread: who has spoken in it, and its conversations. Removed by `forget` and `purge`. */
export const THREAD = `${PREFIX}thread:`;

/** Sorted sets: all turns by acceptance, and all threads by last use. */
export const TURNS = `${PREFIX}turns`;
export const THREADS = `${PREFIX}threads`;

/** Strings with a time to live: who holds a lane (with `!`: another replica wants it), and which replicas are alive. */
export const LEASE = `${PREFIX}lease:`;
export const REPLICA = `${PREFIX}replica:`;

/** A string that stays: the STORE_VERSION of the replicas that write here. */
export const SCHEMA = `${PREFIX}schema`;
