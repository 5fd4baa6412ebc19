// One table of sizes: what the files ship, what the documentation says, and what was measured do not contradict it.
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  COMPOSE_PEOPLE,
  EVENTS_PER_HOUR,
  FULL_FROM,
  REDIS_HEADROOM,
  REPLICA_FLAGS,
  REPLICA_MB,
  renderSizes,
  SIZES,
} from '../../scripts/deploy/sizes.ts';
import { NEARLY_FULL } from '../../src/doctor/store-reader.ts';
import { ofKind, read, readCompose } from './image.ts';

const scaling = read('docs/scaling.md');
const compose = readCompose();
const size = SIZES.find(({ people }) => people === COMPOSE_PEOPLE);

it('stands in the documentation', () => {
  expect(scaling).toContain(renderSizes());
});

it('is what Compose gives Redis, by default', () => {
  const { command, mem_limit } = compose.services.redis;

  expect(command.at(-1)).toBe(`${size?.maxmemoryGb}gb`);
  expect(mem_limit).toBe(`${(size?.maxmemoryGb ?? 0) * REDIS_HEADROOM}g`);
});

it('is what each replica gets', () => {
  const deployment = ofKind('Deployment');
  const replicas = Object.keys(compose.services).filter((name) => name.startsWith('app-'));

  expect(deployment.spec.replicas).toBe(size?.replicas);
  const { requests, limits } = deployment.spec.template.spec.containers[0].resources;
  expect([requests.memory, limits.memory]).toEqual([`${REPLICA_MB}Mi`, `${REPLICA_MB}Mi`]);
  expect(replicas).toHaveLength(size?.replicas ?? 0);
  expect(compose.services['app-1'].mem_limit).toBe(`${REPLICA_MB}m`);
  expect(read('scripts/deploy/assistant-bridge.service')).toContain(`\nMemoryMax=${REPLICA_MB}M\n`);
  expect(read('docs/security.md')).toContain(
    `| memory of a replica | ${REPLICA_MB} MB | ${REPLICA_MB} MB | ${REPLICA_MB} MB |`,
  );
});

it('is kept to by whatever starts a replica, and by what the documentation says about that', () => {
  const started = `node ${REPLICA_FLAGS.join(' ')} src/main.ts`;

  // What the image and `npm start` do: see test/deployment.test.ts and test/launch.test.ts.
  expect(read('scripts/deploy/assistant-bridge.service')).toContain(`\nExecStart=/usr/bin/${started}\n`);
  expect(read('docs/operating.md')).toContain(`\`${started}\``);
});

it.each(SIZES)(
  'leaves room for what was measured with $people people',
  ({ people, redisGb, maxmemoryGb, diskGb, machine }) => {
    const [measured] = [...scaling.matchAll(/^([\d,]+) .* ([\d.]+) GB /gm)]
      .filter(([, count = '']) => Number(count.replaceAll(',', '')) === people)
      .map(([, , gb]) => Number(gb));
    const [, memory] = /(\d+) GB/.exec(machine) ?? [];

    // There is no line for a thousand: a tenth of ten thousand.
    expect(redisGb).toBeCloseTo(measured ?? 0.5, 1);
    expect(redisGb).toBeLessThanOrEqual(maxmemoryGb * FULL_FROM);
    expect(diskGb).toBeGreaterThanOrEqual(maxmemoryGb * 4);
    expect(Number(memory)).toBeGreaterThan(maxmemoryGb * REDIS_HEADROOM + 1);
  },
);

it('gives a replica the memory that one was measured with, and as many as were found necessary', () => {
  const [, measuredMb] = /the replica has at most (\d+) MB/.exec(scaling) ?? [];
  const planned = SIZES.map(({ people, replicas }) => [people.toLocaleString('en'), replicas] as const);
  const needed = new Map(
    [...scaling.matchAll(/^([\d,]+) .* (\d+) \+ (\d+) /gm)].map(([, people, found, spare]) => [
      people,
      Number(found) + Number(spare),
    ]),
  );

  expect(Number(measuredMb)).toBeLessThan(REPLICA_MB);
  expect(planned.filter(([people, replicas]) => replicas < (needed.get(people) ?? 0))).toEqual([]);
  expect(needed.size).toBeGreaterThan(1);
});

it.each([
  ['AssistantBridgeRedisFills', FULL_FROM],
  ['AssistantBridgeSlackSendsTooMuch', EVENTS_PER_HOUR * FULL_FROM],
])('has its limit in the alert %s', (name, limit) => {
  const { rules } = parse(read('scripts/deploy/alert-rules.yaml')).groups[0];
  const { expr } = rules.find(({ alert }: { alert: string }) => alert === name);

  expect(expr).toMatch(new RegExp(`> ${limit}$`));
});

it('has the limit of the doctor', () => {
  expect(NEARLY_FULL).toBe(FULL_FROM);
});
