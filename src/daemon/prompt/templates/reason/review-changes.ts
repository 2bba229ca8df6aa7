/** Why: the reviewer asked for changes. */
export const REVIEW_CHANGES_REASON = `The reviewer asked for changes to your pull request {{pull_request}}, at commit {{head}}.

{{fenced.remarks}}

Go through every remark. Make the change it asks for, or answer with a reason why not (\`legion worker comment\`); leave none without either.
Look for the same mistake elsewhere in your difference. Change nothing that no remark asks for.
Run the tests, commit, \`legion worker push\`, and report again with what you did about each remark.`;
