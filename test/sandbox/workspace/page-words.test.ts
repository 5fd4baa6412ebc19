import { describe, expect, it } from 'vitest';
import { completeTyped } from './page/completions.ts';
import { readPlace, toHash } from './page/place.ts';
import { toSent, toTyped } from './page/typed-text.ts';
import type { ShownConversation, Sight } from './sight.ts';

const NAMES = {
  U0BRIDGE: 'Assistant',
  U0ANA: 'Ana',
  U0AA: 'Ana Alvarez',
  C0GENERAL: 'general',
  D0ANA: 'directmessage',
};

describe('what people type', () => {
  it.each([
    ['@Assistant what is new?', '<@U0BRIDGE> what is new?'],
    ['ask @ana alvarez, then @Ana.', 'ask <@U0AA>, then <@U0ANA>.'],
    ['#general and @here', '<#C0GENERAL> and <!here>'],
    ['me@Anastasia and a@Ana', 'me@Anastasia and a@Ana'],
  ])('%s', (typed, sent) => {
    expect(toSent(typed, NAMES)).toBe(sent);
  });

  it('comes back as it was typed, to be edited', () => {
    const kept = '<@U0AA> see <#C0GENERAL|> &amp; <https://a.example/x|the plan>, 1 &lt; 2 <!here>';

    expect(toTyped(kept, NAMES)).toBe('@Ana Alvarez see #general & https://a.example/x, 1 < 2 @here');
  });
});

describe('completions', () => {
  const conversation = (id: string, name: string, members: string[]) =>
    ({ id, name, kind: 'public', members }) as ShownConversation;
  const sight = {
    names: NAMES,
    app: { id: 'U0BRIDGE', dm: 'D0ANA', prompts: [] },
    people: [{ id: 'U0ANA' }, { id: 'U0AA' }],
    conversations: [conversation('C0GENERAL', 'general', ['U0ANA', 'U0BRIDGE'])],
    commands: ['/assistant', '/assistant-admin'].map((name) => ({ name, description: 'Help', hint: 'help' })),
  } as unknown as Sight;
  const complete = (typed: string) => completeTyped(typed, typed.length, { sight, channel: 'C0GENERAL' });
  const words = (typed: string) => complete(typed)?.offered.map((one) => one.words);

  it('offer the app first, then members, then everybody else', () => {
    expect(words('@')).toEqual(['@Assistant', '@Ana', '@Ana Alvarez']);
    expect(complete('so @ana a')).toEqual({
      from: 3,
      offered: [{ words: '@Ana Alvarez', hint: 'not in this conversation' }],
    });
  });

  it('offer nothing longer where a command is whole, so that Enter sends it', () => {
    expect(words('/assistant')).toBeUndefined();
    expect(words('/assistant-')).toEqual(['/assistant-admin']);
  });

  it('offer commands only at the beginning, channels anywhere, and nothing within a word', () => {
    expect([words('/as'), words('see #g')]).toEqual([['/assistant', '/assistant-admin'], ['#general']]);
    expect([complete('or /as'), complete('ana@ana'), complete('plain')]).toEqual([undefined, undefined, undefined]);
  });
});

describe('a place', () => {
  it('is read from the address that it is written to', () => {
    const place = { person: 'U0KIM', channel: 'C0GENERAL', thread: '1700000000.000100' };

    expect(readPlace(toHash(place))).toEqual(place);
    expect(readPlace('')).toEqual({ person: 'U0ANA', channel: 'C0GENERAL' });
  });
});
