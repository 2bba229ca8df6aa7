/** Why: an earlier attempt ended before it was done. */
export const CRASH_REASON = `An earlier attempt at this phase ended before it was done. This is attempt {{attempt}}. Your session may be a new one that remembers nothing of it.

{{fenced.checkpoint}}

Look before you act: \`git status\`, \`git log {{base}}..HEAD\`, \`legion worker issue\`, \`legion worker handoff read\`. Commits, a pull request, comments and a handoff may be there already.
Do not redo what is done; go on with what remains. If the last action may have been cut off in the middle, check what it left behind first.
Save a checkpoint early this time. If the same step ended the last attempt, do it another way.`;
