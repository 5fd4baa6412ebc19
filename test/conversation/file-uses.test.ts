import { describe, expect, it } from 'vitest';
import { fileUses, toFileName } from '../../src/conversation/file-uses.ts';

const rules = { allowedHosts: ['files.example', '.sharepoint.example'] };

describe('fileUses', () => {
  it('uses a link on an allowed host', () => {
    const uses = fileUses(['https://files.example/a.docx'], [], rules);

    expect(uses).toEqual({ used: ['https://files.example/a.docx'], unusable: [] });
  });

  it('takes an entry with a leading dot for the hosts below it, and not for itself', () => {
    const links = ['https://acme.sharepoint.example/a.docx', 'https://sharepoint.example/b.docx'];

    const uses = fileUses(links, [], rules);

    expect(uses.used).toEqual(['https://acme.sharepoint.example/a.docx']);
    expect(uses.unusable).toEqual([{ name: 'sharepoint.example/b.docx', reason: 'other_host' }]);
  });

  it.each([
    'https://sub.files.example/a.docx',
    'https://evilfiles.example/a.docx',
    'https://evilsharepoint.example/a.docx',
    'https://files.example.evil/a.docx',
    'https://files.example:8443/a.docx',
    'https://evil.example/files.example/a.docx',
  ])('does not take %s for an allowed host', (link) => {
    expect(fileUses([link], [], rules).used).toEqual([]);
  });

  it('compares hosts without regard to case', () => {
    expect(fileUses(['https://FILES.example/a'], [], { allowedHosts: ['Files.Example'] }).used).toEqual([
      'https://files.example/a',
    ]);
  });

  it('encodes blanks and keeps the query of a sharing link', () => {
    const uses = fileUses(['https://files.example/:w:/s/My file.docx?e=4%3aab'], [], rules);

    expect(uses.used).toEqual(['https://files.example/:w:/s/My%20file.docx?e=4%3aab']);
  });

  it('uses each link once', () => {
    expect(fileUses(['https://files.example/a', 'https://files.example/a'], [], rules).used).toHaveLength(1);
  });

  it('reports what is over the cap', () => {
    const links = ['https://files.example/1', 'https://files.example/2', 'https://files.example/3'];

    const uses = fileUses(links, [], { ...rules, cap: 2 });

    expect(uses.used).toHaveLength(2);
    expect(uses.unusable).toEqual([{ name: 'files.example/3', reason: 'too_many' }]);
  });

  it('takes ten files where no cap is given', () => {
    const links = Array.from({ length: 12 }, (_, index) => `https://files.example/${index}`);

    const uses = fileUses(links, [], rules);

    expect(uses.used).toHaveLength(10);
    expect(uses.unusable).toHaveLength(2);
  });

  it.each([
    'https://other.example/report.PDF',
    'https://other.example/:x:/g/abc',
    'https://other.example/sites/a/_layouts/15/Doc.aspx?sourcedoc=1',
  ])('reports %s, which looks like a document, on another host', (link) => {
    expect(fileUses([link], [], rules).unusable[0]?.reason).toBe('other_host');
  });

  it('says nothing about a link to a page', () => {
    expect(fileUses(['https://news.example/2026/story.html', 'https://x.example'], [], rules)).toEqual({
      used: [],
      unusable: [],
    });
  });

  it('uses nothing where no host is allowed', () => {
    expect(fileUses(['https://files.example/a'], [], { allowedHosts: [] }).used).toEqual([]);
    expect(fileUses(['https://files.example/a'], [], { allowedHosts: ['', '.', ' '] }).used).toEqual([]);
  });

  it('passes on what was unusable before', () => {
    const upload = { name: 'a.png', reason: 'upload' as const };

    expect(fileUses([], [upload], rules).unusable).toEqual([upload]);
  });

  it('says of an http link only what looks like a document or is on an allowed host', () => {
    const names = ['http://news.example/story', 'http://news.example/a.pdf', 'http://files.example/x'];

    const uses = fileUses(
      [],
      names.map((name) => ({ name, reason: 'not_https' as const })),
      rules,
    );

    expect(uses.unusable.map(({ name }) => name)).toEqual(names.slice(1));
  });

  it.each(['not an address', 'http://files.example/a', 'https://user:secret@files.example/a'])(
    'never uses %s',
    (link) => {
      expect(fileUses([link], [], rules)).toEqual({ used: [], unusable: [] });
    },
  );
});

describe('toFileName', () => {
  it('decodes the path and leaves the query out', () => {
    expect(toFileName(new URL('https://a.example/My%20file.docx?token=1'))).toBe('a.example/My file.docx');
  });

  it('keeps a path that is not encoded properly', () => {
    expect(toFileName(new URL('https://a.example/%zz'))).toBe('a.example/%zz');
  });

  it('is never longer than 100 characters', () => {
    expect(toFileName(new URL(`https://a.example/${'a'.repeat(500)}`))).toHaveLength(100);
  });
});
