/** What an item says about who asks, and whom it is about. Pure. */
import type { Mode } from '../../../../src/domain/mode.ts';
import type { InboxItem } from '../../../../src/protocol/operator.ts';

/** A question without the words before it that say who asks. */
export function questionIn({ mode, text }: InboxItem): string {
  const before = `${mode ?? ''} asks: `;
  return mode !== undefined && text.startsWith(before) ? text.slice(before.length) : text;
}

/** Whether words of a person settle it, by the command that would. */
export function isAnswered({ next }: InboxItem): boolean {
  return next.startsWith('legion answer ');
}

export function workerIn({
  issue,
  mode,
}: InboxItem): { readonly id: string; readonly mode: Mode } | undefined {
  return issue === null || mode === undefined ? undefined : { id: `${issue}-${mode}`.toLowerCase(), mode };
}
