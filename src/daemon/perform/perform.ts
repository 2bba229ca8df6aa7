/** One command, carried out by the file of its name. */
import type { Command } from '../../domain/command.ts';
import { namesIssue } from '../../pipeline/gates/closing-keyword.ts';
import type { World } from '../world.ts';
import { cleanWorkspace } from './clean-workspace.ts';
import { postComment } from './comment.ts';
import { done, type Outcome, superseded } from './outcome.ts';
import { runQualityGate } from './run-quality-gate.ts';
import { spawn } from './spawn.ts';
import { stop } from './stop.ts';
import { writeIssue } from './write-issue.ts';

/** Idempotent: an intent whose outcome is unknown is performed again at the next start. */
export async function perform(world: World, command: Command, signal: AbortSignal): Promise<Outcome> {
  switch (command.kind) {
    case 'write_issue':
      return writeIssue(world, command, signal);
    case 'spawn':
      return spawn(world, command, signal);
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
