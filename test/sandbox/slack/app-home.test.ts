import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestSlack, type TestSlack } from './open-test-app.ts';
import type { Json } from './records.ts';

let slack: TestSlack;

beforeAll(async () => {
  slack = await openTestSlack();
});
afterAll(() => slack.close());

const VIEW = { type: 'home', blocks: [{ type: 'divider' }] };

describe('the home tab', () => {
  it('is told to the app with what the person sees, once something was published', async () => {
    const opened = () => slack.ledger.deliveries().at(-1)?.payload as { event: Json };
    await slack.as('U0ANA').opensHome();
    const first = opened().event;
    const { view } = (await slack.call('views.publish', { user_id: 'U0ANA', view: VIEW })) as { view: Json };
    await slack.as('U0ANA').opensHome();
    const second = opened().event;
    await slack.as('U0ANA').opensMessages();

    expect(first).toMatchObject({ type: 'app_home_opened', tab: 'home', user: 'U0ANA' });
    expect(first).not.toHaveProperty('view');
    expect(second).toMatchObject({ view: { type: 'home', id: view.id, hash: view.hash } });
    expect(opened().event).toMatchObject({ tab: 'messages', channel: slack.as('U0ANA').dm });
    expect(opened().event).not.toHaveProperty('view');
  });

  it('is not replaced by who has seen an older one, nor where it is not enabled', async () => {
    const publish = (args: Json) => slack.call('views.publish', { user_id: 'U0BEN', view: VIEW, ...args });
    const { view } = (await publish({})) as { view: Json };

    expect(await publish({ hash: view.hash })).toMatchObject({ ok: true });
    expect(await publish({ hash: view.hash })).toMatchObject({ ok: false, error: 'hash_conflict' });
    slack.registration.hasHomeTab = false;
    expect(await publish({})).toMatchObject({ ok: false, error: 'not_enabled' });
    slack.registration.hasHomeTab = true;
  });
});

describe('the title of a session', () => {
  it('is changed by people, which the app is told, and by no status', async () => {
    const { ts } = await slack.as('U0ANA').say('C0GENERAL', 'a question');
    const place = { channel: 'C0GENERAL', threadTs: ts };
    const status = (title: string) =>
      slack.call('agents.sessions.setStatus', { channel_id: 'C0GENERAL', thread_ts: ts, status: 'active', title });
    await expect(slack.as('U0ANA').renameSession(place, 'none yet')).rejects.toThrow('There is no session');
    await status('first');

    await slack.as('U0ANA').renameSession(place, 'given');
    await status('second');

    expect(slack.workspace.sessions.session(place)?.title).toBe('given');
    expect(slack.ledger.deliveries().at(-1)?.payload).toMatchObject({
      event: { type: 'agent_session_title_changed', title: 'given', previous_title: 'first', thread_ts: ts },
    });
  });
});
