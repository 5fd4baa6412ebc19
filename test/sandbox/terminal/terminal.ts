import { createInterface } from 'node:readline/promises';
import type { Sandbox } from '../sandbox.ts';
import { createGiveWords, type GiveWords, type SignIn, USAGE } from './give-words.ts';
import { createOffers } from './offers.ts';
import { createScreen, type Screen } from './screen.ts';

const LOOK_EVERY_MS = 200;

/**
 * The world in the terminal: what is typed is done in Slack; what the person sees is printed as it arrives. Resolves with
 * whether `quit` was typed; otherwise the input was at its end. `signIn`: what “sign in” does.
 */
export async function runTerminal(world: Sandbox, signIn?: SignIn): Promise<boolean> {
  console.log(USAGE);
  const offers = createOffers();
  const screen = createScreen(world, offers);
  const give = createGiveWords({ world, screen, offers, signIn });
  const attempt = async (words: string) => {
    offers.turnPage();
    await give(words).catch((error: unknown) => console.log(toSentence(error)));
  };
  return process.stdin.isTTY ? readTyped(screen, attempt) : readPiped(screen, attempt);
}

function toPrompt({ user }: Screen): string {
  return `${user.slice(2).toLowerCase()}> `;
}

async function readTyped(screen: Screen, give: GiveWords): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  let isOpen = true;
  const prompt = () => {
    terminal.setPrompt(toPrompt(screen));
    if (isOpen) terminal.prompt(true);
  };
  const timer = setInterval(() => {
    if (screen.printNews()) prompt();
  }, LOOK_EVERY_MS);
  terminal.on('close', () => {
    isOpen = false;
  });
  let hasQuit = false;
  prompt();
  for await (const line of terminal) {
    hasQuit = line.trim() === 'quit';
    if (hasQuit) break;
    if (line.trim()) await give(line.trim());
    prompt();
  }
  clearInterval(timer);
  terminal.close();
  return hasQuit;
}

/** Lines that are all there at once, of a file or a here-document: each waits for what the one before it led to. */
async function readPiped(screen: Screen, give: GiveWords): Promise<boolean> {
  for await (const line of createInterface({ input: process.stdin })) {
    const words = line.trim();
    if (!words) continue;
    console.log(`${toPrompt(screen)}${words}`);
    if (words === 'quit') return true;
    await give(words);
    await screen.quiet();
  }
  return false;
}

/** The sandbox adds a picture of everything in it to what went wrong. */
function toSentence(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
