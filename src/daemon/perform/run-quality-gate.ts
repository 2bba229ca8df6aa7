/** Runs the repository's quality gate in the issue's workspace, at exactly the commit it is asked about. */
import type { Command } from '../../domain/command.ts';
import type { World } from '../world.ts';
import { done, type Outcome, superseded } from './outcome.ts';

type Gate = Extract<Command, { kind: 'run_quality_gate' }>;

export async function runQualityGate(
  world: World,
  { issue, sha }: Gate,
  signal: AbortSignal,
): Promise<Outcome> {
  const { workspaces, host } = world;
  const repository = world.repositories.of(issue);
  const workspace = await workspaces.ensure(issue, repository.path);
  const standing = await workspaces.standing(issue);
  if (standing?.head !== sha) {
    return superseded(`the workspace stands at ${standing?.head ?? 'no commit'}, not at ${sha}`);
  }
  const { verdict, why, tail } = await repository.run('quality_gate', workspace.path, issue, signal);
  // Cut short by our own end it says nothing: the next start runs it anew.
  signal.throwIfAborted();
  const dirty =
    standing.uncommitted.length > 0 ? ` (with uncommitted ${standing.uncommitted.join(', ')})` : '';
  const detail = `${why}${dirty}\n${tail}`;
  return done(`${verdict}: ${why}`, (swarm) => [
    {
      type: 'evidence.recorded',
      issue,
      kind: 'quality_gate',
      revision: (swarm.issues.get(issue)?.lastEvidence ?? 0) + 1,
      sha,
      verdict,
      by: host.name,
      suites: ['quality_gate'],
      detail,
    },
  ]);
}
