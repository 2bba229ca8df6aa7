/** Which column an issue stands in: its status, unless it was closed before it was done. */

/** Read as an end outside the pipeline by every reader of columns. */
const CLOSED = 'Closed';

export function columnOf(issue: { readonly status: string; readonly closed: number }): string {
  return issue.closed === 1 && !isDone(issue) ? CLOSED : issue.status;
}

/** True where nobody has to wait for it any more. */
export function hasEnded(issue: { readonly status: string; readonly closed: number }): boolean {
  return issue.closed === 1 || isDone(issue);
}

function isDone({ status }: { readonly status: string }): boolean {
  return status === 'Done';
}
