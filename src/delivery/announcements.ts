/**
 * Port: broadcasts to all replicas, this one included. Best effort: a replica that misses one finds the change in the
 * store later.
 */
export type Announcements = {
  announce(topic: Topic, message: string): void;
  listen(topic: Topic, hear: (message: string) => void): void;
};

/**
 * `turn-ended`: a turn id. `person-changed`: `workspace:user`. `channel-changed`: `workspace:channel`.
 * `installation-changed`: a workspace. `audience-changed`: see encodeAudienceChange. `policy-changed`: ''.
 */
export type Topic =
  | 'turn-ended'
  | 'person-changed'
  | 'channel-changed'
  | 'installation-changed'
  | 'audience-changed'
  | 'policy-changed';

/** For one process: nobody else listens. */
export function createLocalAnnouncements(): Announcements {
  const listeners = new Map<Topic, ((message: string) => void)[]>();
  return {
    announce(topic, message) {
      for (const hear of listeners.get(topic) ?? []) hear(message);
    },
    listen(topic, hear) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), hear]);
    },
  };
}
