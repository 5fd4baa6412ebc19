import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { passSignInPages } from '../sandbox/sign-in.ts';
import { ANA_TICKET, type LinkWorld, startLinkWorld } from './link-world.ts';

let world: LinkWorld;
const { person: ANA } = ANA_TICKET;

beforeAll(async () => {
  world = await startLinkWorld({ variant: 'code' });
});

afterAll(() => world.close());

afterEach(async () => {
  world.clock.skewMs = 0;
  await world.flow.unlink(ANA);
});

/** Signs in at the identity provider in the browser; gives the page with the code, and the code. */
async function reachCode() {
  const browser = await world.openBrowser('U0BEN', 'ana');
  await browser.open(await world.flow.issueTicket(ANA_TICKET));
  const page = await passSignInPages(browser, { channelAnswers: 'private' });
  return { page, code: /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/.exec(page.text)?.[0] ?? '' };
}

describe('the variant without Sign in with Slack', () => {
  it('says that it is one', () => {
    expect(world.flow.variant).toBe('code');
  });

  it('is used where the address of the app is neither https nor loopback', async () => {
    const other = await startLinkWorld({ publicUrl: 'http://bridge.example' });

    expect(other.flow.variant).toBe('code');
    await other.close();
  });

  it('links nothing in the browser, and shows a code with a warning', async () => {
    const { page, code } = await reachCode();

    expect(code).toMatch(/^[2-9A-HJKMNP-TW-Z]{4}-[2-9A-HJKMNP-TW-Z]{4}$/);
    expect(page.text).toContain('Enter it only if you started this in Slack yourself, as @ana (Acme).');
    expect(world.rows('links')).toEqual([]);
    expect(world.linked).toEqual([]);
  });

  it('links when the person types the code into Slack, in whatever spelling', async () => {
    const { code } = await reachCode();

    const link = await world.flow.confirmCode(ANA, 'assistant', ` ${code.toLowerCase().replace('-', ' ')} `);

    expect(link).toMatchObject({
      user: 'U0ANA',
      accountName: 'Ana Alvarez (ana@example.com)',
      account: `${world.provider.issuer}|oid|${world.provider.people.get('ana')?.oid}`,
      channelAnswers: 'private',
    });
    expect(world.rows('links')).toHaveLength(1);
    expect(world.linked).toMatchObject([{ link: { user: 'U0ANA' } }]);
  });

  it('keeps tokens and code sealed while they wait', async () => {
    const { code } = await reachCode();

    const stored = JSON.stringify(world.rows('once'));

    expect(stored).toContain('v1.k1.');
    expect(stored).not.toContain(code.replace('-', ''));
    expect(stored).not.toContain('accessToken');
  });

  it('accepts the code from nobody else, for nothing else, and once', async () => {
    const { code } = await reachCode();
    const unknown = { code: 'link_code_unknown', triesLeft: 0 };

    await expect(world.flow.confirmCode({ ...ANA, user: 'U0BEN' }, 'assistant', code)).rejects.toMatchObject(unknown);
    await expect(world.flow.confirmCode({ ...ANA, team: 'T2' }, 'assistant', code)).rejects.toMatchObject(unknown);
    await expect(world.flow.confirmCode(ANA, 'admin', code)).rejects.toMatchObject(unknown);
    await world.flow.confirmCode(ANA, 'assistant', code);
    await expect(world.flow.confirmCode(ANA, 'assistant', code)).rejects.toMatchObject(unknown);
  });

  it('gives five tries, counts them down, and then forgets the tokens', async () => {
    const { code } = await reachCode();
    const left: number[] = [];

    for (let attempt = 0; attempt < 5; attempt += 1) {
      await world.flow.confirmCode(ANA, 'assistant', 'WRONG-234').catch((error) => left.push(error.triesLeft));
    }

    expect(left).toEqual([4, 3, 2, 1, 0]);
    await expect(world.flow.confirmCode(ANA, 'assistant', code)).rejects.toMatchObject({ code: 'link_code_unknown' });
    expect(world.rows('links')).toEqual([]);
  });

  it('accepts the right code after wrong ones', async () => {
    const { code } = await reachCode();

    await expect(world.flow.confirmCode(ANA, 'assistant', '')).rejects.toMatchObject({
      code: 'link_code_wrong',
      triesLeft: 4,
    });
    expect(await world.flow.confirmCode(ANA, 'assistant', code)).toMatchObject({ user: 'U0ANA' });
  });

  it('forgets the code after five minutes, wrong tries or not', async () => {
    const { code } = await reachCode();
    await world.flow.confirmCode(ANA, 'assistant', 'WRONG').catch(() => undefined);
    world.clock.skewMs = 5 * 60_000 + 1;

    await expect(world.flow.confirmCode(ANA, 'assistant', code)).rejects.toMatchObject({ code: 'link_code_unknown' });
  });

  it('forgets the code at sign-out', async () => {
    const { code } = await reachCode();
    await world.flow.unlink(ANA);

    await expect(world.flow.confirmCode(ANA, 'assistant', code)).rejects.toMatchObject({ code: 'link_code_unknown' });
  });

  it('has no use for a callback of Slack', async () => {
    const answer = await fetch(`${world.publicUrl}/link/slack/callback?code=x&state=${'A'.repeat(43)}`);

    expect(answer.status).toBe(410);
  });
});
