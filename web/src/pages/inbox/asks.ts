/** What an item says about who asks, and whom it is about. Pure. */
import { type Mode, readMode } from '../../../../src/domain/mode.ts';
import type { InboxItem } from '../../../../src/protocol/operator.ts';

/** A question comes as `MODE asks: TEXT`. */
export function askedBy({ text }: InboxItem): { readonly mode: Mode | undefined; readonly text: string } {
  const [, name = '', question = ''] = /^([a-z]+) asks: ([\s\S]*)$/.exec(text) ?? [];
  const mode = readMode(name);
  return mode === undefined ? { mode, text } : { mode, text: question };
}

/** Whether words of a person settle it, by the command that would. */
export function isAnswered({ next }: InboxItem): boolean {
  return next.startsWith('legion answer ');
}

/** The worker it is about, by the command that settles it: `legion stop ISSUE MODE`, `legion prompt ISSUE --mode MODE`. */
export function workerIn({
  issue,
  next,
}: InboxItem): { readonly id: string; readonly mode: Mode } | undefined {
  const [, name = ''] = /legion (?:stop|prompt) \S+ (?:--mode )?([a-z]+)/.exec(next) ?? [];
  const mode = readMode(name);
  return issue === null || mode === undefined ? undefined : { id: `${issue}-${mode}`.toLowerCase(), mode };
}
