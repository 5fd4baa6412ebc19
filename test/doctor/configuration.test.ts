import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSelfSignedCertificate } from '@assistant-bridge/sandbox/certificates.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookAtCertificate } from '../../src/doctor/look-at-certificate.ts';
import { lookAtRegister } from '../../src/doctor/look-at-register.ts';
import { aConfig } from '../a-config.ts';
import { startWorld, type World } from '../app/world.ts';
import { runDoctor, seeDoctor } from './see-doctor.ts';

const DAY_MS = 24 * 3_600_000;

let world: World;
let folder: string;

beforeAll(async () => {
  world = await startWorld();
  folder = mkdtempSync(join(tmpdir(), 'doctor-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

describe('the doctor and a configuration that can be read but not used', () => {
  it('ends with 1 and the sentence of the app where the client certificate is none', async () => {
    const { status, report } = await seeDoctor(world, { AUTH_CLIENT_SECRET: '', AUTH_CLIENT_CERTIFICATE: 'hello' });

    expect(report).toContain(
      '✗ AUTH_CLIENT_CERTIFICATE: there is no unencrypted private key in it. The app does not start with it.',
    );
    expect(status).toBe(1);
  });

  it('finds a register that can be read', async () => {
    const path = fileURLToPath(new URL('../../scripts/deploy/governance-register.yaml', import.meta.url));

    const { report } = await runDoctor(world, { GOVERNANCE_REGISTER: path });

    expect(report).toContain(`✓ The register at ${path} can be read.`);
  });

  it('ends with 1 where there is no register, and says where it was looked for', async () => {
    const path = join(folder, 'missing.yaml');

    const { status, report } = await seeDoctor(world, { GOVERNANCE_REGISTER: path });

    expect(report).toContain(`✗ The register at ${path} (GOVERNANCE_REGISTER) cannot be read (ENOENT)`);
    expect(status).toBe(1);
  });
});

describe('the doctor and a client certificate', () => {
  // It is good for a year from now.
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const raw = buildSelfSignedCertificate(privateKey, publicKey, 'bridge').toString('base64');
  const certificate = `-----BEGIN CERTIFICATE-----\n${raw.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

  it.each([
    ['key first', key + certificate],
    ['certificate first', certificate + key],
  ])('finds nothing wrong with one that is good for long: %s', (_, pem) => {
    expect(lookAtCertificate(pem, Date.now())).toMatchObject({
      level: 'ok',
      sentence: expect.stringMatching(/^AUTH_CLIENT_CERTIFICATE can be used, and is good until \d{4}-\d\d-\d\d\.$/),
    });
  });

  it.each([
    ['soon over', 340, /^AUTH_CLIENT_CERTIFICATE expires on \d{4}-\d\d-\d\d, in 2[45] days\. Make a new one/],
    ['over', 366, /^AUTH_CLIENT_CERTIFICATE expired on \d{4}-\d\d-\d\d: an identity provider may refuse it/],
    ['not good yet', -10, /^AUTH_CLIENT_CERTIFICATE is not valid before /],
  ])('warns of one that is %s', (_, days, sentence) => {
    expect(lookAtCertificate(key + certificate, Date.now() + days * DAY_MS)).toMatchObject({
      level: 'warning',
      sentence: expect.stringMatching(sentence),
    });
  });
});

const ADMIN = { ADMIN_API_BASE_URL: 'https://admin.example', ADMIN_SCOPE: 'api://admin/.default' };

describe('the doctor and the register', () => {
  it('says nothing where none is named, and warns of one that is never read', async () => {
    expect(await lookAtRegister(aConfig(ADMIN))).toEqual([]);
    expect(await lookAtRegister(aConfig({ GOVERNANCE_REGISTER: 'register.yaml' }))).toMatchObject([
      { level: 'warning', sentence: expect.stringContaining('never read without ADMIN_API_BASE_URL') },
    ]);
  });

  it('shows the mistakes in it, line by line', async () => {
    const path = join(folder, 'wrong.yaml');
    writeFileSync(path, 'schema: 1\nenvironmets: []\n');

    const [finding] = await lookAtRegister(aConfig({ ...ADMIN, GOVERNANCE_REGISTER: path }));

    expect(finding?.level).toBe('error');
    expect(finding?.sentence).toMatch(/ has \d mistakes?, so nothing can be reviewed:$/);
    expect(finding?.details).toContainEqual(expect.stringMatching(/^line 2: /));
  });

  it('finds nothing wrong with one that can be read', async () => {
    const path = join(folder, 'right.yaml');
    writeFileSync(path, 'schema: 1\nenvironments: []\n');

    expect(await lookAtRegister(aConfig({ ...ADMIN, GOVERNANCE_REGISTER: path }))).toMatchObject([{ level: 'ok' }]);
  });
});
