import { describe, expect, it } from 'vitest';
import { parseAdminCommand } from '../../../../src/slack/listeners/admin/command-text.ts';

describe('the text of an admin command', () => {
  it.each([
    ['', '', ''],
    ['  LIMITS  ', 'limits', ''],
    ['limit Spec   Writer', 'limit', 'Spec Writer'],
    ['limit "Spec Writer"', 'limit', 'Spec Writer'],
    ['limit “Spec Writer”', 'limit', 'Spec Writer'],
    ['limit R&amp;D &lt;Bot&gt;', 'limit', 'R&D <Bot>'],
    ['limit a&amp;lt;b', 'limit', 'a&lt;b'],
    ['limit <http://acme.com|acme.com> bot', 'limit', 'acme.com bot'],
    ['limit <https://acme.com/x>', 'limit', 'https://acme.com/x'],
    ["limit Bob's", 'limit', "Bob's"],
    ['limit "', 'limit', '"'],
  ])('reads %j', (text, word, rest) => {
    expect(parseAdminCommand(text)).toEqual({ word, rest });
  });
});
