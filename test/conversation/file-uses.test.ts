import { describe, expect, it } from 'vitest';
import { fileUses, toFileName } from '../../src/conversation/file-uses.ts';

const allowedHosts = ['Files.example', '.sharepoint.example'];
const at = (count: number) => Array.from({ length: count }, (_, index) => `https://files.example/${index}`);

describe('the links of a question', () => {
  it.each<[string, string[], used: string[], unusable?: string[]]>([
    ['on an allowed host', ['https://FILES.example/a.docx'], ['https://files.example/a.docx']],
    ['below a host with a dot in front', ['https://acme.sharepoint.example/a'], ['https://acme.sharepoint.example/a']],
    ['at that host itself', ['https://sharepoint.example/b.docx'], [], ['other_host sharepoint.example/b.docx']],
    ['below an allowed host', ['https://sub.files.example/a'], []],
    ['at a host that ends like one', ['https://evilfiles.example/a', 'https://evilsharepoint.example/a'], []],
    ['at a host that begins like one', ['https://files.example.evil/a'], []],
    ['at another port', ['https://files.example:8443/a'], []],
    ['with a host in the path', ['https://evil.example/files.example/a'], []],
    ['with blanks and a query', ['https://files.example/My a?e=4%3aab'], ['https://files.example/My%20a?e=4%3aab']],
    ['twice', ['https://files.example/a', 'https://files.example/a'], ['https://files.example/a']],
    ['over ten', at(11), at(10), ['too_many files.example/10']],
    ['to a document elsewhere', ['https://x.example/r.PDF'], [], ['other_host x.example/r.PDF']],
    ['to a shared document elsewhere', ['https://x.example/:x:/g/abc'], [], ['other_host x.example/:x:/g/abc']],
    [
      'to a document in a viewer elsewhere',
      ['https://x.example/sites/a/_layouts/15/Doc.aspx?sourcedoc=1'],
      [],
      ['other_host x.example/sites/a/_layouts/15/Doc.aspx'],
    ],
    ['to pages', ['https://news.example/2026/story.html', 'https://x.example'], []],
    ['that are none', ['not an address', 'http://files.example/a', 'https://user:secret@files.example/a'], []],
  ])('%s', (_, links, used, unusable = []) => {
    const uses = fileUses(links, [], { allowedHosts });

    expect(uses.used).toEqual(used);
    expect(uses.unusable.map(({ reason, name }) => `${reason} ${name}`)).toEqual(unusable);
  });

  it.each([[[]], [['', '.', ' ']]])('are not used where %j are allowed', (none) => {
    expect(fileUses(at(1), [], { allowedHosts: none }).used).toEqual([]);
  });

  it('pass on what was unusable before; of http links only a document or one on an allowed host', () => {
    const names = ['http://news.example/story', 'http://news.example/a.pdf', 'http://files.example/x'];
    const before = [
      { name: 'a.png', reason: 'upload' as const },
      ...names.map((name) => ({ name, reason: 'not_https' as const })),
    ];

    const { unusable } = fileUses([], before, { allowedHosts: ['files.example'] });

    expect(unusable.map(({ name }) => name)).toEqual(['a.png', ...names.slice(1)]);
  });
});

it.each([
  ['https://a.example/My%20file.docx?token=1', 'a.example/My file.docx'],
  ['https://a.example/%zz', 'a.example/%zz'],
  [`https://a.example/${'a'.repeat(500)}`, `a.example/${'a'.repeat(90)}`],
])('a link is shown with its path decoded, without its query, and short: %s', (link, name) => {
  expect(toFileName(new URL(link))).toBe(name);
});
