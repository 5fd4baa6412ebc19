import { setImmediate } from 'node:timers/promises';
import { useFakeTimers } from 'sinon';
import { beforeEach, describe, expect, it } from 'vitest';
import { readInWorker } from '../../../src/governance/policy-documents/import-document.ts';
import { offerImport } from '../../../src/governance/policy-documents/import-form.ts';
import { policyCommand, registerPolicy } from '../../../src/governance/policy-documents/policy-command.ts';
import { describeError } from '../../../src/governance/shell/admin-failure.ts';
import type { Entry } from '../../../src/policy/policy.ts';
import { toEntryKey } from '../../../src/policy/target.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { countTurns } from '../../count-turns.ts';
import { CURRENCY } from '../samples.ts';
import { aWorld, KIM, textOf, type World } from '../world.ts';
import { aPolicy, WHY } from './policy-samples.ts';

const LIMIT = { credits: 500, noticeAt: 80, stopAtLimit: true };

const AGENT = { environmentId: 'env-1', agentId: 'a1' };

const ENTRIES: Entry[] = [
  { setting: 'standard', target: { className: 'maker' }, standing: { value: { limit: LIMIT, credits: {} }, why: WHY } },
  { setting: 'class', target: { environmentId: 'env-1' }, standing: { value: 'maker', why: WHY } },
  {
    ...{ setting: 'credits', target: { environmentId: 'env-1', currency: CURRENCY } },
    standing: { value: { allocated: 5_000, rules: { Deny: true } }, why: WHY },
  },
  {
    ...{ setting: 'limit', target: { ...AGENT, currency: CURRENCY } },
    standing: { value: LIMIT, why: WHY },
    exception: {
      value: { ...LIMIT, credits: 800 },
      why: { ...WHY, by: 'U0ANA', approvedBy: 'U0LEA', reason: 'closing <!channel> *now*', at: WHY.at + 1 },
      until: '2026-12-31',
    },
  },
  { setting: 'personCap', target: { workspace: 'T1', channel: '*' }, standing: { value: 20, why: WHY } },
  { setting: 'reply', target: { workspace: 'T1', channel: 'C123' }, standing: { value: 'all', why: WHY } },
];

/** Exceptions of what stands above an agent, and above a channel. */
const INHERITED: Entry[] = [
  {
    ...{ setting: 'stop', target: { environmentId: 'env-1' } },
    exception: { value: true, why: WHY, until: '2027-01-31' },
  },
  {
    ...{ setting: 'personCap', target: { workspace: 'T1', channel: '*' }, standing: { value: 10, why: WHY } },
    exception: { value: 20, why: WHY, until: '2026-12-04' },
  },
];

let world: World;
let files: Map<string, string>;
let logged: unknown[];

beforeEach(async () => {
  world = aWorld();
  files = new Map();
  logged = [];
  Object.assign(world.services, {
    channels: { directMessage: async () => 'D1' },
    findInstallation: async () => ({ botToken: 'xoxb' }),
    call: async () => ({ messages: [] }),
    readFile: async ({ file }: { file: string }) => {
      const text = files.get(file);
      return text === undefined ? { refused: 'unreachable' } : { name: file, text };
    },
    audit: { append: async (entry: unknown) => void logged.push(entry) },
  });
  await world.remember();
});

const give = async (text: string, role?: 'auditor') =>
  textOf(await world.run(policyCommand(text, world.services), role));

async function fill(...entries: Entry[]): Promise<void> {
  await world.policy.replace(await world.policy.read(), aPolicy(...entries));
}

describe('policy', () => {
  it('says its revision, its classes with their standards, how much it says, and who changed it last', async () => {
    await fill(...ENTRIES);
    const said = await give('');

    expect(said).toContain('*Policy 42* · 6 entries · 1 about agents · 2 about channels · 1 exception');
    expect(said).toContain('*maker*, 1 environment: each agent: 500 credits · notice at 80 % · stops at the limit');
    expect(said).toContain(
      'Last changed by <@U0ANA> on 24 Nov 2026, approved by <@U0LEA>: “closing &lt;!channel&gt; ∗now∗”',
    );
  });
});

