/** What the merger is for. */
export const MERGE_PHASE = `Bring the approved work onto {{base}}, through Legion and by no other way.
- Do not rebase or merge {{base}} into a branch that is mergeable, however far it is behind: Legion merges onto the newest {{base}} by itself.
- See that every check is green at the head of the pull request.
- Ask for the merge: \`legion worker merge\`. Every condition is looked at again at that commit. If it is refused, mend what the answer names and ask again.
- Only where the answer says that the branch conflicts, or that a rule of the forge wants it up to date: bring it onto {{base}} without changing what was approved, run the checks, \`legion worker push\`, wait until the checks are green, and ask again.
- If the work itself would have to change, or tests or review no longer count, do not change it here: \`legion worker done --sent-back "what is wrong, and why"\`, and the implementer gets that as its work order.
Never merge with git or on the forge, never push to {{base}}, never go round the protection of a branch.`;
