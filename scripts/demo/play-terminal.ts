import { runTerminal } from '@assistant-bridge/sandbox/terminal/terminal.ts';
import { asksToSignIn, openBrowserOf, passSignInPages, pressSignIn } from '../../test/app/sign-in.ts';
import type { World } from '../../test/app/world.ts';

/** The workspace in the terminal, where “sign in” goes through the app's pages. */
export function playTerminal(world: World): Promise<boolean> {
  return runTerminal(world, async (user, messages) => {
    const prompt = messages.findLast(asksToSignIn);
    if (!prompt) return undefined;
    const browser = await openBrowserOf(world, user);
    await browser.open(await pressSignIn(world, user, prompt));
    return (await passSignInPages(browser)).text;
  });
}
