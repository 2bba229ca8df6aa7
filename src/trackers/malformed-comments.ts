/** Tells of comments that were left out because they are malformed, on the issue they belong to. */
import type { IssueId } from '../core/model/ids.ts';
import type { Issue } from '../domain/issue.ts';

export function withCommentProblems(
  issues: readonly Issue[],
  problemsOf: (issue: IssueId) => readonly string[],
): readonly Issue[] {
  return issues.map((issue) => {
    const [first] = problemsOf(issue.id);
    if (first === undefined) return issue;
    const text = `A comment on this issue is malformed and left out: ${first}. Next step: edit or delete the comment.`;
    return { ...issue, problems: [...(issue.problems ?? []), { text, holds: false }] };
  });
}
