// A real browser, for what the scripted one cannot see: how a page looks, and what it complains about.
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, requireProgram } from './system-programs.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: requireProgram(CHROMIUM), args: ARGS });
}
