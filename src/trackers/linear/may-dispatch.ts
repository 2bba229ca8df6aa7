/** Whether an issue's text may start a worker: who wrote it decides. */
import type { Issue } from '../../domain/issue.ts';
import type { AuthorPolicy } from '../author-policy.ts';

interface Verdict {
  readonly allowed: boolean;
  readonly why: string;
}

export function mayDispatch({ source, writtenBy }: Issue, policy: AuthorPolicy): Verdict {
  if (source.kind !== 'linear') return { allowed: false, why: 'it is no issue of Linear' };
  if (policy.trust === 'anyone')
    return { allowed: true, why: 'by `authors.trust`, anyone’s issue may start a worker' };
  const name = writtenBy?.name ?? 'its author';
  if (writtenBy?.mayWrite === true) return { allowed: true, why: `${name} is a member of the workspace` };
  const next = `take it over in an issue of your own, or add ${name} to \`authors.also\` in legion.yaml`;
  return { allowed: false, why: `${name} is no member of the workspace: read it, then ${next}` };
}
