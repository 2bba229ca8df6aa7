/** Whether anything checks commits of a repository on GitHub, found in one request. */
import { branchRef } from '../repository.ts';
import { askRepository } from './ask-one.ts';
import type { Desk } from './desk.ts';

/** Of services that check pull requests only, the base shows nothing; the latest pull requests do. */
const PULL_REQUESTS = 5;

const CHECKS = `query FindChecks($owner: String!, $name: String!, $ref: String!) {
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

interface Rolled {
  readonly statusCheckRollup?: { readonly state: string } | null;
}

interface ChecksAnswer {
  readonly ref: {
    readonly refUpdateRule: { readonly requiredStatusCheckContexts: readonly string[] | null } | null;
    readonly target: Rolled | null;
  } | null;
  readonly pullRequests: {
    readonly nodes: readonly ({
      readonly commits: { readonly nodes: readonly ({ readonly commit: Rolled } | null)[] };
    } | null)[];
  };
}

export async function findChecks(desk: Desk, signal: AbortSignal): Promise<'some' | 'none'> {
  const variables = { ref: branchRef(desk.base) };
  const { ref, pullRequests } = await askRepository<ChecksAnswer>(desk, CHECKS, variables, signal);
  const required = ref?.refUpdateRule?.requiredStatusCheckContexts ?? [];
  const commits = pullRequests.nodes.flatMap((each) => each?.commits.nodes.map((node) => node?.commit) ?? []);
  const isChecked = [ref?.target, ...commits].some(
    (commit) => commit?.statusCheckRollup !== undefined && commit.statusCheckRollup !== null,
  );
  return required.length > 0 || isChecked ? 'some' : 'none';
}
