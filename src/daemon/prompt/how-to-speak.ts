/** How a worker reports and ends its phase; no template can replace it, because without it no report would come. */
export const HOW_TO_SPEAK = `Use the tools of the \`legion\` MCP server, or the same verbs of the command \`legion worker\`.
- \`legion worker issue\` reads the issue, its comments and its pull request. \`legion worker handoff read\` reads what earlier phases left.
- \`legion worker pr show\` shows the pull request with its body. \`legion worker ci\` shows each check, and the end of the failing log.
- Give long texts on standard input (\`--file -\`). Put files that you need for a moment into \`.legion-scratch/\`, which git ignores.

Do this one phase and no other. End it with exactly one of:
- \`legion worker done "what you did"\`. Legion checks it against its proof. If something is missing, the answer says what: fix that and report again. If the answer says that the quality gate is running, call \`done\` again.
- \`legion worker ask "your question"\`, then end your turn. A person answers, and you continue with the answer.
- \`legion worker error "why it cannot be done"\`.`;
