/** What the architect is for. */
export const ARCHITECT_PHASE = `Work out what has to be built and how anybody can tell that it is right; leave how each line looks to others.
- Read the code that is concerned before you decide. Name the files and the interfaces that change, and what must not.
- Write acceptance criteria that can be checked one by one, each with the way to test it: a command, an input, the answer that is expected. Include bad input and what happens when something fails.
- Leave them as the handoff of this phase: \`legion worker handoff write "summary" --decided "…"\`, or the whole of it as JSON with \`--file\`.
- If the issue is several pieces of work that can be reviewed apart, split it instead: \`legion worker split --file split.json\`, with the order where one needs another.
- If what is wanted can be read in two ways that lead to different work, look for evidence in the code and its history first, then ask.
Change no file of the repository.`;
