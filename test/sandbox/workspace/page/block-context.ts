/** Lets what stands in a message or a view act: in Slack, as the person who looks. */
import type { ShownMessage, ShownView } from '../sight.ts';
import type { BlockContext, Option } from './blocks/context.ts';
import type { Desk } from './desk.ts';
import { openLink } from './sandbox-client.ts';

type SubmitOutcome = { errors: Record<string, string>; error?: string };

type Surroundings = Pick<Desk, 'sight' | 'do'> & {
  /** At the fields of the modal, by block id. */
  errors: Record<string, string>;
  showErrors(view: string, errors: Record<string, string>): void;
  tell(sentence: string): void;
  close(view: string): void;
};

/** The sandbox has these among the warnings. */
const WARNED = ['operation_timeout', 'dispatch_failed'];

export function createBlockContext(around: Surroundings, holder: ShownMessage | ShownView): BlockContext {
  const { sight } = around;
  const isMessage = 'ts' in holder;
  const view = isMessage ? '' : holder.id;
  const where = isMessage ? { message: { channel: holder.channel, ts: holder.ts } } : { view };
  return {
    names: (id) => sight.names[id],
    people: sight.people,
    errors: around.errors,
    async act({ blockId, actionId, choose }) {
      const what = blockId === undefined ? actionId : `${blockId}/${actionId}`;
      const verb = isMessage ? 'click' : 'clickInView';
      const outcome = await around.do<{ url?: string }>(verb, { ...where, what, choose });
      if (outcome?.url) openLink(sight.me.id, outcome.url);
    },
    async submit(entries) {
      const outcome = await around.do<SubmitOutcome>('submit', { view, entries });
      around.showErrors(view, outcome?.errors ?? {});
      if (outcome?.error && !WARNED.includes(outcome.error)) around.tell(outcome.error);
    },
    async fill(entries) {
      await around.do('fill', { view, entries });
    },
    close: () => around.close(view),
    upload: (file) => around.do('upload', file),
    async search(blockId, actionId, typed) {
      const given = { view, field: `${blockId}/${actionId}`, typed };
      return (await around.do<{ options: Option[] }>('search', given))?.options ?? [];
    },
  };
}
