// How the tests of the stand-in call it.
import { onTestFinished } from 'vitest';
import { askJson, type Told } from '../loopback/ask-json.ts';
import { type AdminOptions, type AdminSandbox, API_VERSION, startAdmin } from './start-admin.ts';

/** Ends with the test. */
export async function start(options: AdminOptions = {}): Promise<AdminSandbox> {
  const admin = await startAdmin(options);
  onTestFinished(() => admin.close());
  return admin;
}

type Call = { method?: string; body?: unknown; token?: string; version?: string };

export function call(admin: AdminSandbox, path: string, options: Call = {}): Promise<Told> {
  const { method = 'GET', body, token = 'sandbox-kim', version = `?api-version=${API_VERSION}` } = options;
  return askJson(admin.url + path + version, { method, token, body });
}

export const ALLOCATIONS = '/licensing/allocationsByEnvironment';
