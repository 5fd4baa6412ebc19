// The store's keys in Redis and what removes them: every key has an owner or a time to live. There are also the budgets
// of redis-buckets.ts and BullMQ's queue.

/** The prefix of all keys. An ACL may allow this pattern alone: `~bridge:*`. */
export const PREFIX = 'bridge:';

// Turns and their indexes: removed by `forget` and `purge`.

/** A hash: the record, fields that change without it, and fields that say where the turn is indexed. */
export const TURN = `${PREFIX}turn:`;
/** A sorted set per lane, in order of arrival: the turns that are neither done nor parked. Gone with the last of them. */
export const LANE = `${PREFIX}lane:`;
/** A sorted set: the lanes that have such turns, by when the first of them may run. */
export const OPEN_LANES = `${PREFIX}lanes`;
/** A sorted set by the time of acceptance: the turns that are neither done nor parked. */
export const OPEN_TURNS = `${PREFIX}turns:open`;
/** Sorted sets in order of arrival: everyone's parked turns, and one person's. */
export const PARKED_TURNS = `${PREFIX}turns:parked`;
export const PARKED_OF = `${PREFIX}parked:`;
/** A sorted set in order of arrival: the turns that were given up. */
export const DEAD_TURNS = `${PREFIX}turns:dead`;
/** A counter that stays: the last place in the order of arrival, of turns and of documents. */
export const ARRIVALS = `${PREFIX}turns:arrivals`;

/** A hash per thread: who has spoken in it, and its conversations. Removed by `forget` and `purge`. */
export const THREAD = `${PREFIX}thread:`;

/** A set: the workspaces with any data. */
export const WORKSPACES = `${PREFIX}workspaces`;

/** A workspace's turns by acceptance, and its threads by last use: sorted sets. */
export const turnsOf = (workspace: string) => `${PREFIX}workspace:${workspace}:turns`;
export const threadsOf = (workspace: string) => `${PREFIX}workspace:${workspace}:threads`;

/** A hash per document, and a sorted set per index: gone with the last of its documents. See redis-kernel.ts. */
export const DOCUMENT = `${PREFIX}doc:`;
export const INDEX = `${PREFIX}index:`;
/** A sorted set by time: the documents that expire. */
export const EXPIRING = `${PREFIX}expiring`;

/** Strings with a time to live: who holds a lane (with `!` where another replica wanted it), and which replicas are there. */
export const LEASE = `${PREFIX}lease:`;
export const REPLICA = `${PREFIX}replica:`;

/** A string with a time to live. */
export const LOCK = `${PREFIX}lock:`;

/** A string that stays: STORE_VERSION of those who write here. */
export const SCHEMA = `${PREFIX}schema`;
/** A string that stays: which Redis this is. Another id means that the records of before are gone. */
export const STORE_ID = `${PREFIX}id`;
