import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { buildManifest } from '../../manifest/manifest.ts';
import { readConfig } from '../../src/config.ts';
import type { Finding } from '../../src/doctor/check.ts';
import { examine } from '../../src/doctor/examine.ts';
import { hasErrors, renderFinding, renderReport } from '../doctor/report.ts';
import type { EnvDraft, Name } from './env-draft.ts';
import { ADDRESS, type Question, STEPS, type Step } from './steps.ts';
import type { Terminal } from './terminal.ts';

type Setup = {
  draft: EnvDraft;
  terminal: Terminal;
  /** Undefined until it is chosen. */
  isSocketMode?: boolean;
  /** The variables to ask again, although they are answered. */
  again: ReadonlySet<string>;
};

const MANIFEST = 'manifest.json';

/** Goes through every step. Resolves with whether the doctor finds no error in the end. */
export async function runSetup(setup: Setup): Promise<boolean> {
  const { draft, terminal } = setup;
  await take(ADDRESS, setup);
  const isSocketMode = await chooseTransport(setup);
  writeManifest(draft.toConfig(), isSocketMode);
  terminal.say('', 'The manifest', ...HOW_TO_BEGIN);
  for (const step of STEPS({ isSocketMode })) await take(step, { ...setup, isSocketMode });
  makeKey(setup);
  return lookAtAll(setup);
}

/** Asks and checks until the values are right, or the person keeps them. Values that were answered before are only checked. */
async function take(step: Step, setup: Setup): Promise<void> {
  const { draft, terminal, again } = setup;
  terminal.say('', step.title);
  const names = () => step.questions(draft.toConfig()).map(({ name }) => name);
  let wanted = () => names().filter((name) => !draft.isAnswered(name) || again.has(name));
  let isOpen = wanted().length > 0;
  if (isOpen) sayFirst(step, setup);
  while (true) {
    if (isOpen) await askAll(wanted, step, setup);
    const findings = await look(step, setup);
    if (isOpen || findings.length > 0) show(findings, terminal);
    else terminal.say('  ✓ Entered before.');
    const errors = findings.filter(({ level }) => level === 'error');
    if (errors.length === 0) return;
    const refused = findRefused(errors, setup);
    if (await terminal.agrees(`  Enter ${refused.join(' and ') || 'this'} again?`)) {
      isOpen = true;
      wanted = () =>
        refused.length === 0 ? names() : [...refused, ...names().filter((name) => !draft.isAnswered(name))];
    } else if (await terminal.agrees('  Go on all the same? (n: check again, after you have mended it elsewhere)')) {
      return;
    } else {
      isOpen = false;
    }
  }
}

/** The values that caused the errors, whichever step asks for them. Empty if an error names none of these. */
function findRefused(errors: Finding[], setup: Setup): Name[] {
  const names = listQuestions(setup).map(({ name }) => name);
  const refused = errors.map(({ variable = '' }) =>
    names.filter((name) => variable.split(' or ').includes(name.replace(/_FILE$/, ''))),
  );
  return refused.some(({ length }) => length === 0) ? [] : [...new Set(refused.flat())];
}

function listQuestions({ draft, isSocketMode = false }: Setup): Question[] {
  return [ADDRESS, ...STEPS({ isSocketMode })].flatMap(({ questions }) => questions(draft.toConfig()));
}

/** What to do elsewhere. */
function sayFirst({ first }: Step, { draft, terminal }: Setup): void {
  terminal.say(...(first?.(draft.toConfig()) ?? []).map((line) => `  ${line}`));
}

/** A later question may depend on an earlier answer. With a new address, the manifest is written again. */
async function askAll(wanted: () => Name[], step: Step, setup: Setup): Promise<void> {
  const { draft, terminal, isSocketMode } = setup;
  const address = draft.read('PUBLIC_URL');
  const asked = new Set<Name>();
  const next = () => listQuestions(setup).find(({ name }) => !asked.has(name) && wanted().includes(name));
  for (let question = next(); question; question = next()) {
    asked.add(question.name);
    await ask(question, setup);
  }
  if (isSocketMode === undefined || draft.read('PUBLIC_URL') === address) return;
  writeManifest(draft.toConfig(), isSocketMode);
  terminal.say('  ✓ The manifest is written anew: paste it under App Manifest in the settings of the Slack app.');
  sayFirst(step, setup);
}

