import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createBrowser } from './browser.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback/loopback-server.ts';
import { readRequestText } from './loopback/reply.ts';

type Seen = { path: string; method: string; cookie: string; origin: string | undefined; site: string; body: string };
type Site = LoopbackServer & { seen: Seen[] };

const sites: LoopbackServer[] = [];

afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

async function startSite(routes: Record<string, (response: ServerResponse, url: string) => void>): Promise<Site> {
  const seen: Seen[] = [];
  const server = await startLoopbackServer(async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/';
    const { cookie = '', origin } = request.headers;
    const site = String(request.headers['sec-fetch-site']);
    seen.push({
      path,
      method: request.method ?? '',
      cookie,
      origin,
      site,
      body: (await readRequestText(request)) ?? '',
    });
    const route = routes[path.split('?')[0] ?? '/'];
    if (route) route(response, path);
    else response.end('<h1>end</h1>');
  });
  sites.push(server);
  return { ...server, seen };
}

const page =
  (html: string, headers: Record<string, string | string[]> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html);
  };
const redirect =
  (to: () => string, status = 302) =>
  (response: ServerResponse) => {
    response.writeHead(status, { location: to() }).end();
  };

describe('the cookie jar', () => {
  const jarOf = async (cookies: string[]) => {
    const site = await startSite({ '/set': page('', { 'set-cookie': cookies }) });
    const browser = createBrowser();
    await browser.open(`${site.url}/set`);
    return { site, browser };
  };

  it('accepts Secure and __Host- cookies on loopback, and sends them by path', async () => {
    const { site, browser } = await jarOf(['__Host-a=1; Secure; Path=/; HttpOnly', 'b=2; Path=/deep']);

    await browser.open(`${site.url}/x`);
    await browser.open(`${site.url}/deep/x`);
    await browser.open(`${site.url}/deeper`);

    expect(site.seen.slice(1).map((one) => one.cookie)).toEqual(['__Host-a=1', 'b=2; __Host-a=1', '__Host-a=1']);
  });

  it('refuses what a browser refuses, and says why', async () => {
    const cookies = [
      '__Host-a=1; Secure; Path=/x',
      '__Host-b=1; Path=/',
      'c=1; SameSite=None',
      'd=1; Domain=example.com',
    ];

    const { browser } = await jarOf(cookies);

    expect(browser.cookies.list()).toEqual([]);
    expect(browser.cookies.refused.map((one) => one.cookie)).toEqual(['__Host-a', '__Host-b', 'c', 'd']);
  });

  it('forgets cookies that are expired or taken back', async () => {
    const past = new Date(Date.now() - 1000).toUTCString();

    const { browser } = await jarOf(['a=1', 'b=2; Max-Age=60', 'a=; Max-Age=0', `c=3; Expires=${past}`]);

    expect(browser.cookies.list().map((one) => one.name)).toEqual(['b']);
  });

  it('keeps Strict from every cross-site request, Lax from cross-site posts', async () => {
    const target = await startSite({
      '/set': page('', { 'set-cookie': ['s=1; SameSite=Strict', 'l=1; SameSite=Lax'] }),
    });
    const form = `<form method="post" action="${target.url}/post"><button>Go</button></form><a href="${target.url}/get">link</a>`;
    const other = await startSite({ '/form': page(form), '/jump': redirect(() => `${target.url}/jumped`) });
    const browser = createBrowser();
    await browser.open(`${target.url}/set`);

    await browser.open(`${target.url}/typed`);
    await browser.open(`${other.url}/jump`);
    await browser.open(`${other.url}/form`);
    await browser.click('link');
    await browser.open(`${other.url}/form`);
    await browser.submit();

    const got = target.seen.slice(1).map(({ path, cookie, site }) => [path, cookie, site]);
    expect(got).toEqual([
      ['/typed', 's=1; l=1', 'none'],
      ['/jumped', 'l=1', 'cross-site'],
      ['/get', 'l=1', 'cross-site'],
      ['/post', '', 'cross-site'],
    ]);
  });
});

