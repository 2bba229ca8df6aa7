/** Whether anything keeps every worker of the repository from starting, by the rule the daemon goes by. */
import { workspaceRoot } from '../../../config/paths.ts';
import { commandsFingerprint } from '../../../config/repository/fingerprint.ts';
import {
  findPreflightProblems,
  NO_BOARD_PROBLEM,
  type RepositoryFacts,
} from '../../../core/state/preflight.ts';
import { readBaseline } from '../../../daemon/composition/run-baseline.ts';
import { findLfsFiles, lfsNotice } from '../../../git/lfs.ts';
import { gitRunner } from '../../../git/runner.ts';
import { unwrap } from '../../../lib/result.ts';
import { findMisplaced } from '../../../workspaces/git-worktree/find-misplaced.ts';
import { commonFolder } from '../../../workspaces/git-worktree/repository.ts';
import type { CommandContext } from '../../command.ts';
import type { Place } from '../../legion-location.ts';
import type { RepositoryAt } from '../../repository-at.ts';
import { adviseApproval } from './advise-approval.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** The baseline is as the daemon found it last; checks on GitHub are for the daemon to ask about. */
export async function examineFitness(
  { name, path, base, inForce, approved }: RepositoryAt,
  { paths, state, resolved }: Place,
  env: CommandContext['env'],
): Promise<readonly Finding[]> {
  if (!inForce.ok || !approved.ok) return [];
  const { commands } = inForce.value;
  const fingerprint = commandsFingerprint(inForce.value);
  const root = unwrap(workspaceRoot(resolved.config, paths, env));
  const common = await commonFolder(gitRunner({ environment: env }), path);
  const found = await findMisplaced(common, resolved.config.legion, root);
  const facts: RepositoryFacts = {
    repo: name,
    base,
    forge: resolved.config.forge === 'github' ? 'github' : 'local',
    commands: Object.entries(commands).flatMap(([command, argv]) => (argv === undefined ? [] : [command])),
    approved: approved.value,
    forgeChecks: 'unknown',
    misplacedWorkspaces: { repository: path, root, found },
    baseline: approved.value ? readBaseline(state, name, fingerprint) : undefined,
  };
  const problems = findPreflightProblems({ agents: [], board: NO_BOARD_PROBLEM, repositories: [facts] });
  const git = gitRunner({ environment: env });
  const files = await findLfsFiles(git, path, base);
  const lfs = files.length === 0 ? [] : [await lfsNotice(git, path, files)];
  return [
    ...problems.map(({ code, message, next, remedy }) => {
      const advice =
        code === 'preflight.commands_unapproved' ? adviseApproval(state, next) : (remedy ?? next);
      return bad('fit for work', `${message} [${code}]`, advice);
    }),
    ...(facts.baseline?.verdict === 'passed' ? [ok('baseline', 'green')] : []),
    ...lfs.map(({ message, next }) => warn('Git LFS', message, next)),
  ];
}