async function ask({ name, what, where, isOptional }: Question, { draft, terminal }: Setup): Promise<void> {
  const known = draft.read(name);
  const isHidden = isSecret(name);
  terminal.say(`  ${where}`);
  const shown = isHidden ? 'Enter keeps the one you have' : known;
  const hint = `${isHidden ? ' (not shown)' : ''}${known === '' ? '' : ` [${shown}]`}`;
  while (true) {
    const value = (await terminal.ask(`  ${what}${hint}: `, { isHidden })) || known;
    const problem = value === '' ? undefined : draft.findProblem(name, value);
    if (problem !== undefined) terminal.say(`  ✗ ${problem}`);
    else if (value === '' && !isOptional) terminal.say('  ✗ This one is needed.');
    else return draft.write(name, value);
  }
}

/** Whether the value must not appear on the screen or in a terminal's history. */
function isSecret(name: Name): boolean {
  return /SECRET|TOKEN|REDIS_URL/.test(name);
}

async function look({ checks }: Step, { draft }: Setup): Promise<Finding[]> {
  const config = draft.toConfig();
  const sections = await examine(config, 'before start', checks?.(config) ?? []);
  return sections.flatMap(({ findings }) => findings);
}

function show(findings: Finding[], terminal: Terminal): void {
  terminal.say(...findings.flatMap(renderFinding));
}

/** Writes the variable of the other transport as left out, so that this is asked only once. */
async function chooseTransport({ draft, terminal, again }: Setup): Promise<boolean> {
  const isLeftOut = (name: Name) => draft.isAnswered(name) && draft.read(name) === '';
  if (isLeftOut('SLACK_SIGNING_SECRET') || draft.read('SLACK_APP_TOKEN') !== '' || again.has('SLACK_APP_TOKEN')) {
    return true;
  }
  if (isLeftOut('SLACK_APP_TOKEN') || draft.isAnswered('SLACK_SIGNING_SECRET')) return false;
  const isHttp = await terminal.agrees(
    '  Can Slack reach it, too? (n: Socket Mode, in which the app connects to Slack, and everything takes two seconds more)',
  );
  draft.write(isHttp ? 'SLACK_APP_TOKEN' : 'SLACK_SIGNING_SECRET', '');
  return !isHttp;
}

function writeManifest(config: ReturnType<EnvDraft['toConfig']>, isSocketMode: boolean): void {
  const { PUBLIC_URL: publicUrl, SLACKBOT_DOOR: door } = config;
  const manifest = buildManifest({ publicUrl, isSocketMode, hasSlackbotDoor: door === 'on' });
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
}

const HOW_TO_BEGIN = [
  `  ✓ ${MANIFEST} is written. If the Slack app does not exist yet: open https://api.slack.com/apps, choose Create New App,`,
  '    then From a manifest. Pick the workspace, choose the JSON tab, and paste the whole file.',
];

/** Makes the encryption key. If it is lost, everybody has to sign in again. */
function makeKey({ draft, terminal }: Setup): void {
  terminal.say('', 'The encryption key');
  if (draft.isAnswered('ENCRYPTION_KEYS')) return terminal.say('  ✓ There is one.');
  draft.write('ENCRYPTION_KEYS', `k1:${randomBytes(32).toString('base64')}`);
  terminal.say(
    '  ✓ Made, and written to .env. Keep a copy in a safe place: without it everybody has to sign in again.',
  );
}

async function lookAtAll({ draft, terminal }: Setup): Promise<boolean> {
  terminal.say('', 'Everything together');
  const sections = await examine(readConfig(draft.toEnvironment()), 'before start');
  // Split, because `say` replaces line ends.
  for (const line of renderReport(sections).split('\n')) terminal.say(`  ${line}`);
  return !hasErrors(sections);
}
