import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd, startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { REDIS, requireProgram } from '@assistant-bridge/sandbox/system-programs.ts';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPLICA_FLAGS } from '../scripts/deploy/sizes.ts';
import { VARIABLES } from '../src/config-variables.ts';
import { inspectRedis } from '../src/storage/redis/inspect-redis.ts';
import { startAppProcess } from './app/app-process.ts';
import { startRedis } from './app/redis-server.ts';
import { startWorld, type World } from './app/world.ts';
import { fillAsImage, ofKind, ROOT, read, readCompose, readCopies, readStages, valuesOf } from './deployment/image.ts';

const stages = readStages();
const image = stages.at(-1) ?? [];
const compose = readCompose();
const [deployment, budget, service] = ['Deployment', 'PodDisruptionBudget', 'Service'].map(ofKind);

/** What a stop takes at most, in s: the notice to balancers, the end of intake, the drain. See app.ts. */
const STOP_SECONDS = 5 + 3 + Number(VARIABLES.DRAIN_SECONDS.default);

/** What an answer of /ready takes at most, in s, while the store pauses. See readiness.ts. */
const READY_SECONDS = 2;

async function run(command: string[], options: { cwd: string; env: Record<string, string> }) {
  const [program = '', ...args] = command;
  const { status } = await runToEnd(program === 'node' ? process.execPath : program, args, options);
  return status;
}

