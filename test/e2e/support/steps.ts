/** Steps that several lives play. */

/** Filled in by the agent. */
export const ISSUE = `\${issue}`;

/** Opens the pull request with whatever was written before. */
export const HAND_IN = [
  { commit: `${ISSUE}: work` },
  { push: true },
  { pr_open: { title: `${ISSUE}: work`, body: `Closes ${ISSUE}` } },
  { done: 'handed in' },
];

export const PUSH_AGAIN = [{ commit: `${ISSUE}: mended` }, { push: true }, { done: 'mended' }];
