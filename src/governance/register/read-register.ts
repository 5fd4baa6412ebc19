import { createHash } from 'node:crypto';
import { type Document, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { RULE_TYPES } from '../allocations/allocation.ts';
import {
  type ApprovedAllocation,
  type ApprovedException,
  type ApprovedLimit,
  type Classification,
  type Register,
  type RegisterDefaults,
  type RegisteredAgent,
  type RegisteredEnvironment,
  type StatedAllocation,
  toIdKey,
  UNDECIDED,
} from './register.ts';
import {
  countExpanded,
  type Path,
  type PlacedSentence,
  type RegisterProblem,
  toPlacedSentences,
  toProblems,
} from './register-problem.ts';
import {
  type AllocationsForm,
  type ApprovedLimitForm,
  type DefaultsForm,
  type EnvironmentForm,
  type ExceptionForm,
  type RegisterForm,
  registerSchema,
} from './register-schema.ts';

/** `hash`: SHA-256 of the text in UTF-8, in hex. It names the version of the register that was reviewed against. */
export type ReadRegister = { register: Register; hash: string } | { problems: RegisterProblem[] };

/** Many environments may share one anchored block, but nested anchors must not explode: see countExpanded. */
const MAX_ALIASES = 10_000;

/** Environments and agents, wherever aliases repeat them: more than the largest tenant we expect has. */
const MAX_ENTRIES = 25_000;

/** All values that stand in it: about ten for each entry. */
const MAX_VALUES = 500_000;

/**
 * Reads the text of a register. If anything is wrong with it there is no register at all, and `problems` says what to
 * write, line by line. Takes about half a second per megabyte: keep the result while the text is the same.
 */
export function readRegister(text: string): ReadRegister {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true });
  if (document.errors.length > 0) {
    return { problems: document.errors.map((error) => toSyntaxProblem(error, lineCounter)) };
  }
  const plain = toPlain(document);
  if ('problems' in plain) return plain;
  // Checked first: validation would visit repeated blocks as often as aliases repeat them.
  if (countEntries(plain.value) > MAX_ENTRIES || countExpanded(plain.value) > MAX_VALUES) {
    return { problems: [{ line: 1, sentence: TOO_MANY }] };
  }
  const form = registerSchema.safeParse(plain.value);
  if (!form.success) return { problems: toProblems(toPlacedSentences(form.error.issues), document, lineCounter) };
  const { register, problems } = resolveRegister(form.data);
  if (problems.length > 0) return { problems: toProblems(problems, document, lineCounter) };
  return { register, hash: createHash('sha256').update(text, 'utf8').digest('hex') };
}

const TOO_MANY =
  'Leave some environments or agents out: with all that is repeated with *, there are more than 25,000 of them, or more is said of them than can be read.';

function countEntries(value: unknown): number {
  const environments = readList(value, 'environments');
  return environments.reduce<number>((sum, one) => sum + 1 + readList(one, 'agents').length, 0);
}

function readList(value: unknown, key: string): unknown[] {
  const list = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return Array.isArray(list) ? list : [];
}

function toPlain(document: Document): { value: unknown } | { problems: RegisterProblem[] } {
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
  } catch {
    // The only error it throws is about aliases: https://eemeli.org/yaml/#tojs-options
    return {
      problems: [{ line: 1, sentence: 'Write out blocks that are repeated with *: there are too many of them.' }],
    };
  }
}

const SYNTAX_SENTENCES: { [code in YAMLError['code']]?: string } = {
  DUPLICATE_KEY: 'This key is there twice in one block. Keep one of the two.',
  TAB_AS_INDENT: 'Indent with spaces instead of tabs.',
  BAD_INDENT: 'Indent this line like its neighbours, and close what was opened before it.',
  MULTIPLE_DOCS: 'Keep everything in one document: remove the line with three dashes.',
  BAD_ALIAS: 'Write this value out: no anchor of that name stands before it.',
  NON_STRING_KEY: 'Put this key in quotes.',
};

function toSyntaxProblem({ code, pos, message }: YAMLError, lineCounter: LineCounter): RegisterProblem {
  const line = Math.max(1, lineCounter.linePos(pos[0]).line);
  return { line, sentence: SYNTAX_SENTENCES[code] ?? `Mend the YAML here: ${message}.` };
}

type Tell = (path: Path, sentence: string) => void;

/** Fills in defaults. If there are problems, the register must not be used. */
function resolveRegister(form: RegisterForm): { register: Register; problems: PlacedSentence[] } {
  const problems: PlacedSentence[] = [];
  const tell: Tell = (path, sentence) => problems.push({ path, sentence });
  const defaults: Register['defaults'] = {};
  for (const use of ['maker-development', 'funded-production'] as const) {
    const stated = form.defaults[use];
    if (stated) defaults[use] = resolveDefaults(stated, (path, sentence) => tell(['defaults', use, ...path], sentence));
  }
  const environments = form.environments.flatMap((environment, index) => {
    const { classification } = environment;
    if (classification === UNDECIDED) return [];
    const tellHere: Tell = (path, sentence) => tell(['environments', index, ...path], sentence);
    return [resolveEnvironment({ ...environment, classification }, defaults, tellHere)];
  });
  tellTwins(form.environments, 'environment', (path, sentence) => tell(['environments', ...path], sentence));
  const undecided = form.environments.filter(({ classification }) => classification === UNDECIDED).map(({ id }) => id);
  const { reviewedAgents, otherCurrencies } = form;
  const register = { reviewedAgents, otherCurrencies, defaults, environments };
  return { register: undecided.length === 0 ? register : { ...register, undecided }, problems };
}

