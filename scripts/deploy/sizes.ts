// What an installation needs, by how many people ask. docs/scaling.md has it as a table, and compose.yaml, the Kubernetes
// and systemd files and the alerts are of it: test/deployment/sizes.test.ts holds them to it.

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

/** Of each replica, in MB. */
export const REPLICA_MB = 512;

/**
 * How Node is started for a replica. Only arguments count: V8 lays out its memory before it reads any of our code.
 *
 * What was compiled is good for the same flags alone.
 *
 * By default V8 gives new objects up to 128 MB, which a load takes. And it creates what once lived long in old memory from
 * the start: under a flood all else of each request is then kept as well, until everything is collected.
 */
export const REPLICA_FLAGS = ['--max-semi-space-size=16', '--no-allocation-site-pretenuring'];

/** Times `maxmemory`: Redis copies what changes while it rewrites its file. */
export const REDIS_HEADROOM = 1.5;

/** From here on there is an alert, and the doctor warns. */
export const FULL_FROM = 0.8;

/** Of one workspace; past that it drops them: https://docs.slack.dev/reference/events/app_rate_limited */
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
