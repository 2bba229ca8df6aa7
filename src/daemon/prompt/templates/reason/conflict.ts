/** Why: the pull request conflicts with its base. */
export const CONFLICT_REASON = `Your pull request {{pull_request}} (head {{head}}) conflicts with its base {{base}}. Resolve the conflict first: it may be the only cause of a red check.
- See what is open: \`git status\`. Commit it.
- Put your commits onto the base: \`git rebase {{base_ref}}\`.
- Read the commits of the base that touch the same lines: \`git log -p {{branch}}..{{base_ref}}\`.
- Resolve each conflict so that both changes keep their meaning. Never drop the other side's change. If the two cannot both be right, ask.
- Check that no conflict marker is left: \`git diff --check {{base_ref}}...HEAD\` prints nothing.
- Run the whole suite: what merges cleanly may still not work together.
- \`legion worker push\`, and report again.`;
