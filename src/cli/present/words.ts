/** How the same thing looks everywhere: the colour of a state, a verdict, a status. */
import type { LifecycleState } from '../../domain/lifecycle.ts';
import { isLive } from '../../domain/lifecycle.ts';
import type { WorkerView } from '../../protocol/operator.ts';
import type { Style } from './table.ts';

const PRIORITY_WORDS = ['', 'urgent', 'high', 'medium', 'low'] as const;

export function priorityWord(priority: number): string {
  return PRIORITY_WORDS[priority] ?? '';
}

/** `terminal` is the word of the protocol for an issue that was closed outside the pipeline. */
export function statusWord(status: string): string {
  return status === 'terminal' ? 'Closed' : status;
}

/** The state of a worker as a word: its process may still be stopping, or have exited already. */
export function workerState({ status, stopping, hasExited }: WorkerView): {
  readonly text: string;
  readonly style: Style;
} {
  if (stopping !== undefined) return { text: 'stopping', style: 'yellow' };
  if (hasExited === true) return { text: 'exited', style: 'yellow' };
  return { text: status, style: lifecycleStyle(status) };
}

export function lifecycleStyle(state: LifecycleState): Style {
  if (isLive(state)) return 'cyan';
  if (state === 'finished') return 'green';
  return state === 'crashed' || state === 'paused' ? 'red' : state === 'stopped' ? 'dim' : 'yellow';
}

export const VERDICT_MARKS = {
  pass: { mark: '✓', style: 'green' },
  fail: { mark: '✗', style: 'red' },
  unknown: { mark: '?', style: 'yellow' },
} as const satisfies Readonly<Record<string, { mark: string; style: Style }>>;
