// One table of sizes: what the files ship, what the documentation says, and what was measured do not contradict it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import {
  COMPOSE_PEOPLE,
  FULL_FROM,
  REDIS_HEADROOM,
  REPLICA_MB,
  renderSizes,
  SIZES,
} from '../../scripts/deploy/sizes.ts';
import { ROOT } from './image.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const scaling = read('docs/scaling.md');
const compose = parse(read('compose.yaml'), { merge: true });
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
  const [deployment] = parseAllDocuments(read('scripts/deploy/kubernetes.yaml')).map((one) => one.toJS());
  const replicas = Object.keys(compose.services).filter((name) => name.startsWith('app-'));

  expect(deployment.spec.replicas).toBe(size?.replicas);
  expect(deployment.spec.template.spec.containers[0].resources.limits.memory).toBe(`${REPLICA_MB}Mi`);
  expect(replicas).toHaveLength(size?.replicas ?? 0);
  expect(compose.services['app-1'].mem_limit).toBe(`${REPLICA_MB}m`);
  expect(read('scripts/deploy/assistant-bridge.service')).toContain(`\nMemoryMax=${REPLICA_MB}M\n`);
  expect(read('docs/security.md')).toContain(
    `| memory of a replica | ${REPLICA_MB} MB | ${REPLICA_MB} MB | ${REPLICA_MB} MB |`,
  );
});

it.each(SIZES)(
  'leaves room for what was measured with $people people',
  ({ people, redisGb, maxmemoryGb, diskGb, machine }) => {
    const [measured] = [...scaling.matchAll(/^([\d,]+), one time zone.* ([\d.]+) GB /gm)]
      .filter(([, count = '']) => Number(count.replaceAll(',', '')) === people)
      .map(([, , gb]) => Number(gb));
    const [, memory] = /(\d+) GB/.exec(machine) ?? [];

    // The bench measures no thousand: a tenth of ten thousand.
    expect(redisGb).toBeCloseTo(measured ?? 0.5, 1);
    expect(redisGb).toBeLessThanOrEqual(maxmemoryGb * FULL_FROM);
    expect(diskGb).toBeGreaterThanOrEqual(maxmemoryGb * 4);
    expect(Number(memory)).toBeGreaterThan(maxmemoryGb * REDIS_HEADROOM + 1);
  },
);

it('has its limit in the alert', () => {
  const { rules } = parse(read('scripts/deploy/alert-rules.yaml')).groups[0];
  const { expr } = rules.find(({ alert }: { alert: string }) => alert === 'AssistantBridgeRedisFills');

  expect(expr).toMatch(new RegExp(`> ${FULL_FROM}$`));
});
