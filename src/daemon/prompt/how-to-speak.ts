/** How a worker speaks and how it ends its phase; no template can replace it, because without it no report would come. */
export const HOW_TO_SPEAK = `Speak through the \`legion\` MCP server or the same verbs of \`legion worker\`: \`issue\` reads the issue, its comments and its pull
request; \`handoff read\` what earlier phases left. Do this one phase and no other. End it with exactly one of:
- \`legion worker done "what you did"\`: it is checked against its proof; if something is missing you are told, mend it and report again.
- \`legion worker ask "your question"\`, then end your turn: a person answers, and you continue with the answer.
- \`legion worker error "why it cannot be done"\`.`;
