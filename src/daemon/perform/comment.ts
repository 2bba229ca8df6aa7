/** Posts a comment on the issue, once by its key; an escalation is one that the inbox shows as well. */
import type { Command } from '../../domain/command.ts';
import type { World } from '../world.ts';
import { done, type Outcome } from './outcome.ts';

export async function postComment(
  { tracker }: World,
  { issue, key, text }: Extract<Command, { kind: 'comment' | 'escalate' }>,
): Promise<Outcome> {
  await tracker.comment(issue, key, text);
  return done('commented');
}
