/** Extracts from an inbox item its question and the worker that asks it. Pure. */
import type { Mode } from '../../../../src/core/model/mode.ts';
import type { InboxItem } from '../../../../src/protocol/operator.ts';

/** Returns the question without its prefix, such as `plan asks: `. */
export function extractQuestion({ mode, text }: InboxItem): string {
  const before = `${mode ?? ''} asks: `;
  return mode !== undefined && text.startsWith(before) ? text.slice(before.length) : text;
}

/**
 * Returns whether a written answer settles the item, which is the case if its next step is `legion
 * answer`.
 */
export function isAnswerable({ next }: InboxItem): boolean {
  return next.startsWith('legion answer ');
}

export function findAskingWorker({
  issue,
  mode,
}: InboxItem): { readonly id: string; readonly mode: Mode } | undefined {
  return issue === null || mode === undefined ? undefined : { id: `${issue}-${mode}`.toLowerCase(), mode };
}
