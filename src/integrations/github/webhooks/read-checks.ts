/** What GitHub's four kinds of events about checks say, in one form. */
import type { z } from 'zod';
import type { CheckSeen } from '../../../envoy/github/check-fold.ts';
import { statusVerdict, verdictOf } from '../../../envoy/github/check-summary.ts';
import type { checkRunBody, checkSuiteBody, statusBody, workflowRunBody } from './bodies.ts';

export function seenRun({ repository, check_run: run }: z.output<typeof checkRunBody>): CheckSeen {
  const suite = run.check_suite?.id;
  return {
    ...placeOf(repository, run.head_sha, [run.check_suite?.head_branch], run.pull_requests),
    check: {
      ...{ kind: 'run', key: `run ${suite ?? ''} ${run.name}`, suite, name: run.name, id: run.id },
      at: millis(run.completed_at ?? run.started_at),
      verdict: verdictOf(run.status, run.conclusion),
    },
  };
}

export function seenSuite({ repository, check_suite: suite }: z.output<typeof checkSuiteBody>): CheckSeen {
  const { id, app } = suite;
  return {
    ...placeOf(repository, suite.head_sha, [suite.head_branch], suite.pull_requests),
    check: {
      ...{ kind: 'suite', key: `suite ${id}`, suite: id, name: app?.name ?? 'check suite', id },
      at: millis(suite.updated_at),
      verdict: verdictOf(suite.status, suite.conclusion),
    },
  };
}

export function seenWorkflow({ repository, workflow_run: run }: z.output<typeof workflowRunBody>): CheckSeen {
  const suite = run.check_suite_id ?? undefined;
  return {
    ...placeOf(repository, run.head_sha, [run.head_branch], run.pull_requests),
    check: {
      ...{ kind: 'workflow', key: `workflow ${suite ?? ''} ${run.id}`, suite, id: run.id },
      name: run.name ?? 'workflow',
      at: millis(run.updated_at),
      verdict: verdictOf(run.status, run.conclusion),
    },
  };
}

export function seenStatus(body: z.output<typeof statusBody>): CheckSeen {
  const { repository, sha, context, id, state } = body;
  const branches = (body.branches ?? []).map(({ name }) => name);
  return {
    ...placeOf(repository, sha, branches, []),
    check: {
      ...{ kind: 'status', key: `status ${context}`, suite: undefined, name: context, id },
      at: millis(body.updated_at),
      verdict: statusVerdict(state),
    },
  };
}

function placeOf(
  { owner, repo }: { readonly owner: string; readonly repo: string },
  sha: string,
  branches: readonly (string | null | undefined)[],
  pullRequests: readonly { readonly number: number }[] | null | undefined,
): Omit<CheckSeen, 'check'> {
  return {
    ...{ owner, repo, sha },
    branches: branches.filter((name) => typeof name === 'string'),
    pullRequests: (pullRequests ?? []).map(({ number }) => number),
  };
}

function millis(time: string | null | undefined): number {
  const at = Date.parse(time ?? '');
  return Number.isNaN(at) ? 0 : at;
}
