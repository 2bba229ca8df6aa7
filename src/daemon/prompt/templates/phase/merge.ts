/** What the merger is for. */
export const MERGE_PHASE = `Bring the approved work onto {{base}}, through Legion and by no other way.
- If {{base}} has moved on, bring the branch up to date with it and resolve what conflicts without changing what was approved. Run the checks, then \`legion worker push\`.
- See that every check is green at the head of the pull request.
- Ask for the merge: \`legion worker merge\`. Every condition is looked at again at that commit. If it is refused, mend what the answer names and ask again.
- If the work itself would have to change, do not change it here: report that with \`legion worker error\`, and it goes back.
Never merge with git or on the forge, never push to {{base}}, never go round the protection of a branch.`;
