/** Why: the tester did not pass the work. */
export const TEST_FAILURE_REASON = `The tester did not pass your work, pull request {{pull_request}}, tried at commit {{commit}}.

{{fenced.report}}

- Take the findings one by one. Reproduce each, write a test that fails for it, then fix the cause.
- If a finding is wrong, or asks for more than the acceptance criteria do, say why: \`legion worker comment "…"\`.
- Run the whole suite, commit, \`legion worker push\`, and report again with what you did about each finding.`;
