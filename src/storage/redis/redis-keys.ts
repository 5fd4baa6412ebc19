// The names of what the store keeps in Redis, and who removes it: nothing is without an owner or a time to live. Besides,
// there are the budgets of redis-buckets.ts, and the queue, which is BullMQ's.

/** Before every key. A managed Redis may allow us this pattern alone: `~bridge:*`. */
export const PREFIX = 'bridge:';

// Turns, each with what lists it: removed by `forget` and `purge`.

/** A hash: the record, and beside it what changes without it, or says where the turn is listed. */
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
/** A counter, the one key here that stays: the place of a turn in the order of arrival. */
export const ARRIVALS = `${PREFIX}turns:arrivals`;

/** A hash per thread: who has spoken in it, and its conversations. Removed by `forget` and `purge`. */
export const THREAD = `${PREFIX}thread:`;

/** A hash per person and purpose: removed by `delete` and `purge`. */
export const LINK = `${PREFIX}link:`;

/** A set: the workspaces of which anything is kept. */
export const WORKSPACES = `${PREFIX}workspaces`;

/** What is kept of a workspace: its turns by acceptance, its threads by last use (sorted sets), its links (a set). */
export const turnsOf = (workspace: string) => `${PREFIX}workspace:${workspace}:turns`;
export const threadsOf = (workspace: string) => `${PREFIX}workspace:${workspace}:threads`;
export const linksOf = (workspace: string) => `${PREFIX}workspace:${workspace}:links`;

/** A string with a time to live. */
export const ONCE = `${PREFIX}once:`;
export const LOCK = `${PREFIX}lock:`;
export const CHECK = `${PREFIX}check`;

/** An account of what admins did, which stays: a hash per change, and a sorted set by time for what it is of. */
export const CHANGE = `${PREFIX}change:`;
export const CHANGES_OF = `${PREFIX}changes:`;

/** The audit log: a sorted set by place, of which `forget` removes what is past its time; and a hash, which stays. */
export const AUDIT = `${PREFIX}audit`;
export const AUDIT_ENDS = `${PREFIX}audit:ends`;

/** What admins decided beside the register, which stays: a list of the records, and a set of their ids. */
export const OVERLAY = `${PREFIX}overlay`;
export const OVERLAY_IDS = `${PREFIX}overlay:ids`;
/** A hash that stays: the last review that was told, and beside it when it began. */
export const REVIEW = `${PREFIX}review`;
/** A string with a time to live for each notice: who holds it. */
export const NOTICE = `${PREFIX}notice:`;

/** A hash of all installations by workspace: a field is removed by `remove`. */
export const INSTALLATIONS = `${PREFIX}installations`;

/** A string that stays: which release's records are in here. See redis-schema.ts. */
export const SCHEMA = `${PREFIX}schema`;
