/** Why: the tester or the merger found the work unfit. */
export const SENT_BACK_REASON = `Your work, pull request {{pull_request}}, was sent back: somebody who had to test or merge it found it unfit.

{{fenced.order}}

Treat what it says as your work order. See for yourself first: reproduce it in the workspace, then mend the cause.
If it is wrong, or asks for more than the issue does, say why in a comment (\`legion worker comment\`).
Run the tests, commit, \`legion worker push\`, and report again with what you did about each point.`;
