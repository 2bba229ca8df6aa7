/** One command, carried out by the file of its name. */
import type { Command } from '../../core/model/command.ts';
import { workerId } from '../../core/model/ids.ts';
import { namesIssue } from '../../pipeline/gates/closing-keyword.ts';
import { quoteFailingLog, readFailingLog } from '../ci/failing-log.ts';
import { writeIssue } from '../commands/write-issue.ts';
import { lastOutputAsMarkdown, readLastOutput } from '../supervisor/last-output.ts';
import type { World } from '../world.ts';
import { cleanWorkspace } from './clean-workspace.ts';
import { done, type Outcome, superseded } from './outcome.ts';
import type { PreparedWorkspace } from './prepared-workspace.ts';
import { runQualityGate } from './run-quality-gate.ts';
import { spawn } from './spawn.ts';
import { stop } from './stop.ts';

/** Idempotent: an intent whose outcome is unknown is performed again at the next start. */
export async function perform(
  world: World,
  command: Command,
  signal: AbortSignal,
  prepared?: Promise<PreparedWorkspace>,
): Promise<Outcome> {
  switch (command.kind) {
    case 'write_issue':
      return writeIssue(world, command, signal);
    case 'spawn':
      return spawn(world, command, signal, prepared);
    case 'comment':
    case 'escalate':
      return postComment(world, command);
    case 'reread_forge':
      // The next look reads the forge by branch, whatever was seen before.
      return done('read again');
    case 'run_quality_gate':
      return runQualityGate(world, command, signal);
    case 'add_closing_keyword':
      return addClosingKeyword(world, command, signal);
    case 'stop':
      return stop(world, command, signal);
    case 'clean_workspace':
      return cleanWorkspace(world, command, signal);
  }
}

/** Adds the line that names the issue to the body of its pull request, unless it is there by now. */
async function addClosingKeyword(
  { repositories, tracker }: World,
  { issue, line }: Extract<Command, { kind: 'add_closing_keyword' }>,
  signal: AbortSignal,
): Promise<Outcome> {
  const { forge } = repositories.of(issue);
  const pullRequest = (await forge.pullRequests([issue], signal)).get(issue);
  const known = await tracker.read(issue, signal);
  if (typeof pullRequest !== 'object' || known === undefined)
    return superseded('there is no pull request to edit');
  if (namesIssue(pullRequest.body, known)) return done('the body names the issue already');
  await forge.edit(pullRequest.number, { body: `${pullRequest.body.trimEnd()}\n\n${line}\n` });
  return done(`added ${JSON.stringify(line)}`);
}

type Commenting = Extract<Command, { kind: 'comment' | 'escalate' }>;

/** Posts a comment on the issue once per key. The inbox also shows escalations. */
async function postComment(world: World, command: Commenting): Promise<Outcome> {
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