function resolveDefaults({ allocations, unnamedAgents }: DefaultsForm, tell: Tell): RegisterDefaults {
  return {
    allocations: allocations && toStatedAllocations(allocations, (path, text) => tell(['allocations', ...path], text)),
    unnamedAgents: unnamedAgents && resolveLimit(unnamedAgents, (text) => tell(['unnamedAgents'], text)),
  };
}

type DecidedForm = EnvironmentForm & { classification: Classification };

function resolveEnvironment(form: DecidedForm, defaults: Register['defaults'], tell: Tell): RegisteredEnvironment {
  const { id, name, classification, owners, unnamedAgents } = form;
  const inherited = defaults[classification];
  const own = resolveDefaults(form, tell);
  const allocations = completeAllocations(own.allocations, inherited?.allocations, {
    classification,
    tell: (path, text) => tell(['allocations', ...path], text),
  });
  const agents = form.agents.map((agent, index): RegisteredAgent => {
    const limit = resolveLimit(agent, (text) => tell(['agents', index], text));
    return { id: agent.id, name: agent.name, owners: agent.owners, limit };
  });
  tellTwins(agents, 'agent', (path, text) => tell(['agents', ...path], text));
  return {
    id,
    name,
    classification,
    owners,
    allocations,
    unnamedAgents: unnamedAgents === undefined ? inherited?.unnamedAgents : own.unnamedAgents,
    agents,
    exceptions: form.exceptions.map(toException),
  };
}

function resolveLimit(
  { monthlyLimit, alertAt, stopWhenReached }: ApprovedLimitForm,
  tell: (text: string) => void,
): ApprovedLimit {
  if (monthlyLimit === 'none') {
    if (alertAt !== undefined || stopWhenReached !== undefined) {
      tell('Leave alertAt and stopWhenReached out where monthlyLimit is none: there is nothing for them to act on.');
    }
    return { monthlyLimit };
  }
  if (alertAt === undefined) tell('Write alertAt: with the monthlyLimit, a percentage from 0 to 100 or off.');
  if (stopWhenReached === undefined) tell('Write stopWhenReached: with the monthlyLimit, on or off.');
  return { monthlyLimit, alertAt: alertAt ?? 'off', stopWhenReached: stopWhenReached ?? 'off' };
}

function toException(form: ExceptionForm): ApprovedException {
  const { setting, value, reason, approver, expires } = form;
  const currency = 'currency' in form ? form.currency : undefined;
  const agent = 'agent' in form ? form.agent : undefined;
  return { agent, accepts: { setting, currency, value }, reason, approver, expiresOn: expires };
}

function tellTwins(entries: readonly { id: string }[], what: string, tell: Tell): void {
  const seen = new Set<string>();
  for (const [index, { id }] of entries.entries()) {
    const key = toIdKey(id);
    if (seen.has(key))
      tell([index, 'id'], `This ${what} is in the register twice (${id}). Keep one of the two entries.`);
    seen.add(key);
  }
}

type Stated = StatedAllocation[] | 'none';

function toStatedAllocations(form: AllocationsForm, tell: Tell): Stated {
  if (form === 'none') return form;
  const seen = new Set<string>();
  return Object.entries(form).map(([currencyType, { allocated, rules }]) => {
    if (seen.has(toIdKey(currencyType))) {
      tell([currencyType], `This currency is there twice (${currencyType}). Keep one of the two blocks.`);
    }
    seen.add(toIdKey(currencyType));
    return { currencyType, allocated, rules };
  });
}

/** Fills in an entry from the defaults. Reports what is still missing. */
export function completeAllocations(
  own: Stated | undefined,
  inherited: Stated | undefined,
  { classification, tell }: { classification: Classification; tell: Tell },
): ApprovedAllocation[] | 'none' {
  if (own === 'none' || (own === undefined && inherited === 'none')) return 'none';
  const merged = mergeStated(own ?? [], inherited === 'none' ? [] : (inherited ?? []));
  const otherwise = `here, or under defaults: ${classification}.`;
  if (merged.length === 0)
    tell([], `Write allocations: with a block for each approved currency, or none; ${otherwise}`);
  return merged.flatMap((one) => {
    const approved = toApproved(one);
    if (!Array.isArray(approved)) return [approved];
    const open = approved.join(', ');
    tell([one.currencyType], `Write for ${one.currencyType} what is approved for: ${open}; ${otherwise}`);
    return [];
  });
}

function mergeStated(own: readonly StatedAllocation[], inherited: readonly StatedAllocation[]): StatedAllocation[] {
  const isSame = (one: StatedAllocation) => (other: StatedAllocation) =>
    toIdKey(one.currencyType) === toIdKey(other.currencyType);
  const merged = own.map((one) => {
    const behind = inherited.find(isSame(one));
    if (behind === undefined) return one;
    const { currencyType, allocated = behind.allocated } = one;
    const stated = Object.entries(one.rules).filter(([, state]) => state !== undefined);
    return { currencyType, allocated, rules: { ...behind.rules, ...Object.fromEntries(stated) } };
  });
  return [...merged, ...inherited.filter((one) => !own.some(isSame(one)))];
}

function toApproved({ currencyType, allocated, rules }: StatedAllocation): ApprovedAllocation | string[] {
  const { Alert, TenantPool, PayGo, Deny } = rules;
  if (allocated !== undefined && Alert && TenantPool && PayGo && Deny) {
    return { currencyType, allocated, rules: { Alert, TenantPool, PayGo, Deny } };
  }
  return [...(allocated === undefined ? ['allocated'] : []), ...RULE_TYPES.filter((rule) => rules[rule] === undefined)];
}
