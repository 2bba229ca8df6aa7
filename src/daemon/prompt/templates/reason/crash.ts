/** Why: an earlier attempt ended before it was done. */
export const CRASH_REASON = `An earlier attempt at this phase ended before it was done. This is attempt {{attempt}}. Your session may be a new one that remembers nothing of it.

{{fenced.checkpoint}}

- Look before you act: \`git status\`, \`git log {{base_ref}}..HEAD\`, \`legion worker issue\`, \`legion worker handoff read\`. Commits, a pull request, comments and a handoff may be there already.
- Keep what is done and continue with what remains. Check first what the last action left behind: it may have been cut off in the middle.
- Save a checkpoint early: \`legion worker checkpoint "stage" --completed "…" --remaining "…"\`.
- If the same step ended the last attempt, do it another way.`;
