/** Which answers an event makes old: the first words of their keys. Pure. */
import type { QueryKey } from '@tanstack/react-query';
import type { SentEvent } from './sse.ts';

/** Almost every event shows on these: a card has its worker, what it waits for and what it cost. */
const ALWAYS: readonly QueryKey[] = [['board'], ['inbox'], ['workers'], ['worker'], ['health'], ['span']];

export function concerns(event: SentEvent): readonly QueryKey[] {
  const issue = issueOf(event);
  return issue === undefined ? ALWAYS : [...ALWAYS, ['issue', issue]];
}

/** An intent has its issue inside of the command it is about to perform. */
function issueOf({ issue, command }: SentEvent): string | undefined {
  if (typeof issue === 'string') return issue;
  if (typeof command !== 'object' || command === null || !('issue' in command)) return undefined;
  return typeof command.issue === 'string' ? command.issue : undefined;
}
