// How the tests of the stand-in call it.
import { askJson, type Told } from '../loopback/ask-json.ts';
import { API_VERSION } from './admission.ts';
import { AGENT_TYPE, TABLE_NAME } from './query-body.ts';
import { type AdminOptions, type AdminSandbox, startAdmin } from './start-admin.ts';

const started: AdminSandbox[] = [];

export async function start(options: AdminOptions = {}): Promise<AdminSandbox> {
  const admin = await startAdmin(options);
  started.push(admin);
  return admin;
}

export async function closeAll(): Promise<void> {
  await Promise.all(started.splice(0).map((admin) => admin.close()));
}

type Call = { method?: string; body?: unknown; token?: string; version?: string };

export function call(admin: AdminSandbox, path: string, options: Call = {}): Promise<Told> {
  const { method = 'GET', body, token = 'sandbox-kim', version = `?api-version=${API_VERSION}` } = options;
  return askJson(admin.url + path + version, { method, token, body });
}

export const agents = where('type', `'${AGENT_TYPE}'`);

export function where(FieldName: string, literal: string, Operator = '=='): object {
  return { $type: 'where', FieldName, Operator, Values: [literal] };
}

export function project(...FieldList: string[]): object {
  return { $type: 'project', FieldList };
}

export function query(admin: AdminSandbox, Clauses: unknown[], Options?: object): Promise<Told> {
  const body = { TableName: TABLE_NAME, Clauses, ...(Options ? { Options } : {}) };
  return call(admin, '/resourcequery/resources/query', { method: 'POST', body });
}
