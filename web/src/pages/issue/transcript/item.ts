/** What a transcript consists of, and what one finds when searching in it. Pure. */

export interface Used {
  readonly in: number;
  readonly out: number;
  readonly usd: number;
}

export type Content =
  /** `goes on`: a long text is cut into rows, and this is not its first. */
  | { readonly kind: 'said'; readonly text: string; readonly goesOn: boolean }
  | ToolCall
  | { readonly kind: 'question'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string; readonly isWarning: boolean }
  | { readonly kind: 'turn'; readonly isCutShort: boolean; readonly used: Used }
  | { readonly kind: 'error'; readonly code: string; readonly text: string }
  /** Lines that are no agent's: as they were written. */
  | { readonly kind: 'raw'; readonly text: string; readonly lines: number };

export interface ToolCall {
  readonly kind: 'tool';
  readonly tool: string;
  readonly detail: string;
  readonly outcome: Outcome;
  /** What it gave back; empty where it gave nothing, or has not ended. */
  readonly result: string;
}

export type Outcome = 'running' | 'done' | 'failed';

/** `number` counts from the attempt's beginning, also over what is left out. */
export type Item = Content & { readonly number: number };

export function wordsOf(item: Content): string {
  switch (item.kind) {
    case 'said':
    case 'question':
    case 'note':
    case 'raw':
      return item.text;
    case 'tool':
      return `${item.tool} ${item.detail} ${item.result}`;
    case 'error':
      return `${item.text} ${item.code}`;
    case 'turn':
      return '';
  }
}

/** Places of the items with these words, whatever their case. */
export function found(items: readonly Item[], words: string): readonly number[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [];
  return items.flatMap((item, index) => (wordsOf(item).toLowerCase().includes(wanted) ? [index] : []));
}
