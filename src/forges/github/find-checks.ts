/** Whether anything checks commits of a repository on GitHub, found in one request. */
import { branchRef } from '../../integrations/forge-support/repository.ts';
import type { FindChecksQuery } from '../../integrations/github/generated/forge.ts';
import { askRepository } from './ask-one.ts';
import type { Desk } from './desk.ts';

/** Of services that check pull requests only, the base shows nothing; the latest pull requests do. */
const PULL_REQUESTS = 5;

export const FIND_CHECKS = `query FindChecks($owner: String!, $name: String!, $ref: String!) {
  repository(owner: $owner, name: $name) {
    ref(qualifiedName: $ref) {
      refUpdateRule { requiredStatusCheckContexts }
      target { ... on Commit { statusCheckRollup { state } } }
    }
    pullRequests(last: ${PULL_REQUESTS}) {
      nodes { commits(last: 1) { nodes { commit { statusCheckRollup { state } } } } }
    }
  }
}`;

export async function findChecks(desk: Desk, signal: AbortSignal): Promise<'some' | 'none'> {
  const variables = { ref: branchRef(desk.base) };
  const { ref, pullRequests } = await askRepository<FindChecksQuery>(desk, FIND_CHECKS, variables, signal);
  const required = ref?.refUpdateRule?.requiredStatusCheckContexts ?? [];
  const commits = (pullRequests.nodes ?? []).flatMap(
    (each) => each?.commits.nodes?.map((node) => node?.commit) ?? [],
  );
  const isChecked = [ref?.target, ...commits].some(
    (commit) => commit?.statusCheckRollup !== undefined && commit.statusCheckRollup !== null,
  );
  return required.length > 0 || isChecked ? 'some' : 'none';
}
