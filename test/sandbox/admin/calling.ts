// How the tests of the stand-in call it: plain requests, no client of ours.
import { API_VERSION } from './admission.ts';
import { AGENT_TYPE, TABLE_NAME } from './query-body.ts';
import { type AdminOptions, type AdminSandbox, startAdmin } from './start-admin.ts';

type Json = { [key: string]: Json } & Json[] & string;
type Told = { readonly status: number; readonly headers: Headers; readonly text: string; readonly json: Json };

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

export async function call(admin: AdminSandbox, path: string, options: Call = {}): Promise<Told> {
  const { method = 'GET', body, token = 'sandbox-kim', version = `?api-version=${API_VERSION}` } = options;
  const contentType = body === undefined ? undefined : { 'content-type': 'application/json' };
  const response = await fetch(admin.url + path + version, {
    method,
    headers: { authorization: `Bearer ${token}`, ...contentType },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: toJson(text) };
}

function toJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {} as Json;
  }
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
