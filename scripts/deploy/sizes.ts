// What an installation needs, by how many people ask. docs/scaling.md has it as a table. compose.yaml, the Kubernetes and
// systemd files and the alerts use these values, which test/deployment/sizes.test.ts checks.

/** Memory in GB of 1024 MB. `redisGb`: what Redis keeps after half a year, as counted in docs/scaling.md. */
type Size = { people: number; replicas: number; redisGb: number; maxmemoryGb: number; diskGb: number; machine: string };

/** `maxmemory` leaves a fifth free, and the disk has room for the append-only file, its rewrite, and as much again. */
export const SIZES: Size[] = [
  { people: 1_000, replicas: 2, redisGb: 0.5, maxmemoryGb: 1, diskGb: 5, machine: '2 cores, 4 GB' },
  { people: 10_000, replicas: 2, redisGb: 5.2, maxmemoryGb: 8, diskGb: 32, machine: '4 cores, 16 GB' },
  { people: 100_000, replicas: 2, redisGb: 52.6, maxmemoryGb: 66, diskGb: 264, machine: '8 cores, 128 GB' },
];

/** What `compose.yaml` is made for. */
export const COMPOSE_PEOPLE = 10_000;

/** The memory of each replica, in MB. */
export const REPLICA_MB = 512;

/**
 * How Node is started for a replica. Only arguments work, because V8 lays out its memory before it reads any of our code.
 *
 * Compiled code is only valid for the same flags.
 *
 * By default V8 gives new objects up to 128 MB, and under load it uses them. It also creates objects in old memory if such
 * objects once lived long: under high load, the rest of each request is then kept, too, until everything is collected.
 */
export const REPLICA_FLAGS = ['--max-semi-space-size=16', '--no-allocation-site-pretenuring'];

/** A factor for `maxmemory`: Redis copies what changes while it rewrites its file. */
export const REDIS_HEADROOM = 1.5;

/** From this share on, there is an alert, and the doctor warns. */
export const FULL_FROM = 0.8;

/** Slack's limit for one workspace; beyond it, events are dropped: https://docs.slack.dev/reference/events/app_rate_limited */
export const EVENTS_PER_HOUR = 30_000;

/** The table in docs/scaling.md. */
export function renderSizes(): string {
  const rows = SIZES.map(({ people, replicas, redisGb, maxmemoryGb, diskGb, machine }) => {
    const replicaText = `${replicas}, ${REPLICA_MB} MB each`;
    return `| ${people.toLocaleString('en')} | ${replicaText} | ${redisGb} GB | ${maxmemoryGb} GB | ${maxmemoryGb * REDIS_HEADROOM} GB | ${diskGb} GB | ${machine} |`;
  });
  return [
    '| people | replicas | Redis keeps | `maxmemory` | memory of its container | its disk | one machine for all |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
