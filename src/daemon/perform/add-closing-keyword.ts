/** Adds the line that names the issue to the body of its pull request, unless it is there by now. */
import type { Command } from '../../domain/command.ts';
import { namesIssue } from '../../pipeline/gates/closing-keyword.ts';
import type { World } from '../world.ts';
import { done, type Outcome, superseded } from './outcome.ts';

export async function addClosingKeyword(
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
