/** What the page asks for, done as the person whom it is shown to. */
import { z } from 'zod';
import type { Person } from '../slack/people/person.ts';
import type { View } from '../slack/records.ts';
import type { SandboxSlack } from '../slack/start-slack.ts';
import type { Entry } from '../slack/view-values.ts';

const text = z.string();
const message = z.object({ channel: text, ts: text });
const choose = z.union([text, z.array(text), z.record(text, z.unknown())]).optional();
const view = text;
/** The bytes in base64. */
const upload = { name: text, content: text };
/** An upload, or a file that is kept elsewhere and is only shared. */
const file = z.union([z.object(upload), z.object({ name: text, url: z.url(), externalType: text.optional() })]);

const DOINGS = {
  say: doing(
    {
      channel: text,
      text,
      threadTs: text.optional(),
      broadcast: z.boolean().optional(),
      files: z.array(file).optional(),
    },
    say,
  ),
  edit: doing({ message, text }, (person, given) => person.edit(given.message, given.text)),
  delete: doing({ message }, (person, given) => person.delete(given.message)),
  click: doing({ message, what: text, choose }, (person, given) =>
    person.click(given.message, given.what, given.choose as Entry),
  ),
  invite: doing({ channel: text, user: text }, async (person, given) => person.invite(given.channel, given.user)),
  shortcut: doing({ message, callbackId: text }, (person, given) => person.shortcut(given.message, given.callbackId)),
  stop: doing({ channel: text, threadTs: text }, (person, given) => person.stop(given)),
  clickInView: doing({ view, what: text, choose }, (person, given) =>
    person.clickInView(findView(person, given.view), given.what, given.choose as Entry),
  ),
  fill: doing({ view, entries: z.record(text, choose) }, async (person, given) =>
    person.fill(findView(person, given.view), given.entries as Record<string, Entry>),
  ),
  submit: doing({ view, entries: z.record(text, choose) }, async (person, given) => {
    const done = await person.submit(findView(person, given.view), given.entries as Record<string, Entry>);
    return { errors: done.errors, error: done.error };
  }),
  upload: doing(upload, async (person, given) => person.upload(toContent(given))),
  search: doing({ view, field: text, typed: text }, (person, given) =>
    person.search(findView(person, given.view), given.field, given.typed),
  ),
  closeView: doing({ view }, (person, given) => person.closeView(findView(person, given.view))),
  opensHome: doing({}, (person) => person.opensHome()),
  opensMessages: doing({}, (person) => person.opensMessages()),
};

const Act = z.object({ person: text, verb: z.enum(Object.keys(DOINGS) as (keyof typeof DOINGS)[]) });

/** Takes `{ person, verb, … }`. Rejects with the sandbox's own sentence where Slack's client does not allow it. */
export function createActor(slack: SandboxSlack): (asked: unknown) => Promise<unknown> {
  return async (asked) => {
    const { person, verb } = Act.parse(asked);
    return DOINGS[verb](slack.as(person), asked);
  };
}

/** What one verb takes, and what it does with it. */
function doing<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (person: Person, given: z.infer<z.ZodObject<Shape>>) => Promise<unknown>,
): (person: Person, asked: unknown) => Promise<unknown> {
  const schema = z.object(shape);
  return async (person, asked) => run(person, schema.parse(asked));
}

type Said = {
  channel: string;
  text: string;
  threadTs?: string | undefined;
  broadcast?: boolean | undefined;
  files?: z.infer<typeof file>[] | undefined;
};

async function say(person: Person, { channel, text, threadTs, broadcast, files }: Said) {
  const { ts, command } = await person.say(channel, text, {
    ...(threadTs !== undefined && { threadTs }),
    ...(broadcast && { broadcast }),
    ...(files?.length && {
      files: files.map((one) => ('content' in one ? toContent(one) : one)),
    }),
    // What the app makes of it is seen when it comes; people do not wait for it.
    await: 'none',
  });
  return { ts, warned: command?.error };
}

function toContent({ name, content }: { name: string; content: string }) {
  return { name, content: Buffer.from(content, 'base64') };
}

function findView(person: Person, id: string): View {
  const view = [person.openView(), person.home()].find((one) => one?.id === id);
  if (!view) throw new Error('This view is no longer open.');
  return view;
}
