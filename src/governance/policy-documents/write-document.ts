// Writes a policy as YAML: every entry, in the same order each time, so that two files can be compared line by line.
import type { Entry, Policy, Stated, Why } from '../../policy/policy.ts';
import type { Target } from '../../policy/target.ts';
import type { SettingId, Values } from '../../policy/values.ts';
import { type InventoryNames, toNames } from '../inventory/known-inventory.ts';
import { SCHEMA, SETTINGS } from './document-schema.ts';

const HEAD = [
  '# What is approved. `/assistant-admin policy import` and `npm run policy -- plan FILE` show what a changed file would do.',
  '# Each entry sets one thing. An entry that is missing here ends. Names after # are for people. `by` and `at` are only shown:',
  '# the person who imports a change counts as the one who decided it.',
];

export function writeDocument({ revision, entries }: Policy, names: InventoryNames = toNames()): string {
  const ordered = Object.values(entries)
    .map((entry) => ({ entry, place: toPlace(entry) }))
    .sort((one, other) => compare(one.place, other.place));
  const lines = ordered.flatMap(({ entry }) => writeEntry(entry, names));
  const list = lines.length === 0 ? ['entries: []'] : ['entries:', ...lines];
  return [...HEAD, `schema: ${SCHEMA}`, `revision: ${revision}`, ...list, ''].join('\n');
}

/** Classes, then each environment with its agents, then channels. */
function toPlace({ setting, target }: Entry): string[] {
  const order = String(SETTINGS.indexOf(setting));
  if ('className' in target) return ['0', target.className];
  if ('channel' in target) return ['2', target.workspace, target.channel, order];
  const { environmentId, currency = '' } = target;
  const agent = 'agentId' in target ? ['1', target.agentId] : ['0', ''];
  return ['1', environmentId, ...agent, order, currency];
}

function compare(one: readonly string[], other: readonly string[]): number {
  for (const [index, part] of one.entries()) {
    const [mine, others] = [part.toLowerCase(), (other[index] ?? '').toLowerCase()];
    if (mine !== others) return mine < others ? -1 : 1;
  }
  return 0;
}

function writeEntry({ setting, target, standing, exception }: Entry, names: InventoryNames): string[] {
  const of = writeTarget(target, names);
  const stated = standing ? writeStated(setting, standing) : [];
  const excepted = exception
    ? ['exception:', ...[...writeStated(setting, exception), `until: ${exception.until}`].map((line) => `  ${line}`)]
    : [];
  return [...of, ...stated, ...excepted].map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`);
}

function writeTarget(target: Target, names: InventoryNames): string[] {
  if ('className' in target) return [`class: ${toText(target.className)}`];
  if ('channel' in target) return [`workspace: ${toText(target.workspace)}`, `channel: ${toText(target.channel)}`];
  const { environmentId, currency } = target;
  return [
    `environment: ${toText(environmentId)}${toComment(names.environment(environmentId))}`,
    ...('agentId' in target
      ? [`agent: ${toText(target.agentId)}${toComment(names.agent(environmentId, target.agentId))}`]
      : []),
    ...(currency === undefined ? [] : [`currency: ${toText(currency)}`]),
  ];
}

function toComment(name: string | undefined): string {
  const plain = (name ?? '')
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return plain === '' ? '' : ` # ${plain.slice(0, 100).toWellFormed()}`;
}

function writeStated(setting: SettingId, { value, why }: Stated<Values[SettingId]>): string[] {
  return [`${setting}: ${toFlow(toForm(value))}`, `why: ${toFlow(toWhyForm(why))}`];
}

function toWhyForm({ by, account, approvedBy, approverAccount, reason, at }: Why): unknown {
  return { reason, by, account, approvedBy, approverAccount, at: new Date(at).toISOString() };
}

/** Rules and stops are on or off, as people say it. The parts of a value are always in the same order. */
function toForm(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, toForm(part)] as const);
  return Object.fromEntries(parts.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** On one line. What is undefined is left out. */
function toFlow(value: unknown): string {
  if (typeof value === 'string') return toText(value);
  if (Array.isArray(value)) return `[${value.map(toFlow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  if (parts.length === 0) return '{}';
  return `{ ${parts.map(([name, part]) => `${toText(name)}: ${toFlow(part)}`).join(', ')} }`;
}

/** Words that need no quotes in any place. */
const PLAIN = /^[A-Za-z][\w.+@/-]*(?: [A-Za-z0-9][\w.+@/-]*)*$/;

/** Words that need quotes, because YAML, also of version 1.1, reads them as other values. */
const WORDS = /^(?:true|false|null|yes|no|y|n)$/i;

function toText(text: string): string {
  if (PLAIN.test(text) && !WORDS.test(text)) return text;
  // JSON is valid YAML. Characters that an editor would not show are escaped as well.
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, toEscape);
}

function toEscape(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
