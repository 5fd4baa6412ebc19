// `form-action` of a content security policy: Chrome applies it to the target of a form and to every redirect after it.

/** Whether the page's policy lets a form of it end up at `target`. */
export function isFormTargetAllowed(policy: string | undefined, page: URL, target: URL): boolean {
  const sources = readFormAction(policy);
  return sources === undefined || sources.some((source) => matches(source, page, target));
}

function readFormAction(policy: string | undefined): readonly string[] | undefined {
  for (const directive of (policy ?? '').split(';')) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    if (name?.toLowerCase() === 'form-action') return sources;
  }
  return undefined;
}

function matches(source: string, page: URL, target: URL): boolean {
  if (source === '*') return true;
  if (source === "'self'") return target.origin === page.origin;
  if (/^[a-z]+:$/i.test(source)) return target.protocol === source.toLowerCase();
  const allowed = URL.parse(source.includes('://') ? source : `${page.protocol}//${source}`);
  if (!allowed || allowed.origin !== target.origin) return false;
  if (allowed.pathname === '/') return true;
  return allowed.pathname.endsWith('/')
    ? target.pathname.startsWith(allowed.pathname)
    : target.pathname === allowed.pathname;
}
