import { describe, expect, it } from 'vitest';
import { parseAdminCommand } from '../../../src/governance/lists/admin-command.ts';

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
    ["limit 'Spec Writer'", 'limit', 'Spec Writer'],
    ['limit ‘Spec Writer’', 'limit', 'Spec Writer'],
    ['limit `Spec Writer`', 'limit', 'Spec Writer'],
    ['usage ""', 'usage', ''],
    ["usage ''", 'usage', ''],
    ['limit "', 'limit', ''],
    ['limits <@U0KIM|kim>', 'limits', '@kim'],
    ['limits <@U0KIM>', 'limits', '@U0KIM'],
  ])('reads %j', (text, word, rest) => {
    expect(parseAdminCommand(text)).toMatchObject({ word, rest });
  });

  it('keeps it as it was typed, for what tells quotes apart', () => {
    expect(parseAdminCommand('agents  "harness"')).toMatchObject({ rest: 'harness', typed: '"harness"' });
  });
});