describe('the image', () => {
  let world: World;
  let folder: string;

  beforeAll(async () => {
    world = await startWorld();
    folder = mkdtempSync(join(tmpdir(), 'image-'));
    fillAsImage(folder);
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  it('copies what there is, and what .dockerignore lets through', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    const sources = stages.flatMap((stage) => readCopies(stage)).map(([source]) => source);

    expect(sources.filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
    expect(sources.filter((source) => !allowed.includes(`!${source}`))).toEqual([]);
  });

  it('has production packages and no test', () => {
    expect(stages.flatMap((stage) => valuesOf(stage, 'RUN')).join()).toContain('npm ci --omit=dev');
    expect(readdirSync(join(folder, 'node_modules'))).toContain('redis');
    expect(readdirSync(join(folder, 'node_modules'))).not.toContain('vitest');
    expect(readdirSync(folder).sort()).toEqual(['node_modules', 'package.json', 'scripts', 'src']);
  });

  it('runs Node itself, as somebody who is not root, and stops it with SIGTERM', () => {
    const [user = ''] = valuesOf(image, 'USER');

    expect(Number.parseInt(user, 10)).toBeGreaterThan(0);
    expect(JSON.parse(valuesOf(image, 'CMD')[0] ?? '')).toEqual(['node', ...REPLICA_FLAGS, 'src/main.ts']);
    expect(valuesOf(image, 'STOPSIGNAL')).toEqual(['SIGTERM']);
  });

  it('brings the compiled code along, which nobody can change who runs it', () => {
    const [folder] = valuesOf(image, 'WORKDIR');
    const [user = ''] = valuesOf(image, 'USER');
    const [uid, gid] = user.split(':');
    const [compile = ''] = valuesOf(image, 'RUN').filter((command) => command.includes('--compile'));

    expect(valuesOf(image, 'ENV').join()).toContain(`NODE_COMPILE_CACHE=${folder}/node_modules/.cache/compiled`);
    expect(compile).toContain(
      `setpriv --reuid=${uid} --regid=${gid} --clear-groups node ${REPLICA_FLAGS.join(' ')} src/main.ts --compile`,
    );
    expect(compile).toMatch(/chown -R root:root node_modules\/.cache .* chmod -R go\+rX node_modules\/.cache$/);
  });

  it('starts, is healthy, can be examined, audited and backed up, and stops, with nothing but what is in it', async () => {
    const main = join(folder, 'src/main.ts');
    const caching = { NODE_COMPILE_CACHE: join(folder, 'node_modules/.cache/compiled') };
    expect(await run(['node', ...REPLICA_FLAGS, main, '--compile'], { cwd: folder, env: caching })).toBe(0);
    const app = await startAppProcess({ ...world.environment, ...caching }, main);
    const healthCheck = JSON.parse(/\[.*\]/.exec(valuesOf(image, 'HEALTHCHECK')[0] ?? '')?.[0] ?? '');
    const readyCheck = compose.services['app-1'].healthcheck.test
      .slice(1)
      .map((word: string) => word.replace(':3000', `:${world.environment.PORT}`));

    const healthy = await run(healthCheck, { cwd: folder, env: world.environment });
    const ready = await run(readyCheck, { cwd: folder, env: world.environment });
    const doctor = await run(['node', 'scripts/doctor.ts'], { cwd: folder, env: world.environment });
    const audit = await run(['node', 'scripts/audit.ts', 'verify'], { cwd: folder, env: world.environment });
    const policy = await run(['node', 'scripts/policy.ts', 'export'], { cwd: folder, env: world.environment });
    const copy = join(world.folder, 'copy');
    const backup = await run(['node', 'scripts/backup.ts', copy], { cwd: folder, env: world.environment });
    const signIns = await run(['node', 'scripts/sign-everybody-out.ts', '--count'], {
      cwd: folder,
      env: world.environment,
    });
    await app.kill('SIGTERM');
    const afterwards = await run(healthCheck, { cwd: folder, env: world.environment });
    const unready = await run(readyCheck, { cwd: folder, env: world.environment });

    expect({ healthy, ready, doctor, audit, policy, backup, signIns }).toEqual({
      ...{ healthy: 0, ready: 0, doctor: 0, audit: 0, policy: 0, backup: 0, signIns: 0 },
    });
    expect(await app.ended).toBe(0);
    expect({ afterwards, unready }).toEqual({ afterwards: 1, unready: 1 });
  });
});

describe('compose.yaml', () => {
  const replicas = Object.keys(compose.services).filter((name) => name.startsWith('app-'));

  it('has two replicas that get time to stop, on one Redis', () => {
    expect(replicas).toHaveLength(2);
    for (const name of replicas) {
      const { stop_grace_period, environment, env_file, volumes } = compose.services[name];
      expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(STOP_SECONDS);
      // Its password is in .env, and Compose stops where it is missing.
      expect(environment.REDIS_URL).toMatch(/^\$\{REDIS_URL:\?/);
      expect(Object.keys(environment).filter((variable) => !(variable in VARIABLES))).toEqual([]);
      // Read by the app itself: Compose has other rules for quotes and $.
      expect(env_file).toBeUndefined();
      expect(volumes).toContain('./.env:/app/.env:ro');
    }
  });

  it('lets each replica be replaced while the other takes part', () => {
    const { 'app-1': first, 'app-2': second, caddy } = compose.services;

    expect([first, second].map(({ depends_on }) => Object.keys(depends_on))).toEqual([['redis'], ['redis']]);
    expect(caddy.depends_on).toBeUndefined();
  });

  it('runs a Redis on which nothing is lost, as the app itself judges', async () => {
    const { command, volumes } = compose.services.redis;
    const settings = Object.fromEntries(
      [...command.join(' ').matchAll(/--(\S+) (\S+)/g)].map(([, name, value]) => [name, value]),
    );
    const redis = await startRedis({
      appendonly: 'no',
      appendfsync: 'no',
      'maxmemory-policy': 'allkeys-lru',
      ...settings,
    });
    const client = createClient({ url: redis.url });
    await client.connect();

    const findings = await inspectRedis(client);

    await client.close();
    await redis.close();
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(volumes).toEqual(['redis:/data']);
  });

  it('asks for the password of Redis, and looks at its health with it', async () => {
    const { command, healthcheck, secrets } = compose.services.redis;
    const folder = mkdtempSync(join(tmpdir(), 'redis-secret-'));
    const secret = join(folder, 'redis.conf');
    writeFileSync(secret, 'requirepass hush-123\n');
    const port = String(await claimPort());
    const inPlace = (word: string) => word.replaceAll('/run/secrets/redis.conf', secret).replaceAll('$$', '$');
    const [, ...args] = command.map(inPlace);
    const redis = startChild(requireProgram(REDIS), [...args, '--port', port, '--dir', folder, '--maxmemory', '0']);
    const check = inPlace(healthcheck.test[1]).replace('redis-cli', `redis-cli -p ${port}`);
    const look = async () => (await runToEnd('/bin/sh', ['-c', check])).status;

    await expect.poll(look).toBe(0);
    const stranger = createClient({ url: `redis://127.0.0.1:${port}` });
    const refused = await stranger.connect().then(
      () => stranger.get('x').catch((error: Error) => error.message),
      (error: Error) => error.message,
    );
    stranger.destroy();
    writeFileSync(secret, 'requirepass another\n');
    const withAnother = await look();
    const ended = once(redis, 'exit');
    redis.kill('SIGKILL');
    await ended;

    expect(secrets).toEqual(['redis.conf']);
    expect(refused).toContain('NOAUTH');
    expect(withAnother).toBe(1);
    expect(await look()).toBe(1);
    rmSync(folder, { recursive: true });
  });

  it('balances between exactly these replicas, by /ready', () => {
    const caddyfile = read('scripts/deploy/Caddyfile');
    const { PORT } = compose.services['app-1'].environment;

    expect(caddyfile).toContain('reverse_proxy {$UPSTREAMS} {\n');
    expect(compose.services.caddy.environment.UPSTREAMS.split(' ')).toEqual(replicas.map((name) => `${name}:${PORT}`));
    expect(caddyfile).toMatch(/health_uri \/ready\n/);
    expect(compose.services.caddy.volumes[0]).toMatch(/^\.\/scripts\/deploy\/Caddyfile:/);
  });

  it('is patient enough for a store that pauses', () => {
    const [, balancerSeconds = ''] = /health_timeout (\d+)s\n/.exec(read('scripts/deploy/Caddyfile')) ?? [];
    const { timeout } = compose.services['app-1'].healthcheck;

    expect(Number(balancerSeconds)).toBeGreaterThan(READY_SECONDS);
    expect(Number.parseInt(timeout, 10)).toBeGreaterThan(READY_SECONDS);
  });
});

describe('kubernetes.yaml', () => {
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;

  it('gives two replicas time to stop, and never takes both at once', () => {
    expect(deployment.spec.replicas).toBe(2);
    expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    expect(budget.spec.minAvailable).toBe(1);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(STOP_SECONDS);
  });

  it('restarts by /health, and sends requests by /ready', () => {
    expect(container.livenessProbe.httpGet).toEqual({ path: '/health', port: 'http' });
    expect(container.startupProbe.httpGet).toEqual({ path: '/health', port: 'http' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/ready', port: 'http' });
    expect(container.readinessProbe.timeoutSeconds).toBeGreaterThan(READY_SECONDS);
  });

  it('finds its own pods, by their labels and ports', () => {
    const { labels } = deployment.spec.template.metadata;
    const ports = Object.fromEntries(
      container.ports.map(({ name, containerPort }: { name: string; containerPort: number }) => [name, containerPort]),
    );
    const env = Object.fromEntries(container.env.map(({ name, value }: Record<string, string>) => [name, value]));

    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(budget.spec.selector.matchLabels).toEqual(labels);
    expect(service.spec.selector).toEqual(labels);
    expect(service.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
    expect(env).toEqual({ PORT: String(ports.http), OPS_PORT: String(ports.metrics), HOST: '*', OPS_HOST: '*' });
  });

  it('gives the app its .env where it looks for it, readable by its group', () => {
    const [folder] = valuesOf(image, 'WORKDIR');
    const [mount] = container.volumeMounts;
    const [volume] = pod.volumes;

    expect(mount).toMatchObject({ name: volume.name, mountPath: `${folder}/.env`, subPath: '.env', readOnly: true });
    // Octal in YAML 1.1, which Kubernetes reads, is decimal in 1.2.
    expect(volume.secret).toEqual({ secretName: 'assistant-bridge', defaultMode: 440 });
    expect(pod.securityContext.fsGroup).toBe(pod.securityContext.runAsGroup);
    expect(container.envFrom).toBeUndefined();
  });

  it('runs as the user of the image', () => {
    expect(`${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`).toBe(valuesOf(image, 'USER')[0]);
  });
});
