// What a security review asks of the files to deploy with. Docker, Kubernetes and systemd are not needed for it.
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../../src/config-variables.ts';
import { ofKind, read, readCompose, readStages, valuesOf } from './image.ts';

const image = readStages().at(-1) ?? [];

type Service = {
  image?: string;
  build?: string;
  user?: string;
  read_only: boolean;
  cap_drop: string[];
  cap_add?: string[];
  security_opt: string[];
  mem_limit: string;
  pids_limit: number;
  networks: string[];
  ports?: string[];
  volumes?: string[];
  environment: Record<string, string>;
  stop_grace_period: string;
};

type Compose = {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: object;
};

const composes = ['compose.yaml', 'compose.sqlite.yaml'].map((file) => ({
  file,
  compose: readCompose(file) as Compose,
}));

/** A version of three numbers, or of three numbers and what they are built on; a digest may follow. */
const EXACT = /:v?\d+\.\d+\.\d+(-[a-z]+)?(@sha256:[0-9a-f]{64})?$/;

describe.each(composes)('$file', ({ compose: { services, networks, volumes } }) => {
  const all = Object.entries(services);

  it.each(all)('gives %s a file system that it cannot change, no capabilities to gain, and bounds', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: expect.any(Number),
    });
  });

  it('runs all but the balancer as somebody who is not root, and adds one capability to that one', () => {
    const [user] = valuesOf(image, 'USER');
    const added = all.filter(([, { cap_add }]) => cap_add);

    expect(all.filter(([, one]) => one.build).map(([, one]) => one.user)).toEqual(
      all.filter(([, one]) => one.build).map(() => user),
    );
    expect(all.filter(([, one]) => !one.user).map(([name]) => name)).toEqual(['caddy']);
    expect(added.map(([name, { cap_add }]) => [name, cap_add])).toEqual([['caddy', ['NET_BIND_SERVICE']]]);
  });

  it('names exact versions of the images of others', () => {
    const images = all.flatMap(([, one]) => one.image ?? []);

    expect(images.length).toBeGreaterThan(0);
    expect(images.filter((name) => !EXACT.test(name))).toEqual([]);
  });

  it('has every network and volume that it uses, and opens ports of the balancer alone', () => {
    const usedVolumes = all.flatMap(([, one]) => one.volumes ?? []).filter((volume) => !volume.startsWith('.'));

    expect(new Set(all.flatMap(([, one]) => one.networks))).toEqual(new Set(Object.keys(networks)));
    expect(usedVolumes.map((volume) => volume.split(':')[0]).toSorted()).toEqual(Object.keys(volumes).toSorted());
    const open = all.filter(([, one]) => one.ports?.some((port) => !port.startsWith('127.0.0.1:')));
    expect(open.map(([name]) => name)).toEqual(['caddy']);
  });

  it('puts Redis into a network without a way out, which the balancer is not in', () => {
    const inner = Object.keys(networks).filter((name) => networks[name]?.internal);
    const members = all.filter(([, one]) => one.networks.some((name) => inner.includes(name))).map(([name]) => name);

    expect(members.toSorted()).toEqual('redis' in services ? ['app-1', 'app-2', 'redis'] : []);
    expect(services.redis?.networks ?? inner).toEqual(inner);
  });
});

