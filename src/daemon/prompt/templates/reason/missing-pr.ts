/** Why: a report without a pull request. */
export const MISSING_PR_REASON = `You reported that you are done, but branch {{branch}} has no open pull request, so nobody can test or review the work.
- See what is committed: \`git log {{base_ref}}..HEAD\`. See what is not: \`git status\`. Commit what is missing.
- \`legion worker push\`
- Open the pull request: \`legion worker pr open --title "…" --body-file -\`, with the body on standard input.
- Report again when \`legion worker pr show\` shows the pull request.
- If there is nothing to change for this issue, say why: \`legion worker ask "…"\`.`;
