/** Whether an issue's text may start a worker: where it lives and who wrote it decide. */
import type { Issue } from '../../domain/issue.ts';
import { isSameRepository } from '../../integrations/github/client/issue-reference.ts';
import type { AuthorPolicy } from '../author-policy.ts';

export interface Verdict {
  readonly allowed: boolean;
  readonly why: string;
}

export function mayDispatch(issue: Issue, repositories: readonly string[], policy: AuthorPolicy): Verdict {
  const { source, writtenBy } = issue;
  if (source.kind !== 'github') return { allowed: false, why: 'it is no issue of GitHub' };
  const repository = `${source.owner}/${source.repo}`;
  if (!repositories.some((each) => isSameRepository(each, repository)))
    return {
      allowed: false,
      why: `${repository} is not one of this legion’s; add it to \`repos\` in legion.yaml`,
    };
  if (policy.trust === 'anyone')
    return { allowed: true, why: 'by `authors.trust`, anyone’s issue may start a worker' };
  if (writtenBy?.mayWrite === true)
    return { allowed: true, why: `${writtenBy.name} may write to ${repository}` };
  const name = writtenBy?.name ?? 'its author';
  const next = `take it over in an issue of your own, or add ${name} to \`authors.also\` in legion.yaml`;
  return { allowed: false, why: `${name} may not write to ${repository}: read it, then ${next}` };
}
