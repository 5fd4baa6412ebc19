import { describe, expect, it } from 'vitest';
import type { Rules, WorkspaceRules } from '../../../src/conversation/channel-rules.ts';
import { buildPauseModal, parsePauseState } from '../../../src/governance/channel-rules/pause-form.ts';
import { describeRuleChanges, describeSettings, RULE_WORDS } from '../../../src/governance/channel-rules/rule-words.ts';
import { buildRulesModal, parseRulesState, parseRulesValue } from '../../../src/governance/channel-rules/rules-form.ts';
import { buildRulesMessage } from '../../../src/governance/channel-rules/rules-message.ts';
import { EMPTY_POLICY } from '../../../src/governance/policy/policy.ts';
import { textsOf } from '../../../src/languages/texts.ts';
import { buildNotice } from '../../../src/slack/views/notice-message.ts';
import { aRecord } from '../../storage/rule-store-contract.ts';

const SETTINGS = { policy: EMPTY_POLICY, team: 'T1', now: 0 };

const FULL: Rules = { questions: 'refused', answers: 'private', webSearch: 'off', threadContext: 'off' };

function stored(channels: Record<string, Rules>, everywhere: Rules = {}): WorkspaceRules {
  return { ...aRecord({ channels, everywhere }), version: 1 };
}

describe('the form of channel rules', () => {
  const form = (channel: string | undefined, configured: Rules = {}) =>
    buildRulesModal({
      channel,
      stored: stored({ C123: { answers: 'thread' } }, FULL),
      configured,
      settings: SETTINGS,
      replyTo: 'C9',
    });

  it('offers to inherit each, with what that means and which level says so', () => {
    const text = JSON.stringify(form('C123').blocks);

    expect(text).toContain('Inherit: Always private');
    expect(text).toContain('Inherited: what is set for the workspace.');
    expect(JSON.stringify(form(undefined).blocks)).toContain('Inherit: In the thread, unless the asker chose');
  });

  it('says what the configuration proposes, which people may choose otherwise', () => {
    const text = JSON.stringify(form(undefined, { answers: 'private' }).blocks);

    expect(text).toContain('Inherit: Private, unless the asker chose the thread');
    expect(text).toContain('Inherited: what is set in the configuration.');
  });

  it('keeps every text within the limits of radio buttons', () => {
    const texts = Object.values(RULE_WORDS).flatMap(({ values }) => Object.values(values));

    expect(texts.filter((text) => text.length > 75)).toEqual([]);
    for (const text of texts) expect(`Inherit: ${text}`.length).toBeLessThanOrEqual(75);
  });

  it('carries what was shown', () => {
    const state = parseRulesState(form('C123').private_metadata ?? '');

    expect(state).toMatchObject({ channel: 'C123', before: { answers: 'thread' }, replyTo: 'C9' });
  });

  it('takes no button of another kind', () => {
    expect(parseRulesValue('everywhere')).toEqual({ channel: undefined });
    expect(parseRulesValue('C0GENERAL')).toEqual({ channel: 'C0GENERAL' });
    expect(parseRulesValue('D0ANA')).toBeUndefined();
  });
});

describe('rules in words', () => {
  it('say what changed', () => {
    expect(describeRuleChanges({ webSearch: 'off' }, { answers: 'private' })).toEqual([
      'Answers: inherited → *Always private*',
      'Web search: Always off → *inherited*',
    ]);
  });

  it('are read from the audit log, also values of a later release', () => {
    const before = { channel: 'C123', rules: {} };

    expect(describeSettings(before, { channel: 'C123', rules: { webSearch: 'some*times' } })).toBe(
      'C123 · Web search: inherited → some*times',
    );
    expect(describeSettings({ paused: 'no' }, { paused: 'yes', word: 'back soon' })).toBe(
      'word to askers: “back soon”',
    );
    expect(describeSettings(undefined, { limit: 5 })).toBeUndefined();
  });
});

describe('the list of channel rules', () => {
  it('fits into one message whatever is set', () => {
    const channels = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`C0000000${index}`, FULL]));
    const { blocks } = buildRulesMessage({
      ...{ stored: stored(channels, FULL), configured: {}, settings: SETTINGS, here: 'C9', timeZone: 'UTC' },
    });

    expect(blocks.length).toBeLessThanOrEqual(40);
    expect(JSON.stringify(blocks)).toContain('And 281 more channels');
    expect(JSON.stringify(blocks[2])).toContain('<#C9>');
  });
});

describe('the word of a pause', () => {
  const WORD = 'Back <soon> & *well*, see https://status.example';

  it('is kept by the window as it was given', () => {
    const pause = { word: WORD, by: 'U0KIM', at: 5 };
    const view = buildPauseModal({ pause, word: '', timeZone: 'UTC', replyTo: '' });

    expect(parsePauseState(view.private_metadata ?? '')?.before).toEqual(pause);
    expect(JSON.stringify(view.blocks)).toContain('"initial_value":"Back <soon>');
  });

  it('reaches who asks, without commands of Slack, in either language', () => {
    const notice = { kind: 'notice', code: 'paused', detail: WORD } as const;

    expect(buildNotice('1', notice, textsOf('en')).text).toContain('They say: Back &lt;soon&gt; &amp; *well*');
    expect(buildNotice('1', notice, textsOf('de')).text).toContain('Dazu heißt es: Back');
    expect(buildNotice('1', { ...notice, detail: '' }, textsOf('en')).text).not.toContain('They say');
  });
});
