/** Maps an event to the query keys that it invalidates. Pure. */
import type { QueryKey } from '@tanstack/react-query';
import type { SentEvent } from './sse.ts';

/**
 * Keys of queries that almost every event affects, because a card shows its worker, its cost and
 * what it is waiting for.
 */
const ALWAYS: readonly QueryKey[] = [['board'], ['inbox'], ['workers'], ['worker'], ['health'], ['span']];

export function listStaleKeys(event: SentEvent): readonly QueryKey[] {
  const issue = findIssue(event);
  return issue === undefined ? ALWAYS : [...ALWAYS, ['issue', issue]];
}

/**
 * Returns the issue of an event. The event of an intent contains the issue only in the command that
 * is about to run.
 */
function findIssue({ issue, command }: SentEvent): string | undefined {
  if (typeof issue === 'string') return issue;
  if (typeof command !== 'object' || command === null || !('issue' in command)) return undefined;
  return typeof command.issue === 'string' ? command.issue : undefined;
}