describe('policy effective', () => {
  beforeEach(() => fill(...ENTRIES, ...INHERITED));

  it.each<[string, string, RegExp[]]>([
    [
      'an agent, by part of its name',
      'travel',
      [
        /Class: \*maker\* _\(its own entry\)_ by <@U0KIM> on 24 Nov 2026: “closing of the year”/,
        /Monthly limit: \*800 credits .*\* _\(exception through 31 Dec 2026\)_ by <@U0ANA>.*approved by <@U0LEA>/,
        /Stop: \*stopped\* _\(set for its environment through 31 Jan 2027\)_/,
        /Owners: _not governed_/,
      ],
    ],
    [
      'an environment: its own entry, and the class for the rest',
      'env:contoso',
      [
        /Credits: \*5,000 credits · Deny when used up: on\* _\(its own entry\)_/,
        /Monthly limit: \*500.*_\(class maker\)_/,
      ],
    ],
    [
      'a channel: its own entry, an exception of its workspace, built in',
      'C123',
      [
        /<#C123> · policy 42/,
        /Reply mode: \*to every message that begins a thread\* _\(its own entry\)_/,
        /Questions of one person: \*20 a day\* _\(set for the workspace through 4 Dec 2026\)_/,
        /Questions in a channel: \*no cap\* _\(built in\)_/,
        /Web search: .*_\(built in\)_/,
        /Pause: \*none\* _\(built in\)_/,
      ],
    ],
  ])('names where each value comes from, of %s', async (_, typed, patterns) => {
    const said = await give(`effective ${typed}`);

    for (const pattern of patterns) expect(said).toMatch(pattern);
  });

  it('finds an agent whose name looks like the id of a channel', async () => {
    const agent = { ...world.service.agents[0], displayName: 'CRM' } as never;
    await world.services.known.rememberAgents({ rows: [agent], truncated: false });

    expect(await give('effective CRM')).toMatch(/Monthly limit: \*800 credits/);
  });

  it('asks which one is meant, and says what fits nothing', async () => {
    const twin = { ...world.service.agents[0], name: 'a2', agentResourceId: 'a2' } as never;
    await world.services.known.rememberAgents({ rows: [...world.service.agents, twin], truncated: false });

    expect(await give('effective travel')).toMatch(
      /2 fit “travel”[\s\S]*policy effective a1 env:env-1[\s\S]*policy effective a2 env:env-1/,
    );

    const other = { ...world.service.agents[0], environmentId: 'env-2' } as never;
    await world.services.known.rememberAgents({ rows: [...world.service.agents, other], truncated: false });
    expect(await give('effective travel')).toMatch(/policy effective a1 env:env-1[\s\S]*policy effective a1 env:env-2/);
    expect(await give('effective a1 env:env-1')).toMatch(/Monthly limit: \*800 credits/);
    expect(await give('effective a1 env:env-2')).toMatch(/Monthly limit: _not governed_/);
    expect(await give('effective <nobody>')).toContain('No agent or environment fits “&lt;nobody&gt;”');
    expect(await give('effective')).toContain('Say for what');
  });
});

describe('policy ending', () => {
  it('lists exceptions with what holds after them, and shows what ending one of them changes, as long as it holds', async () => {
    const key = toEntryKey('limit', { ...AGENT, currency: CURRENCY });
    expect(await give('ending')).toContain('No exception holds');
    await fill(...ENTRIES);
    const listed = await give('ending');
    const end = () => world.listen(registerPolicy).press('policy_end_exception', key);
    await end();
    await fill(...ENTRIES.filter(({ exception }) => exception === undefined));
    await end();

    expect(listed).toMatch(/1 exception.*Travel Planner.*800 credits.*31 Dec 2026.*then 500 credits.*End now/);
    expect(textOf(world.shown.at(-1))).toMatch(/limit 1,000 credits → 500 credits/);
    expect(world.problems).toEqual(['This exception has ended already.']);
  });
});

