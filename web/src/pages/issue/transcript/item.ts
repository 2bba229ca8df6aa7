/** Types of transcript items, and a search through them. Pure. */

export interface TurnUsage {
  readonly in: number;
  readonly out: number;
  readonly usd: number;
}

export type TranscriptContent =
  /**
   * A text of the agent. A long text is split into several rows, and `goesOn` is true for every row
   * except the first.
   */
  | { readonly kind: 'said'; readonly text: string; readonly goesOn: boolean }
  | ToolCall
  | { readonly kind: 'question'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string; readonly isWarning: boolean }
  | { readonly kind: 'turn'; readonly isCutShort: boolean; readonly used: TurnUsage }
  | { readonly kind: 'error'; readonly code: string; readonly text: string }
  /** Lines that do not come from an agent, shown unchanged. */
  | { readonly kind: 'raw'; readonly text: string; readonly lines: number };

export interface ToolCall {
  readonly kind: 'tool';
  readonly tool: string;
  readonly detail: string;
  readonly outcome: ToolOutcome;
  /** Output of the tool. Empty while the tool runs, or if it has no output. */
  readonly result: string;
}

export type ToolOutcome = 'running' | 'done' | 'failed';

/** `number` is the item's position in the whole attempt, counting omitted items too. */
export type TranscriptItem = TranscriptContent & { readonly number: number };

export function getSearchText(item: TranscriptContent): string {
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

/** Returns the indexes of the items that contain these words, ignoring case. */
export function findMatches(items: readonly TranscriptItem[], words: string): readonly number[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [];
  return items.flatMap((item, index) => (getSearchText(item).toLowerCase().includes(wanted) ? [index] : []));
}
