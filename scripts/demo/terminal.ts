import { createInterface } from 'node:readline/promises';
import { openBrowserOf, passSignInPages, pressSignIn } from '../../test/sandbox/sign-in.ts';
import type { Message } from '../../test/sandbox/slack/records.ts';
import type { World } from '../../test/sandbox/world.ts';
import { CHANNEL, createScreen, type Screen } from './screen.ts';

const USAGE = `
You are Ana in #general of a Slack that runs on this machine, with the real app in it.

  @assistant what is new?   mentions the assistant; it asks you to sign in, once
  sign in                   presses the button and signs in, in a scripted browser
  > and who owns it?        goes on in the latest thread
  /assistant-web-off …      asks with web search off; /assistant status and the other commands work, too
  quit
`;

const LOOK_EVERY_MS = 200;

const PROMPT = 'ana> ';

/** The world in the terminal: what is typed is said in Slack as Ana; what she sees is printed as it arrives. */
export async function runTerminal(world: World): Promise<void> {
  console.log(USAGE);
  const screen = createScreen(world);
  const run = createRunner(world, screen);
  const attempt = (words: string) => run(words).catch((error: unknown) => console.log(toSentence(error)));
  if (process.stdin.isTTY) await readTyped(screen, attempt);
  else await readPiped(screen, attempt);
}

type RunWords = (words: string) => Promise<void>;

async function readTyped(screen: Screen, run: RunWords): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: PROMPT });
  let isOpen = true;
  const prompt = () => {
    if (isOpen) terminal.prompt(true);
  };
  const timer = setInterval(() => {
    if (screen.printNews()) prompt();
  }, LOOK_EVERY_MS);
  terminal.on('close', () => {
    isOpen = false;
  });
  prompt();
  for await (const line of terminal) {
    if (line.trim() === 'quit') break;
    if (line.trim()) await run(line.trim());
    prompt();
  }
  clearInterval(timer);
  terminal.close();
}

/** Lines that are all there at once, of a file or a here-document: each waits for what the one before it led to. */
async function readPiped(screen: Screen, run: RunWords): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const words = line.trim();
    if (!words) continue;
    console.log(`${PROMPT}${words}`);
    if (words === 'quit') break;
    await run(words);
    await screen.quiet();
  }
}

function createRunner(world: World, screen: Screen): RunWords {
  const ana = world.slack.as('U0ANA');

  async function say(words: string): Promise<void> {
    const text = words.replace(/(?<!\w)@assistant\b/gi, world.slack.mention);
    if (!text.startsWith('>')) return void (await ana.say(CHANNEL, text));
    const thread = screen.read().findLast(isRoot);
    if (!thread) return console.log('There is no thread yet: ask something first, as in “@assistant what is new?”.');
    await ana.say(CHANNEL, text.replace(/^>\s*/, ''), { threadTs: thread.ts });
  }

  return async (words) => {
    if (words === 'sign in') return signIn(world, screen);
    if (!words.startsWith('/')) return say(words);
    const [name = '', ...text] = words.split(' ');
    const { error } = await ana.command(name, text.join(' '), CHANNEL);
    if (error) console.log(`Slack says: ${name} failed with the error ${error}.`);
  };
}

async function signIn(world: World, screen: Screen): Promise<void> {
  const prompt = screen.read().findLast((message) => world.slack.render(message).includes('[Sign in]'));
  if (!prompt) return console.log('Nothing asks you to sign in: ask something first, as in “@assistant what is new?”.');
  const browser = await openBrowserOf(world, 'U0ANA');
  await browser.open(await pressSignIn(world, 'U0ANA', prompt));
  console.log((await passSignInPages(browser)).text);
}

function isRoot({ channel, threadTs, ts, ephemeralFor }: Message): boolean {
  return channel === CHANNEL && !ephemeralFor && (threadTs === undefined || threadTs === ts);
}

/** The sandbox adds a picture of everything in it to what went wrong. */
function toSentence(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