describe('forms', () => {
  const html = `<!doctype html><title>A &amp; B</title><body><h1>Choose</h1><script>var a = '<form>';</script>
    <p>Where <b>should</b> answers go?</p>
    <form method="post" action="/save"><input type="hidden" name="t" value="a&quot;b">
      <label><input type="radio" name="where" value="thread" checked> Thread</label>
      <label><input type="radio" name="where" value="private"> Private</label>
      <input type="checkbox" name="agree"><input name="code"><input name="off" disabled value="1">
      <button name="do" value="go">Continue</button><button name="do" value="stop">Cancel</button></form>
    <form id="second" action="/find?old=1"><input name="q" value="x"><select name="k"><option>a<option value="2" selected>b</select></form>`;

  it('reads title, heading, visible text and fields', async () => {
    const site = await startSite({ '/': page(html) });
    const browser = createBrowser();

    const shown = await browser.open(`${site.url}/`);

    expect([shown.title, shown.heading]).toEqual(['A & B', 'Choose']);
    expect(shown.text).toContain('Where should answers go?');
    expect(shown.text).not.toContain('var a');
    expect(shown.forms.map((form) => form.fields.length)).toEqual([5, 2]);
  });

  it('sends what a browser would send, with the button that was pressed', async () => {
    const site = await startSite({ '/': page(html), '/save': redirect(() => '/done', 303) });
    const browser = createBrowser();

    await browser.open(`${site.url}/`);
    const done = await browser.submit();
    await browser.open(`${site.url}/`);
    await browser.submit(0, { where: 'private', agree: 'on', code: 'x y', do: 'stop' });
    await browser.open(`${site.url}/`);
    await browser.submit('second', { q: 'new' });

    const posts = site.seen.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(posts).toEqual(['t=a%22b&where=thread&code=&do=go', 't=a%22b&where=private&agree=on&code=x+y&do=stop']);
    expect(done.visited).toEqual([`${site.url}/save`, `${site.url}/done`]);
    expect(site.seen.at(-1)?.path).toBe('/find?q=new&k=2');
  });

  it('refuses values that are not on offer', async () => {
    const site = await startSite({ '/': page(html) });
    const browser = createBrowser();
    await browser.open(`${site.url}/`);

    const attempts: Record<string, string>[] = [{ where: 'nowhere' }, { unknown: '1' }, { off: '2' }, { do: 'other' }];

    for (const values of attempts) await expect(browser.submit(0, values)).rejects.toThrow('does not offer');
  });

  it('tells the origin on a post, or null where the page hides its referrer', async () => {
    const form = '<form method="post" action="/save"><button>Go</button></form>';
    const site = await startSite({ '/open': page(form), '/shy': page(form, { 'referrer-policy': 'no-referrer' }) });
    const browser = createBrowser();

    await browser.open(`${site.url}/open`);
    await browser.submit();
    await browser.open(`${site.url}/shy`);
    await browser.submit();

    const posts = site.seen.filter(({ method }) => method === 'POST').map(({ origin }) => origin);
    expect(posts).toEqual([site.url, 'null']);
  });

  it('obeys form-action for the target and for redirects after it', async () => {
    const other = await startSite({});
    const form = '<form method="post" action="/save"><button>Go</button></form>';
    const strict = { 'content-security-policy': "default-src 'none'; form-action 'self'" };
    const site = await startSite({
      '/strict': page(form, strict),
      '/listed': page(form, { 'content-security-policy': `form-action 'self' ${other.url}` }),
      '/save': redirect(() => `${other.url}/landed`, 303),
    });
    const browser = createBrowser();

    await browser.open(`${site.url}/strict`);
    const blocked = browser.submit();
    await expect(blocked).rejects.toThrow('form-action');
    await browser.open(`${site.url}/listed`);
    const landed = await browser.submit();

    expect(landed.url).toBe(`${other.url}/landed`);
  });
});

describe('navigation', () => {
  it('gives up on endless redirects, and stops where it is told to', async () => {
    const site = await startSite({
      '/loop': redirect(() => '/loop'),
      '/out': redirect(() => 'https://slack.example/a'),
    });
    const browser = createBrowser({ stopBefore: (url) => url.startsWith('https:') });

    const endless = browser.open(`${site.url}/loop`);
    await expect(endless).rejects.toThrow('Too many redirects');
    const stopped = await browser.open(`${site.url}/out`);

    expect([stopped.status, stopped.url]).toEqual([0, 'https://slack.example/a']);
  });

  it('repeats a post on 307, and turns it into a get on 302', async () => {
    const form = (to: string) =>
      `<form method="post" action="${to}"><input name="a" value="1"><button>Go</button></form>`;
    const site = await startSite({
      '/': page(form('/keep') + form('/turn')),
      '/keep': redirect(() => '/kept', 307),
      '/turn': redirect(() => '/turned', 302),
    });
    const browser = createBrowser();

    await browser.open(`${site.url}/`);
    await browser.submit(0);
    await browser.open(`${site.url}/`);
    await browser.submit(1);

    const last = site.seen.filter(({ path }) => ['/kept', '/turned'].includes(path));
    expect(last.map(({ method, body }) => [method, body])).toEqual([
      ['POST', 'a=1'],
      ['GET', ''],
    ]);
  });
});
