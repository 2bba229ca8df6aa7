/** Why: CI is red. */
export const CI_FAILURE_REASON = `CI is red at the head of your pull request {{pull_request}}, commit {{head}}.

{{fenced.check}}

- Read the whole result: \`legion worker ci\`.
- Reproduce the failure in the workspace with the command that the log shows.
- If your change caused it, fix the change.
- If it fails without your change too, or only now and then, say so with what you saw. Fix it only if that belongs to this issue.
- If a machine or a service failed and not the code, say so: \`legion worker ask "…"\`.
- Run the same check here, commit, \`legion worker push\`, and report again.`;
