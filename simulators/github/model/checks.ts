/**
 * Records CI results of a commit: check runs, commit statuses of older services, and their rollup.
 */
import type { CheckRun } from '../simulator.ts';
import type { CheckRunNode, Repository, StatusNode } from './nodes.ts';
import type { GithubWorld } from './world.ts';

/** Completes an open run of the same name on the commit. Otherwise records a new run. */
export function recordCheckRun(
  world: GithubWorld,
  repository: Repository,
  sha: string,
  check: CheckRun,
): CheckRunNode {
  const open = listLatestChecks(repository, sha).find(
    (each): each is CheckRunNode =>
      each.type === 'CheckRun' && each.name === check.name && each.conclusion === null,
  );
  const run =
    open ??
    world.add<CheckRunNode>({
      ...world.identity('CR'),
      type: 'CheckRun',
      repository,
      sha,
      name: check.name,
      conclusion: null,
      completedAt: undefined,
      summary: null,
      log: undefined,
    });
  run.conclusion = check.conclusion;
  run.completedAt = check.conclusion === null ? undefined : world.now();
  run.summary = check.summary ?? run.summary;
  run.log = check.log ?? run.log;
  const by = repository.owner;
  if (open === undefined) {
    repository.checks.push(run);
    world.changed({ event: 'check_run', action: 'created', by, check: run });
  }
  if (run.conclusion !== null) {
    world.changed({ event: 'check_run', action: 'completed', by, check: run });
    if (
      listLatestChecks(repository, sha).every((each) => each.type !== 'CheckRun' || each.conclusion !== null)
    ) {
      world.changed({ event: 'check_suite', action: 'completed', by, check: run });
    }
  }
  return run;
}

export function recordStatus(
  world: GithubWorld,
  repository: Repository,
  sha: string,
  status: { readonly context: string; readonly state: string; readonly description?: string | undefined },
): void {
  const node = world.add<StatusNode>({
    ...world.identity('SC'),
    type: 'StatusContext',
    repository,
    sha,
    context: status.context,
    state: status.state,
    description: status.description ?? null,
  });
  repository.checks.push(node);
  world.changed({ event: 'status', by: repository.owner, status: node });
}

/** Returns the newest check with each name. */
export function listLatestChecks(repository: Repository, sha: string): (CheckRunNode | StatusNode)[] {
  const newest = new Map<string, CheckRunNode | StatusNode>();
  for (const check of repository.checks) {
    if (check.sha === sha) newest.set(`${check.type} ${nameOfCheck(check)}`, check);
  }
  return [...newest.values()];
}

export function nameOfCheck(check: CheckRunNode | StatusNode): string {
  return check.type === 'CheckRun' ? check.name : check.context;
}

const FINE: readonly (string | null)[] = ['SUCCESS', 'NEUTRAL', 'SKIPPED'];

export function getCheckState(check: CheckRunNode | StatusNode): 'SUCCESS' | 'PENDING' | 'FAILURE' | 'ERROR' {
  if (check.type === 'StatusContext') return check.state as 'SUCCESS' | 'PENDING' | 'FAILURE' | 'ERROR';
  if (check.conclusion === null) return 'PENDING';
  return FINE.includes(check.conclusion) ? 'SUCCESS' : 'FAILURE';
}

/** Returns undefined if the commit has no checks. */
export function computeRollupState(
  repository: Repository,
  sha: string,
): 'SUCCESS' | 'PENDING' | 'FAILURE' | 'ERROR' | undefined {
  const states = listLatestChecks(repository, sha).map(getCheckState);
  if (states.length === 0) return undefined;
  return (['FAILURE', 'ERROR', 'PENDING'] as const).find((state) => states.includes(state)) ?? 'SUCCESS';
}
