import { randomBytes } from 'node:crypto';
import { fieldsIn } from './blocks/elements.ts';
import type { Block, Json, View } from './records.ts';
import { initialValue } from './view-values.ts';
import type { Workspace } from './workspace.ts';

/** Turns what the app sent into a view that a person can fill in; `previous` is the view it replaces. */
export function makeView(workspace: Workspace, userId: string, sent: Json, previous?: View): View {
  const id = previous?.id ?? workspace.identifiers.next('V');
  const blocks = withIds((sent.blocks ?? []) as Block[]);
  return {
    id,
    type: sent.type === 'home' ? 'home' : 'modal',
    hash: newHash(),
    callbackId: text(sent.callback_id),
    title: sent.title as Json | undefined,
    submit: sent.submit as Json | undefined,
    close: sent.close as Json | undefined,
    blocks,
    privateMetadata: text(sent.private_metadata),
    externalId: text(sent.external_id),
    clearOnClose: sent.clear_on_close === true,
    notifyOnClose: sent.notify_on_close === true,
    submitDisabled: sent.submit_disabled === true,
    userId,
    rootViewId: previous?.rootViewId ?? id,
    previousViewId: previous?.previousViewId ?? null,
    entered: entered(blocks, previous),
    offered: previous?.offered ?? {},
  };
}

/** A view on top of another one. */
export function makePushed(workspace: Workspace, below: View, sent: Json): View {
  return { ...makeView(workspace, below.userId, sent), previousViewId: below.id, rootViewId: below.rootViewId };
}

function newHash(): string {
  return `${Math.floor(Date.now() / 1000)}.${randomBytes(4).toString('hex')}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Slack fills in the ids that the app left out. */
export function withIds(blocks: Block[]): Block[] {
  return blocks.map((block) => {
    const fill = (element: Json): Json =>
      element.action_id === undefined && isInteractive(element) ? { ...element, action_id: shortId() } : element;
    const filled: Block = { ...block, block_id: block.block_id ?? shortId() };
    if (Array.isArray(block.elements) && block.type !== 'context' && block.type !== 'rich_text') {
      filled.elements = block.elements.map(fill);
    }
    if (block.element) filled.element = fill(block.element as Json);
    if (block.accessory) filled.accessory = fill(block.accessory as Json);
    return filled;
  });
}

function isInteractive(element: Json): boolean {
  return element.type !== 'image' && element.type !== 'mrkdwn' && element.type !== 'plain_text';
}

function shortId(): string {
  return randomBytes(4).toString('base64url').slice(0, 5);
}

/** What a person typed survives an update where block and action id stay the same. */
function entered(blocks: Block[], previous: View | undefined): View['entered'] {
  const values: View['entered'] = {};
  for (const { block, element } of fieldsIn(blocks)) {
    if (element.type === 'overflow') continue;
    const blockId = String(block.block_id);
    const actionId = String(element.action_id);
    const value = previous?.entered[blockId]?.[actionId] ?? initialValue(element);
    values[blockId] = { ...values[blockId], [actionId]: value };
  }
  return values;
}
