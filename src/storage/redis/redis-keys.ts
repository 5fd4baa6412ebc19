// The store's keys in Redis and what removes them: every key has an owner or a time to live. There are also the budgets
// of redis-buckets.ts and BullMQ's queue.

/** The prefix of all keys. An ACL may allow this pattern alone: `~bridge:*`. */
export const PREFIX = 'bridge:';

// Turns and their indexes: removed by `forget` and `purge`.

/** A hash: the record, fields that change without it, and fields that say where the turn is indexed. */
export const TURN = `${PREFIX}turn:`;
/** A sorted set per lane, in order of arrival: the turns that are neither done nor parked. Gone with the last of them. */
export const LANE = `${PREFIX}lane:`;
/** A set: the lanes that have such turns. */
export const OPEN_LANES = `${PREFIX}lanes`;
/** A sorted set by the time of acceptance: the turns that are neither done nor parked. */
export const OPEN_TURNS = `${PREFIX}turns:open`;
/** Sorted sets in order of arrival: everyone's parked turns, and one person's. */
export const PARKED_TURNS = `${PREFIX}turns:parked`;
export const PARKED_OF = `${PREFIX}parked:`;
/** A hash: how many turns are in each stage, done ones left out. */
export const STAGES = `${PREFIX}turns:stages`;
/** A sorted set in order of arrival: the turns that were given up. */
export const DEAD_TURNS = `${PREFIX}turns:dead`;
/** A counter that stays: the last number in the order of arrival. */
export const ARRIVALS = `${PREFIX}turns:arrivals`;

/** A hash per thread: who has spoken in it, and its conversations. Removed by `forget` and `purge`. */
export const THREAD = `${PREFIX}thread:`;

/** A hash per person and purpose: removed by `delete`, `deleteUnchanged` and `purge`. */
export const LINK = `${PREFIX}link:`;

/** A set: the workspaces with any data. */
export const WORKSPACES = `${PREFIX}workspaces`;

/** A workspace's turns by acceptance, its threads by last use (sorted sets), and its links (a set). */
export const turnsOf = (workspace: string) => `${PREFIX}workspace:${workspace}:turns`;
export const threadsOf = (workspace: string) => `${PREFIX}workspace:${workspace}:threads`;
export const linksOf = (workspace: string) => `${PREFIX}workspace:${workspace}:links`;

/** A string: the rules of a workspace. Removed by `purge`. */
export const rulesOf = (workspace: string) => `${PREFIX}workspace:${workspace}:rules`;

/**
 * What is counted of a workspace, removed by `forget` and `purge`, and with a time to live: a hash per day, a sorted set of
 * marks by their last day per name, and the set of the names of these keys.
 */
export const usageOf = (workspace: string) => `${PREFIX}workspace:${workspace}:usage`;
export const USAGE = `${PREFIX}usage:`;

/** A string with a time to live. */
export const ONCE = `${PREFIX}once:`;
export const LOCK = `${PREFIX}lock:`;
export const CHECK = `${PREFIX}check`;

/** Changes made by admins, kept for good: a hash per change, and a sorted set by time per subject. */
export const CHANGE = `${PREFIX}change:`;
export const CHANGES_OF = `${PREFIX}changes:`;
/** A sorted set by time: the changes whose makers may not know how they ended. Removed by `finish` and `told`. */
export const UNTOLD_CHANGES = `${PREFIX}changes:untold`;

/** The audit log: a sorted set by sequence number, trimmed by `forget`, and a hash that stays. */
export const AUDIT = `${PREFIX}audit`;
export const AUDIT_ENDS = `${PREFIX}audit:ends`;

/** Decisions of admins that amend the register, kept for good: a list of records, and a set of their ids. */
export const OVERLAY = `${PREFIX}overlay`;
export const OVERLAY_IDS = `${PREFIX}overlay:ids`;
/** A hash that stays: the last review that was posted, and when it began. */
export const REVIEW = `${PREFIX}review`;

/** A hash per day with a time to live: what was used, by environment. */
export const CONSUMPTION = `${PREFIX}consumption:`;

/** A hash of all installations by workspace: a field is removed by `remove`. */
export const INSTALLATIONS = `${PREFIX}installations`;

/** A string that stays: STORE_VERSION of those who write here. */
export const SCHEMA = `${PREFIX}schema`;
/** A string that stays: which Redis this is. Another id means that the records of before are gone. */
export const STORE_ID = `${PREFIX}id`;
