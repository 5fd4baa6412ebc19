import { beforeEach, describe, expect, it } from 'vitest';
import { describePause, openPause, PAUSE_FORMS } from '../../../src/governance/channel-rules/pause-form.ts';
import {
  describeChannel,
  openRules,
  parseRulesValue,
  RULES_FORM,
} from '../../../src/governance/channel-rules/rules-form.ts';
import { buildRulesMessage, sendRules } from '../../../src/governance/channel-rules/rules-message.ts';
import { describeEdit, readTargetNames } from '../../../src/governance/run/item-words.ts';
import { textsOf } from '../../../src/languages/texts.ts';
import { applyEdits, type Edit, previewEdits, setEdit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY } from '../../../src/policy/policy.ts';
import { buildNotice } from '../../../src/slack/views/notice-message.ts';
import { aPolicy, NOW } from '../policy-documents/policy-samples.ts';
import { aWorld, initialOf, KIM, REASON, textOf, type World } from '../world.ts';
import { ALL_OFF, toEntries } from './channel-entries.ts';

const HERE = { workspace: 'T1', channel: 'C1' };
const ALL = { workspace: 'T1', channel: '*' };
const SHOWN = { configured: {}, now: NOW };

let world: World;

beforeEach(() => {
  world = aWorld();
});

async function open(channel = 'C1') {
  await openRules(channel, world.opened, world.services);
  return world.shown.at(-1);
}

/** What was confirmed, in words. */
async function confirmed(): Promise<string[]> {
  const edits = world.confirmed.flatMap(({ proposal }) => proposal.plan.edits);
  const name = await readTargetNames(world.services);
  return edits.map((edit: Edit) => describeEdit(edit, name));
}

describe('the form of a channel', () => {
  it('begins with what is set, and says what is inherited and which level says so', async () => {
    await world.approve(setEdit('reply', HERE, 'all'), setEdit('personCap', HERE, 5), setEdit('channelCap', ALL, 100));
    await world.approve(setEdit('answers', ALL, 'private'));
    const view = await open();
    const text = textOf(view);

    expect([initialOf(view, 'reply'), initialOf(view, 'personCap')]).toEqual(['all', '5']);
    expect(initialOf(view, 'answers')).toBe('inherit');
    expect(text).toContain('Inherit: always private');
    expect(text).toContain('Inherited: set for the workspace.');
    expect(text).toContain('Empty: inherited, 100 a day.');
    expect(textOf(await open('*'))).toContain('Inherit: in the thread, unless the asker chose');
    expect(textOf(await open('*'))).toContain('Empty: inherited, no cap.');
  });

  it('makes edits of what was changed alone, in one step, and reads nothing of the service', async () => {
    await world.approve(setEdit('reply', HERE, 'all'), setEdit('personCap', HERE, 5));
    const fields = { reply: 'inherit', personCap: '1,000', channelCap: ' None ', webSearch: 'false', reason: REASON };
    const errors = await world.submit(RULES_FORM, await open(), fields);

    expect(errors).toEqual({});
    expect(await confirmed()).toEqual([
      '<#C1>: web search always off',
      '<#C1>: reply mode is inherited again',
      '<#C1>: questions of one person 1,000 a day',
      '<#C1>: questions in a channel no cap',
    ]);
    expect(world.service.calls).toEqual([]);
  });

  it('inherits again where an exception stands above something', async () => {
    await world.approve(setEdit('questions', HERE, 'refused'));
    await world.approve(setEdit('questions', HERE, 'allowed', '2026-12-31'));
    await world.submit(RULES_FORM, await open(), { questions: 'inherit', reason: REASON });

    const edits = world.confirmed.at(-1)?.proposal.plan.edits ?? [];
    const { policy } = await world.services.policy.read();
    expect(applyEdits(policy, edits, { by: 'U0KIM', reason: REASON, at: 1 }).entries).toEqual({});
  });

  it('takes what is set until a day for good, or until another day', async () => {
    await world.approve(setEdit('questions', HERE, 'allowed', '2026-12-31'));
    const view = await open();
    const submit = (until?: string) => world.submit(RULES_FORM, view, { ...(until && { until }), reason: REASON });

    expect(JSON.stringify(view)).toContain('"initial_date":"2026-12-31"');
    expect(await submit('2026-12-31')).toHaveProperty('questions');
    expect([await submit(), await submit('2027-01-31')]).toEqual([{}, {}]);
    expect(await confirmed()).toEqual(['<#C1>: questions allowed', '<#C1>: questions allowed until 31 Jan 2027']);
  });

  it('shows the plan first where somebody set another last day meanwhile', async () => {
    await world.approve(setEdit('questions', HERE, 'allowed', '2026-12-31'));
    const view = await open();
    await world.approve(setEdit('questions', HERE, 'allowed', '2027-01-31'));

    await world.submit(RULES_FORM, view, { reason: REASON });
    expect(textOf(world.shown.at(-1))).toContain('Somebody changed this since the window was opened');
  });

  it('shows the plan first where somebody else was faster, except with something else', async () => {
    const [view, other] = [await open(), await open('C2')];
    await world.approve(setEdit('webSearch', HERE, false));

    await world.submit(RULES_FORM, other, { questions: 'refused', reason: REASON });
    expect(world.confirmed).toHaveLength(1);
    await world.submit(RULES_FORM, view, { questions: 'refused', reason: REASON });
    expect(world.confirmed).toHaveLength(1);
    expect(textOf(world.shown.at(-1))).toContain('Somebody changed this since the window was opened');
  });

  it.each([
    ['a cap of -1', { personCap: '-1' }, 'personCap', 'cannot be negative'],
    ['a cap of .5', { personCap: '.5' }, 'personCap', 'without a fraction'],
    ['a cap of many', { channelCap: 'many' }, 'channelCap', 'Enter a whole number of questions, such as 20'],
    ['what is set already', {}, 'questions', 'there is nothing to change'],
  ])('does not take %s', async (_, fields, field, sentence) => {
    const errors = await world.submit(RULES_FORM, await open(), { ...fields, reason: REASON });

    expect(errors).toEqual({ [field]: expect.stringContaining(sentence) });
    expect(world.confirmed).toEqual([]);
  });

  it('takes no button of another kind', () => {
    expect(['everywhere', 'C0GENERAL', 'D0ANA'].map(parseRulesValue)).toEqual(['*', 'C0GENERAL', undefined]);
  });
});