describe('policy import', () => {
  const submit = async (text: string | undefined) => {
    if (text !== undefined) files.set('F1', text);
    await give('import');
    const view = world.shown.at(-1);
    const chosen = text === undefined ? [] : [{ id: 'F1', name: 'policy.yaml' }];
    const answer = await world.listen(registerPolicy).submit('policy_import', {
      caller: KIM,
      view: { private_metadata: view?.private_metadata, state: { values: { file: { file: { files: chosen } } } } },
      openSession: world.opened.openSession,
      toPlace: () => ({ modal: world.opened.modal }),
    });
    return { answer, shown: textOf(world.shown.at(-1)) };
  };

  it('shows the plan of the difference, warns of what ends, and logs where it comes from', async () => {
    await fill(...ENTRIES);
    const limit = 'limit: { credits: 900, noticeAt: 80, stopAtLimit: on }';
    const { shown } = await submit(
      `schema: 2\nrevision: 40\nentries:\n  - { environment: env-1, agent: a1, currency: ${CURRENCY}, ${limit} }\n`,
    );

    expect(shown).toContain('*policy.yaml*');
    expect(shown).toContain('*5 entries* end: the file does not have them.');
    expect(shown).toContain('The file is 2 revisions old');
    expect(shown).toMatch(/limit 1,000 credits → 900 credits/);
    expect(logged).toMatchObject([{ what: 'policy_imported', who: { user: KIM.user }, policy: 42 }]);
  });

  it('keeps nothing else waiting while a file is read, short as it is', async () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `k${index}: 1\n`).join('');

    expect(await countTurns(submit(keys))).toBeGreaterThan(100);
  });

  it('is told, as no fault of the app, where the file takes too long, or waits too long for another', async () => {
    const clock = useFakeTimers({ toFake: ['performance'] });
    try {
      const long = readInWorker('#\n'.repeat(1_000_000), { limitMs: 0 }).catch(describeError);
      await setImmediate();
      const waiting = readInWorker('').catch(describeError);
      clock.tick(31_000);
      const told = { sentence: expect.stringContaining('could not be read in time'), isFault: false };

      expect(await Promise.all([long, waiting])).toEqual([told, told]);
    } finally {
      clock.restore();
    }
  });

  it('warns of a class that nothing defines, as one with a typing error', async () => {
    await fill(...ENTRIES);
    await give('export');
    const { shown } = await submit(world.files[0]?.content.replace('    class: maker', '    class: makr'));

    expect(shown).toContain('Class makr has no standard');
    expect(shown).not.toContain('Class maker has');
  });

  it('says so where there is nothing to do, and where the file cannot be read', async () => {
    await fill(...ENTRIES);
    await give('export');

    expect((await submit(world.files[0]?.content)).shown).toContain('The policy says all of this already');
    const foreign = '  - { workspace: T2, channel: C9, reply: all }\n';
    expect((await submit(`${world.files[0]?.content}${foreign}`)).shown).toContain('are left out');
    world.services.readFile = async () => ({ refused: 'scope' });
    expect((await submit('')).shown).toContain('may not be read by this app');
  });

  it('takes a file that was shared in the direct messages a moment ago', async () => {
    const files = [{ id: 'F7', name: 'our <policy>.yaml' }];
    const messages = [
      { ts: '1', user: 'U0ANA', files: [{ id: 'F8', name: 'x.yaml' }] },
      { ts: '2', user: KIM.user, files },
    ];
    world.services.call = (async () => ({ messages })) as never;
    await give('import');
    const view = world.shown.at(-1);

    expect(JSON.stringify(view)).toContain('I take *our &lt;policy&gt;.yaml*');
    expect(JSON.parse(view?.private_metadata ?? '')).toMatchObject({ shared: { id: 'F7' } });
  });

  it('takes the file that its message is about, however many were sent since', async () => {
    const toMessage = (id: string) => ({ ts: id, user: KIM.user, files: [{ id, name: `${id}.yaml` }] });
    const others = { ts: '0', user: 'U0ANA', files: [{ id: 'F5', name: 'F5.yaml' }] };
    world.services.call = (async () => ({ messages: [toMessage('F9'), toMessage('F7'), others] })) as never;
    const posted: Content[] = [];
    Object.assign(world.services, {
      ...{ rules: [{ kind: 'user', user: KIM.user }], auditors: [], lookups: {} },
      messenger: { post: async (_: unknown, content: Content) => void posted.push(content) },
    });
    files.set('F7', 'entries:');
    const question = { asker: KIM, workspace: KIM.workspace, channel: 'D1', threadTs: '1' } as never;
    await offerImport(question, { id: 'F7', name: 'F7.yaml' }, world.services);
    const value = /"value":"policy ([^"]+)"/.exec(JSON.stringify(posted))?.[1] ?? '';

    await give(value);
    expect(textOf(world.shown.at(-1))).toContain('I take *F7.yaml*');
    await give('import F5');
    expect(textOf(world.shown.at(-1))).not.toContain('I take');
  });

  it('says of a file that was sent alone why it cannot be read, rather than look for a question', async () => {
    const posted: Content[] = [];
    Object.assign(world.services, {
      ...{ rules: [{ kind: 'user', user: KIM.user }], auditors: [], lookups: {} },
      messenger: { post: async (_: unknown, content: Content) => void posted.push(content) },
      readFile: async () => ({ refused: 'unreachable' }),
    });
    const offer = (user: string, name: string) =>
      offerImport(
        { asker: { ...KIM, user }, workspace: KIM.workspace, channel: 'D1', threadTs: '1' } as never,
        { id: 'F7', name },
        world.services,
      );

    expect(
      await Promise.all([offer(KIM.user, 'F7.yaml'), offer('U0ANA', 'F7.yaml'), offer(KIM.user, 'x.txt')]),
    ).toEqual([true, false, false]);
    expect(posted.map(({ text }) => text)).toEqual([expect.stringContaining('could not be read from Slack')]);
  });
});
