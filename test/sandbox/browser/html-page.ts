// As much of HTML as a scripted browser needs: title, headings, visible text, links and forms. No package of the
// project parses HTML, and the pages read here are our own.
export type FormField = {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly isChecked: boolean;
  /** The values on offer, for a select. */
  readonly options?: readonly string[];
};

type FormButton = { readonly name: string; readonly value: string; readonly text: string };

export type PageForm = {
  readonly id: string;
  readonly action: string;
  readonly method: 'get' | 'post';
  readonly fields: readonly FormField[];
  readonly buttons: readonly FormButton[];
};

export type HtmlPage = {
  readonly title: string;
  /** The first h1. */
  readonly heading: string;
  /** Visible text, one line per block. */
  readonly text: string;
  readonly links: readonly { readonly href: string; readonly text: string }[];
  readonly forms: readonly PageForm[];
  /** `<meta name="referrer">`, where there is one. */
  readonly referrerPolicy: string | undefined;
};

type Element = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly inner: string;
  /** Where the tag starts, and where its content does. */
  readonly at: number;
  readonly from: number;
};

export function parseHtmlPage(html: string): HtmlPage {
  const clean = html.replace(/<!--[\s\S]*?-->/g, '').replace(/<(script|style|template)\b[\s\S]*?<\/\1\s*>/gi, '');
  const elements = readElements(clean);
  const first = (name: string) => toText(elements.find((element) => element.name === name)?.inner ?? '');
  const body = /<body\b[^>]*>([\s\S]*)/i.exec(clean)?.[1] ?? clean;
  const referrer = elements.find(({ name, attributes }) => name === 'meta' && attributes.get('name') === 'referrer');
  return {
    title: first('title'),
    heading: first('h1'),
    text: toText(body.replace(/<title\b[\s\S]*?<\/title\s*>/gi, '')),
    links: elements
      .filter(({ name, attributes }) => name === 'a' && attributes.has('href'))
      .map(({ attributes, inner }) => ({ href: attributes.get('href') ?? '', text: toText(inner) })),
    forms: elements.filter(({ name }) => name === 'form').map((form) => buildForm(form, elements)),
    referrerPolicy: referrer?.attributes.get('content'),
  };
}

function readElements(html: string): Element[] {
  const found: Element[] = [];
  const open = /<([a-z][a-z0-9]*)((?:\s+[^\s=>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?)*)\s*\/?>/gi;
  for (const match of html.matchAll(open)) {
    const name = (match[1] ?? '').toLowerCase();
    const end = match.index + match[0].length;
    const close = html.slice(end).search(new RegExp(`</${name}\\s*>`, 'i'));
    const inner = close === -1 ? '' : html.slice(end, end + close);
    found.push({ name, attributes: readAttributes(match[2] ?? ''), inner, at: match.index, from: end });
  }
  return found;
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const match of text.matchAll(/([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g)) {
    const name = (match[1] ?? '').toLowerCase();
    if (!attributes.has(name)) attributes.set(name, decodeEntities(match[2] ?? match[3] ?? match[4] ?? ''));
  }
  return attributes;
}

const CONTROLS = ['input', 'textarea', 'select', 'button'];

function buildForm(form: Element, elements: readonly Element[]): PageForm {
  const id = form.attributes.get('id') ?? '';
  const own = elements.filter((element) => {
    if (!CONTROLS.includes(element.name) || element.attributes.has('disabled')) return false;
    const owner = element.attributes.get('form');
    return owner === undefined ? isInside(form, element.at) : owner === id;
  });
  return {
    id,
    action: form.attributes.get('action') ?? '',
    method: form.attributes.get('method')?.toLowerCase() === 'post' ? 'post' : 'get',
    fields: own.filter((control) => !isButton(control)).map(buildField),
    buttons: own.filter(isButton).map(buildButton),
  };
}

// Forms do not nest, so a form reaches from its tag to the first closing tag behind it.
function isInside(form: Element, at: number): boolean {
  return at >= form.from && at < form.from + form.inner.length;
}

function isButton({ name, attributes }: Element): boolean {
  const type = attributes.get('type')?.toLowerCase();
  if (name === 'button') return type === undefined || type === 'submit';
  return name === 'input' && type === 'submit';
}

function buildButton({ attributes, inner }: Element): FormButton {
  const value = attributes.get('value') ?? '';
  return { name: attributes.get('name') ?? '', value, text: toText(inner) || value };
}

function buildField({ name, attributes, inner }: Element): FormField {
  const type = name === 'input' ? (attributes.get('type') ?? 'text').toLowerCase() : name;
  const base = { name: attributes.get('name') ?? '', type };
  if (name === 'textarea') return { ...base, value: decodeEntities(inner), isChecked: false };
  if (name === 'select') return { ...base, ...readSelect(inner), isChecked: false };
  const isBox = type === 'checkbox' || type === 'radio';
  return { ...base, value: attributes.get('value') ?? (isBox ? 'on' : ''), isChecked: attributes.has('checked') };
}

function readSelect(inner: string): { value: string; options: string[] } {
  const options = readElements(inner).filter(({ name }) => name === 'option');
  const readValue = (option: Element | undefined) => option?.attributes.get('value') ?? toText(option?.inner ?? '');
  const selected = options.find(({ attributes }) => attributes.has('selected')) ?? options[0];
  return { value: readValue(selected), options: options.map(readValue) };
}

const BLOCKS =
  /<\/?(?:p|div|li|ul|ol|h[1-6]|br|tr|section|main|header|footer|form|label|dt|dd|fieldset|legend)\b[^>]*>/gi;

function toText(html: string): string {
  const flat = decodeEntities(
    html
      .replace(/\s+/g, ' ')
      .replace(BLOCKS, '\n')
      .replace(/<[^>]*>/g, ''),
  );
  return flat
    .split('\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return NAMED[String(name).toLowerCase()] ?? whole;
  });
}
