// What a scripted browser needs of a page: title, headings, visible text, links and forms.
import { type HTMLElement, parse } from 'node-html-parser';

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

export function parseHtmlPage(html: string): HtmlPage {
  const page = parse(html, { parseNoneClosedTags: true });
  for (const hidden of page.querySelectorAll('script, style, template')) hidden.remove();
  const first = (selector: string) => toText(page.querySelector(selector));
  const title = first('title');
  page.querySelector('title')?.remove();
  return {
    title,
    heading: first('h1'),
    text: toText(page.querySelector('body') ?? page),
    links: page.querySelectorAll('a[href]').map((link) => ({ href: read(link, 'href'), text: toText(link) })),
    forms: page.querySelectorAll('form').map((form) => buildForm(form, page)),
    referrerPolicy: page.querySelector('meta[name=referrer]')?.getAttribute('content'),
  };
}

function read(element: HTMLElement, attribute: string): string {
  return element.getAttribute(attribute) ?? '';
}

function typeOf(control: HTMLElement): string {
  if (control.tagName === 'INPUT') return (read(control, 'type') || 'text').toLowerCase();
  return control.tagName === 'BUTTON' ? read(control, 'type') || 'submit' : control.tagName.toLowerCase();
}

function buildForm(form: HTMLElement, page: HTMLElement): PageForm {
  const id = read(form, 'id');
  const own = page.querySelectorAll('input, textarea, select, button').filter((control) => {
    if (control.hasAttribute('disabled')) return false;
    const owner = control.getAttribute('form');
    return owner === undefined ? control.closest('form') === form : owner === id;
  });
  return {
    id,
    action: read(form, 'action'),
    method: read(form, 'method').toLowerCase() === 'post' ? 'post' : 'get',
    fields: own.filter((control) => control.tagName !== 'BUTTON' && typeOf(control) !== 'submit').map(buildField),
    buttons: own.filter((control) => typeOf(control) === 'submit').map(buildButton),
  };
}

function buildButton(button: HTMLElement): FormButton {
  const value = read(button, 'value');
  return { name: read(button, 'name'), value, text: toText(button) || value };
}

function buildField(field: HTMLElement): FormField {
  const base = { name: read(field, 'name'), type: typeOf(field), isChecked: field.hasAttribute('checked') };
  if (base.type === 'textarea') return { ...base, value: field.text };
  if (base.type === 'select') return { ...base, ...readSelect(field) };
  const isBox = base.type === 'checkbox' || base.type === 'radio';
  return { ...base, value: field.getAttribute('value') ?? (isBox ? 'on' : '') };
}

function readSelect(select: HTMLElement): { value: string; options: string[] } {
  const options = select.querySelectorAll('option');
  const offerOf = (option: HTMLElement | undefined) => option?.getAttribute('value') ?? toText(option);
  const selected = options.find((option) => option.hasAttribute('selected')) ?? options[0];
  return { value: offerOf(selected), options: options.map(offerOf) };
}

const BLOCKS =
  /<\/?(?:p|div|li|ul|ol|h[1-6]|br|tr|section|main|header|footer|form|label|dt|dd|fieldset|legend)\b[^>]*>/gi;

function toText(element: HTMLElement | null | undefined): string {
  const broken = (element?.innerHTML ?? '').replace(/\s+/g, ' ').replace(BLOCKS, '\n');
  return parse(broken)
    .text.split('\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}
