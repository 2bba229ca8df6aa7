/** Posts a comment on the issue, once by its key; an escalation is one that the inbox shows as well. */
import type { Command } from '../../domain/command.ts';
import { workerId } from '../../domain/ids.ts';
import { lastOutputAsMarkdown, readLastOutput } from '../last-output.ts';
import type { World } from '../world.ts';
import { done, type Outcome } from './outcome.ts';

type Commenting = Extract<Command, { kind: 'comment' | 'escalate' }>;

export async function postComment(world: World, command: Commenting): Promise<Outcome> {
  const { issue, key } = command;
  await world.tracker.comment(issue, key, await textOf(world, command));
  return done('commented');
}

async function textOf(world: World, command: Commenting): Promise<string> {
  if (command.kind !== 'escalate' || command.worker === undefined) return command.text;
  const { mode, attempt } = command.worker;
  const output = await readLastOutput(world, workerId(command.issue, mode), attempt);
  return output === undefined ? command.text : `${command.text}\n\n${lastOutputAsMarkdown(mode, output)}`;
}
