/** Why: the pull request conflicts with its base. */
export const CONFLICT_REASON = `Your pull request {{pull_request}} (head {{head}}) conflicts with its base {{base}}. Resolve that first: a red check may be nothing but the conflict.
- Save or commit what is open (\`git status\`). Where the repository has a remote, \`git fetch\` first.
- \`git rebase {{base}}\` (or \`git merge {{base}}\`), and resolve each conflict so that both changes keep their meaning: read the commits of {{base}} that touch the same lines (\`git log -p {{branch}}..{{base}} -- FILE\`).
- Never drop the other side's change to be done with it. If the two cannot both be right, ask.
- No conflict mark may be left (\`git diff --check\`). Run the whole suite: what merges cleanly may still not work together.
Then \`legion worker push\`, and report again.`;