describe('compose.sqlite.yaml', () => {
  it('is one process with a file on a volume, also where .env names a Redis', () => {
    const { app, ...others } = composes[1]?.compose.services ?? {};

    expect(Object.keys(others)).toEqual(['caddy']);
    expect(app?.environment).toMatchObject({
      REDIS_URL: '',
      SQLITE_PATH: valuesOf(image, 'ENV')
        .join()
        .match(/\/data\/\S+/)?.[0],
    });
    expect(app?.volumes).toEqual(['./.env:/app/.env:ro', 'data:/data']);
    expect(others.caddy?.environment.UPSTREAMS).toBe(`app:${app?.environment.PORT}`);
    expect(Number.parseInt(app?.stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(
      Number(VARIABLES.DRAIN_SECONDS.default) + 10,
    );
  });
});

describe('the image', () => {
  it('builds on one exact version of Node, the one that the tests run on', () => {
    const bases = readStages().map((stage) => stage[0]?.value.split(' ')[0]);
    const { packages } = JSON.parse(read('package-lock.json'));

    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toContain(`node:${packages['node_modules/node'].version}-slim`);
  });
});

describe('kubernetes.yaml', () => {
  const monitor = parse(read('scripts/deploy/kubernetes-podmonitor.yaml'));
  const { metadata, spec } = ofKind('Deployment').spec.template;
  const [container] = spec.containers;
  const policy = ofKind('NetworkPolicy').spec;

  it('keeps to what Kubernetes calls restricted', () => {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(container.resources.limits.memory).toBe('512Mi');
    expect(container.image).toMatch(EXACT);
  });

  it('lets the Ingress reach the app, and monitoring alone the metrics', () => {
    const namespaces = policy.ingress.map(({ from, ports }: { from: Rule[]; ports: { port: string }[] }) => [
      ports.map(({ port }) => port).join(),
      from.map((one) => one.namespaceSelector.matchLabels['kubernetes.io/metadata.name']).join(),
    ]);

    expect(policy.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(policy.podSelector.matchLabels).toEqual(metadata.labels);
    expect(namespaces).toEqual([
      ['http', 'ingress-nginx'],
      ['metrics', 'monitoring'],
    ]);
  });

  it('lets the app out to names, Redis and TLS alone, and nowhere private', () => {
    const ports = policy.egress.flatMap((rule: { ports: { port: number }[] }) => rule.ports.map(({ port }) => port));

    expect(ports).toEqual([53, 53, 6379, 443]);
    expect(policy.egress.every(({ to }: { to?: object[] }) => (to?.length ?? 0) > 0)).toBe(true);
    expect(policy.egress.at(-1).to[0].ipBlock.except).toEqual([
      '10.0.0.0/8',
      '100.64.0.0/10',
      '127.0.0.0/8',
      '169.254.0.0/16',
      '172.16.0.0/12',
      '192.168.0.0/16',
    ]);
  });

  it('sends only what Slack, browsers and the doctor ask for to the Service', () => {
    const { rules, tls } = ofKind('Ingress').spec;
    const [{ host, http }] = rules;
    const backend = { service: { name: ofKind('Service').metadata.name, port: { name: 'http' } } };

    expect(tls[0].hosts).toEqual([host]);
    expect(http.paths).toEqual([
      { path: '/health', pathType: 'Exact', backend },
      { path: '/slack/', pathType: 'Prefix', backend },
      { path: '/link/', pathType: 'Prefix', backend },
    ]);
  });

  it('has its metrics read from each pod', () => {
    const names = container.ports.map(({ name }: { name: string }) => name);

    expect(monitor.spec.selector.matchLabels).toEqual(metadata.labels);
    expect(names).toContain(monitor.spec.podMetricsEndpoints[0].port);
    // They would be read twice, under a job that all pods share.
    expect(metadata.annotations).toBeUndefined();
  });
});

type Rule = { namespaceSelector: { matchLabels: Record<string, string> } };

describe('assistant-bridge.service', () => {
  const lines = read('scripts/deploy/assistant-bridge.service')
    .split('\n')
    .filter((line) => /^\w+=/.test(line));
  const valuesFor = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));

  it('gives the app time to stop, and starts it again', () => {
    expect(Number(valuesFor('TimeoutStopSec')[0])).toBeGreaterThanOrEqual(Number(VARIABLES.DRAIN_SECONDS.default) + 10);
    expect(valuesFor('Restart')).toEqual(['always']);
  });

  it('keeps its data where it may write, and lets nobody else read it', () => {
    const [folder] = valuesFor('StateDirectory');

    expect(valuesFor('Environment')).toContain(`SQLITE_PATH=/var/lib/${folder}/bridge.db`);
    expect(valuesFor('StateDirectoryMode')).toEqual(['0700']);
    expect(valuesFor('UMask')).toEqual(['0077']);
  });

  it.each([
    ['User', 'assistant-bridge'],
    ['NoNewPrivileges', 'yes'],
    ['CapabilityBoundingSet', ''],
    ['ProtectSystem', 'strict'],
    ['ProtectHome', 'yes'],
    ['PrivateTmp', 'yes'],
    ['PrivateDevices', 'yes'],
    ['RestrictNamespaces', 'yes'],
    ['SystemCallArchitectures', 'native'],
    ['MemoryMax', '512M'],
  ])('is bounded: %s', (name, value) => {
    expect(valuesFor(name)).toEqual([value]);
  });

  it('forbids no memory that Node compiles into', () => {
    expect(valuesFor('MemoryDenyWriteExecute')).toEqual([]);
  });
});
