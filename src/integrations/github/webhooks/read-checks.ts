/** Converts GitHub's four kinds of check events to one format. */
import type { z } from 'zod';
import type { checkRunBody, checkSuiteBody, statusBody, workflowRunBody } from './bodies.ts';
import { type CheckObservation, toCheckVerdict, toStatusVerdict } from './check-summary.ts';

export function readCheckRun({
  repository,
  check_run: run,
}: z.output<typeof checkRunBody>): CheckObservation {
  const suite = run.check_suite?.id;
  return {
    ...buildCommitLocation(repository, run.head_sha, [run.check_suite?.head_branch], run.pull_requests),
    check: {
      kind: 'run',
      key: `run ${suite ?? ''} ${run.name}`,
      suite,
      name: run.name,
      id: run.id,
      at: toMilliseconds(run.completed_at ?? run.started_at),
      verdict: toCheckVerdict(run.status, run.conclusion),
    },
  };
}

export function readCheckSuite({
  repository,
  check_suite: suite,
}: z.output<typeof checkSuiteBody>): CheckObservation {
  const { id, app } = suite;
  return {
    ...buildCommitLocation(repository, suite.head_sha, [suite.head_branch], suite.pull_requests),
    check: {
      kind: 'suite',
      key: `suite ${id}`,
      suite: id,
      name: app?.name ?? 'check suite',
      id,
      at: toMilliseconds(suite.updated_at),
      verdict: toCheckVerdict(suite.status, suite.conclusion),
    },
  };
}

export function readWorkflowRun({
  repository,
  workflow_run: run,
}: z.output<typeof workflowRunBody>): CheckObservation {
  const suite = run.check_suite_id ?? undefined;
  return {
    ...buildCommitLocation(repository, run.head_sha, [run.head_branch], run.pull_requests),
    check: {
      kind: 'workflow',
      key: `workflow ${suite ?? ''} ${run.id}`,
      suite,
      id: run.id,
      name: run.name ?? 'workflow',
      at: toMilliseconds(run.updated_at),
      verdict: toCheckVerdict(run.status, run.conclusion),
    },
  };
}

export function readCommitStatus(body: z.output<typeof statusBody>): CheckObservation {
  const { repository, sha, context, id, state } = body;
  const branches = (body.branches ?? []).map(({ name }) => name);
  return {
    ...buildCommitLocation(repository, sha, branches, []),
    check: {
      kind: 'status',
      key: `status ${context}`,
      suite: undefined,
      name: context,
      id,
      at: toMilliseconds(body.updated_at),
      verdict: toStatusVerdict(state),
    },
  };
}

function buildCommitLocation(
  { owner, repo }: { readonly owner: string; readonly repo: string },
  sha: string,
  branches: readonly (string | null | undefined)[],
  pullRequests: readonly { readonly number: number }[] | null | undefined,
): Omit<CheckObservation, 'check'> {
  return {
    owner,
    repo,
    sha,
    branches: branches.filter((name) => typeof name === 'string'),
    pullRequests: (pullRequests ?? []).map(({ number }) => number),
  };
}

function toMilliseconds(time: string | null | undefined): number {
  const at = Date.parse(time ?? '');
  return Number.isNaN(at) ? 0 : at;
}
