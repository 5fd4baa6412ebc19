/** The page's own files: TypeScript goes to the browser without its types, and packages as they are. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reply } from '../loopback/reply.ts';

const PAGE = new URL('page/', import.meta.url);
const PACKAGES = new URL('../../../node_modules/', import.meta.url);

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export async function findPageFile(path: string): Promise<Reply> {
  const file = toFile(path);
  const type = file && TYPES[extname(file.pathname)];
  if (!file || !type) return { status: 404, body: 'There is no such page.' };
  const content = await readFile(fileURLToPath(file)).catch(() => undefined);
  if (content === undefined) return { status: 404, body: 'There is no such page.' };
  if (type === TYPES['.woff2'])
    return { status: 200, headers: { ...PAGE_HEADERS, 'content-type': type }, body: content };
  const text = content.toString('utf8');
  const isTypeScript = type === TYPES['.ts'] && file.pathname.endsWith('.ts');
  return {
    status: 200,
    headers: { ...PAGE_HEADERS, 'content-type': type, 'content-security-policy': toPolicy(text) },
    body: isTypeScript ? stripTypeScriptTypes(text) : text,
  };
}

/** Plain names only: none leads out of the two folders. */
function toFile(path: string): URL | undefined {
  if (path === '/') return new URL('index.html', PAGE);
  const inPage = /^\/page\/((?:[\w-]+\/)*[\w-]+\.(?:ts|css|svg))$/.exec(path)?.[1];
  if (inPage !== undefined) return new URL(inPage, PAGE);
  const inPackage =
    /^\/vendor\/((?:gemoji|lit|lit-html|lit-element|@lit\/reactive-element)\/(?:[\w-]+\/)*[\w-]+\.js|@fontsource-variable\/inter\/(?:wght\.css|files\/[\w-]+\.woff2))$/.exec(
      path,
    )?.[1];
  return inPackage === undefined ? undefined : new URL(inPackage, PACKAGES);
}

/** Nothing from any other host. The one script in the page itself is the map of the packages. */
function toPolicy(page: string): string {
  const map = /<script type="importmap">([\s\S]*?)<\/script>/.exec(page)?.[1];
  const hash = map === undefined ? '' : ` 'sha256-${createHash('sha256').update(map).digest('base64')}'`;
  return [
    "default-src 'none'",
    `script-src 'self'${hash}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
