/** Why: a report without a pull request. */
export const MISSING_PR_REASON = `You reported that you are done, but branch {{branch}} has no open pull request, so nobody can test or review the work.
See what is committed (\`git log {{base}}..HEAD\`, \`git status\`), commit what is not, \`legion worker push\`, then \`legion worker pr open --title "…" --body-file FILE\`. Report again when \`legion worker issue\` shows the pull request.
If there is nothing to change for this issue, say why with \`legion worker ask\`.`;
