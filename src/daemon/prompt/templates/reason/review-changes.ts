/** Why: the reviewer asked for changes. */
export const REVIEW_CHANGES_REASON = `The reviewer asked for changes to your pull request {{pull_request}}, at commit {{head}}.

{{fenced.remarks}}

- Go through every remark. Make the change it asks for, or say why not: \`legion worker comment "…"\`. Leave none unanswered.
- Look for the same mistake elsewhere in your difference: \`git diff {{base_ref}}...HEAD\`.
- Change nothing that no remark asks for.
- Run the tests, commit, \`legion worker push\`, and report again with what you did about each remark.`;
