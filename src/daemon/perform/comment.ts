/** Posts a comment on the issue, once by its key; an escalation is one that the inbox shows as well. */
import type { Command } from '../../domain/command.ts';
import { workerId } from '../../domain/ids.ts';
import { quoteFailingLog, readFailingLog } from '../ci/failing-log.ts';
import { lastOutputAsMarkdown, readLastOutput } from '../last-output.ts';
import type { World } from '../world.ts';
import { done, type Outcome } from './outcome.ts';

type Commenting = Extract<Command, { kind: 'comment' | 'escalate' }>;

export async function postComment(world: World, command: Commenting): Promise<Outcome> {
  const { issue, key } = command;
  await world.tracker.comment(issue, key, await textOf(world, command));
  return done('commented');
}

/** Whoever has to decide sees what the worker said last, and what red CI printed last. */
async function textOf(world: World, command: Commenting): Promise<string> {
  if (command.kind !== 'escalate') return command.text;
  const { issue, text, worker } = command;
  const failing = await readFailingLog(world, issue);
  const output = worker && (await readLastOutput(world, workerId(issue, worker.mode), worker.attempt));
  return [
    text,
    ...(worker === undefined || output === undefined ? [] : [lastOutputAsMarkdown(worker.mode, output)]),
    ...(failing === undefined ? [] : [quoteFailingLog(failing)]),
  ].join('\n\n');
}
