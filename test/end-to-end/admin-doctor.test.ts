import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDoctor, giveAdminCommand } from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';

const RIGHT = 'schema: 1\nenvironments: []\n';

describe('/assistant-admin doctor', () => {
  const register = join(tmpdir(), `register-${process.pid}.yaml`);
  let world: AdminWorld;

  beforeAll(async () => {
    writeFileSync(register, RIGHT);
    world = await startAdminWorld({}, { SLACK_BUDGETS: 'documented', GOVERNANCE_REGISTER: register });
    await world.slack.verifyUrl();
    await world.slack.as('U0ANA').say(world.slack.as('U0ANA').dm, 'hello');
  });
  afterAll(async () => {
    await world.stop();
    rmSync(register);
  });

  it('says in short that all is well, and what was looked at', async () => {
    const text = await askDoctor(world, KIM);

    expect(text).toContain('*Doctor*: All is well.');
    expect(text).toMatch(
      /In order: Configuration \(3 checks\), This machine \(2 checks\), App \(2 checks\), Store \(3 checks\), .*Sign-in/,
    );
    expect(text).not.toMatch(/:x:|:warning:/);
  });

  it('needs no sign-in to the administrative interface, and asks nobody there anything with a token', async () => {
    world.admin.ledger.clear();

    await askDoctor(world, KIM);

    expect(world.admin.ledger.requests.filter(({ status }) => status !== 401)).toEqual([]);
  });

  it('tells in full only what does not work, with what to do', async () => {
    writeFileSync(register, 'schema: 1\nenvironmets: []\n');

    const text = await askDoctor(world, KIM);
    writeFileSync(register, RIGHT);

    expect(text).toMatch(
      /^\*Doctor\*: 1 error, 0 warnings\.\n\*Configuration\*\n:x: The register at .* has \d mistakes?, so nothing can be reviewed \(\d more lines? with `npm run doctor`\)\.\nIn order: Configuration \(2 checks\), /,
    );
    expect(text).not.toContain('It can be reached at');
  });

  it('shows no secret', async () => {
    const text = await askDoctor(world, KIM);
    const secrets = Object.entries(world.environment).filter(([name]) => /TOKEN|SECRET|KEYS/.test(name));

    expect(secrets.length).toBeGreaterThan(2);
    expect(secrets.filter(([, secret]) => secret && text.includes(secret))).toEqual([]);
  });

  it('is for administrators alone', async () => {
    const refused = world.slack.render(await giveAdminCommand(world, 'U0ANA', 'doctor'));

    expect(refused).toContain('Only administrators of this app may use');
    expect(refused).not.toContain('*Doctor*');
  });
});
