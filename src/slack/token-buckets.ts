/** Where a call counts: `limit` calls in `perMs`, which may be made all at once. */
export type Bucket = { key: string; limit: number; perMs: number };

/** Port: how often Slack may be called, counted over all replicas. */
export type TokenBuckets = {
  /**
   * Takes one token of each bucket, all or none. Returns 0 where it did, else how long to wait (ms) before there is one
   * in each. `reserve` (0 to 1): the share of each bucket that this caller leaves to more important calls.
   */
  take(buckets: readonly Bucket[], reserve: number): Promise<number>;
  /**
   * Slack said 429: nobody gets a token of this bucket for so long (ms), ten minutes at the most. The longest of several
   * counts.
   */
  block(key: string, forMs: number): Promise<void>;
};