describe('the list of channel rules', () => {
  it('says for each what set it', () => {
    const policy = aPolicy(...toEntries(HERE, { reply: 'all', personCap: 5 }), ...toEntries(ALL, { channelCap: 100 }));

    expect(describeChannel(policy, HERE, SHOWN)).toEqual(
      expect.arrayContaining([
        'Questions: *allowed* _(built in)_',
        'Reply mode: *to every message that begins a thread* _(its own entry)_',
        'Questions of one person: *5 a day* _(its own entry)_',
        'Questions in a channel: *100 a day* _(set for the workspace)_',
      ]),
    );
    expect(describeChannel(policy, ALL, SHOWN)).toContain(
      'Questions in a channel: *100 a day* _(set for the workspace)_',
    );
    expect(describeChannel(EMPTY_POLICY, ALL, SHOWN)).toHaveLength(7);
  });

  it('fits into one message whatever is set, and begins with where it was asked for', () => {
    const channels = Array.from({ length: 300 }, (_, index) => ({ ...HERE, channel: `C0000000${index}` }));
    const policy = aPolicy(...[ALL, ...channels].flatMap((target) => toEntries(target, ALL_OFF)));
    const { blocks } = buildRulesMessage(policy, 'T1', { ...SHOWN, here: 'C9', timeZone: 'UTC' });

    expect(blocks.length).toBeLessThanOrEqual(40);
    expect(JSON.stringify(blocks)).toContain('And 281 more channels');
    expect(JSON.stringify(blocks[2])).toContain('<#C9>');
  });
});

it('the list of channels has those of a file that names the workspace in lower case', () => {
  const policy = previewEdits(EMPTY_POLICY, [setEdit('reply', { workspace: 't1', channel: 'C7' }, 'all')]);
  const { blocks } = buildRulesMessage(policy, 'T1', { ...SHOWN, here: undefined, timeZone: 'UTC' });

  expect(JSON.stringify(blocks)).toContain('<#C7>');
});

describe('a pause', () => {
  const WORD = 'Back <soon> & *well*, see https://status.example';

  it('is an entry about the workspace of who sets it, with their word as they gave it', async () => {
    await openPause('pause', WORD, world.opened, world.services);
    await world.submit(PAUSE_FORMS.pause, world.shown.at(-1), { reason: REASON });

    const edits = world.confirmed.flatMap(({ proposal }) => proposal.plan.edits);
    expect(edits).toEqual([setEdit('pause', { workspace: KIM.workspace, channel: '*' }, { word: WORD })]);
    expect((await confirmed())[0]).toContain('*the workspace*: paused. Askers read: “Back &lt;soon&gt;');
  });

  it('ends whole: nothing is paused after that, also where one until a day had replaced another', async () => {
    await world.approve(
      setEdit('pause', ALL, { word: 'noon' }),
      setEdit('pause', ALL, { word: 'today' }, '2026-12-31'),
    );
    await openPause('resume', '', world.opened, world.services);
    await world.submit(PAUSE_FORMS.resume, world.shown.at(-1), { reason: REASON });

    const edits = world.confirmed.flatMap(({ proposal }) => proposal.plan.edits);
    expect(previewEdits((await world.services.policy.read()).policy, edits).entries).toEqual({});
  });

  it('names who set it, also where that was no person of Slack', () => {
    const by = (who: string) =>
      describePause({ value: { word: '' }, level: 'entry', why: { by: who, reason: 'moved', at: NOW } }, 'UTC');

    expect(by('U0KIM')).toMatch(/ by <@U0KIM>$/);
    expect(by('operator')).toMatch(/ by operator$/);
  });

  it('reaches who asks, without commands of Slack, in either language', () => {
    const notice = { kind: 'notice', code: 'paused', detail: WORD } as const;

    expect(buildNotice('1', notice, textsOf('en')).text).toContain('They say: Back &lt;soon&gt; &amp; *well*');
    expect(buildNotice('1', notice, textsOf('de')).text).toContain('Dazu heißt es: Back');
    expect(buildNotice('1', { ...notice, detail: '' }, textsOf('en')).text).not.toContain('They say');
  });
});

describe('the file of the rules', () => {
  it('has the last day of an exception', async () => {
    const files: string[] = [];
    const sendFile = async (_to: object, { content }: { content: string }) => void files.push(content);
    Object.assign(world.services, { sendFile });
    await world.approve(setEdit('answers', HERE, 'private', '2026-12-31'));

    await sendRules({ caller: KIM, say: async () => true }, world.services);

    expect(files[0]).toContain('\r\nC1,answers,private,exception,2026-12-31\r\n');
    expect(files[0]).toContain('\r\nC1,questions,allowed,built_in,\r\n');
  });
});
