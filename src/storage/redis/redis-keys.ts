// The keys of documents, locks and the store's id in Redis. Keys of turns and threads: backend/redis/turn-keys.ts.

/** The prefix of all keys. An ACL may allow this pattern alone, also for channels: `~bridge:* &bridge:*`. */
export const PREFIX = 'bridge:';

/** A counter that stays: the last place in the order of arrival, of turns and of documents. */
export const ARRIVALS = `${PREFIX}arrivals`;

/** A hash per document, and a sorted set per index, which goes with its last document. See redis-kernel.ts. */
export const DOCUMENT = `${PREFIX}doc:`;
export const INDEX = `${PREFIX}index:`;
/** A sorted set by time: the documents that expire. */
export const EXPIRING = `${PREFIX}expiring`;

/** A string with a time to live. */
export const LOCK = `${PREFIX}lock:`;

/** A string that stays: the id of this Redis. Another id means that the earlier records are gone. */
export const STORE_ID = `${PREFIX}id`;
