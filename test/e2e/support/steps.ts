/** Scripted agent steps shared by several tests. */

/** Placeholder that the agent replaces with the issue's id. */
export const ISSUE = `\${issue}`;

/** Commits the files written before, pushes them, opens a pull request and reports. */
export const SUBMIT_WORK = [
  { commit: `${ISSUE}: work` },
  { push: true },
  { pr_open: { title: `${ISSUE}: work`, body: `Closes ${ISSUE}` } },
  { done: 'handed in' },
];

export const PUSH_AGAIN = [{ commit: `${ISSUE}: mended` }, { push: true }, { done: 'mended' }];
