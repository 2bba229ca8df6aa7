/** Why: CI is red. */
export const CI_FAILURE_REASON = `CI is red at the head of your pull request {{pull_request}}, commit {{head}}.

{{fenced.check}}

Find the cause before you change anything: reproduce the failure in the workspace with the command the log shows.
- If your change caused it, mend the change. Do not weaken, skip or delete a check to make it pass.
- If it fails without your change too, or only now and then, say so with what you saw; mend it only if that belongs to this issue.
- If the log shows a machine or a service that failed and not the code, say so: \`legion worker ask\`.
Then run the same check here, commit, \`legion worker push\`, and report again.`;
