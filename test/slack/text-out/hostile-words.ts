// What Slack or a Markdown reader may give a meaning to, and what could hide it: for the grammar of generated answers.

export const WORDS = [
  ...split('word see good.example'),
  'two words',
  ...split('漢字。 עברית é 👩‍👩‍👧 a_b 1 here channel'),
];

export const HOSTS = split('evil.example good.example good.example.evil.example evil.example:8443 раypal.example');

export const ADDRESSES = [
  ...split(
    'https://evil.example http://evil.example/a_(b) https://evil.example/x?good.example=1&lt; //evil.example',
    'https://good.example@evil.example/ https://good.example:x@evil.example https:\\\\evil.example',
    'HTTPS://E.EXAMPLE javascript:alert(1) java\nscript:x data:text/html,x slack://open mailto:a@evil.example',
    'tel:1 file:///a www.evil.example www.good.example@evil.example',
  ),
  '<https://evil.example/b c>',
  'https://evil.example/`x`',
  '#C0',
  '',
  ...split(
    'https://evil.example/%29%20(good.example) https://evil.example/|good https://xn--ypal-43d9g.example',
    '/relative',
  ),
];

export const TITLES = ['', '', '', ' "good.example"', " 'a`b'", ' (good)', ' "', ' "a\nb"'];

export const MENTIONS = split(
  '<!channel> <!here> <!everyone> <@U0EVIL> <@W0EVIL> <#C0EVIL> <!subteam^S0EVIL> <!subteam^S0|@good>',
  '<!date^0^{date}^https://evil.example|good> <!channel|here> @channel @here @everyone @group @Channel',
  '<<!here>> <!channel !channel> <@U0EVIL|good> <https://evil.example|good.example> <mailto:a@b.example|c>',
);

export const HTML = [
  '<a href="https://evil.example">good.example</a>',
  ...split('<b> </b> <br> <br/>'),
  '<!-- ',
  ' -->',
  '<div>\n',
  '</div>',
  '<a title="`">',
  ...split('<![CDATA[ ]]> <?'),
  '<img src=x>',
  ...split('<pre> </pre>\n <script> <a\n'),
  "<input value='](",
  '<!X ',
];

export const MARKS = split(
  '\u200b \u200c \u200d \u200e \u200f \u2060 \u00ad \ufeff \u061c \u180e \u034f \u2063 \u202a \u202b \u202c',
  '\u202d \u202e \u2066 \u2067 \u2068 \u2069 \u2028 \u2029 \u0085 \0 \b \u000b \f \r \u00a0 \u3000 \ufff9',
  '\ufffd \ud800 \udc00 \u0301 \u20e3 \u{e0001}',
);

export const ENTITIES = split(
  '&lt; &gt; &amp; &#60; &#x3c; &#X3C; &#0060; &amp;lt; &amp;#60; &lt &LT; &nvlt; &#91; &#93; &#40;',
  '&lbrack; &rpar; &#96; &grave; &#33; &commat; &#64; &colon; &sol; &#x202e; &#8238; &#x2066; &#0; &#xD800;',
  '&NewLine; &Tab; &nbsp; & &# &x; &bsol; &vert;',
);

export const ESCAPES = split('\\ \\\\ \\< \\> \\[ \\] \\( \\) \\` \\! \\& \\@ \\\n \\| \\: \\~');

export const CITATIONS = [
  ...split(
    '[^1^] [^1] [1] 【1†source】 \ue200cite\ue202turn1search1\ue201 \ue200cite [^1^]( citeturn1 [doc1]',
    '[1](https://evil.example)',
  ),
  '[^1^]: https://evil.example',
  ...split('<Person>Ana</Person> <File>a|b</File> [^'),
];

export const STARTS = [
  ...split('\n \n\n \r\n'),
  ...['\n> ', '\n> > ', '\n- ', '\n1. ', '\n* ', '\n# ', '\n###### ', '\n    ', '\n\t', '\n  - > ', '\n---\n'],
  ...['\n===\n', '\n- [ ] ', '\n> - ', '\n| a | b |\n|---|---|\n| ', ' | ', '\n|', '\n|-|\n'],
  ...[' ', ' ', ' ', '', '', ''],
];

export const OPEN_CODE = [
  ...split('` `` ``` \n```\n \n```js\n \n~~~\n ~~~ \n````\n'),
  ...['> ```\n', '- ```\n', '\n   ```', '`` ` ``'],
];

export const LOOSE = split('* ** _ __ ~ ~~ [ ] ( ) ]( ]: ![ < > | : / // :// @ "');

function split(...lines: string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}
