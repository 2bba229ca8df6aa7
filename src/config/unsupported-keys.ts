/** Keys that this version knows by name and refuses: they have no implementation yet, and must not look as if they had one. */

/** Each key with everything below it, and what works instead, if anything does. */
export type UnsupportedKeys = ReadonlyMap<string, string>;

export const UNSUPPORTED_LEGION_KEYS: UnsupportedKeys = new Map([
  ['hosts', 'all workers run on this machine'],
  ['workspaces.kind', 'every workspace is a git worktree'],
  ['envoy', 'messages stay within the daemon'],
  ['notifications', '`legion inbox` and the dashboard show what waits for you'],
  ['credentials.slack', '`legion inbox` and the dashboard show what waits for you'],
  ['credentials.webhooks.slack', 'webhooks of GitHub and Linear work'],
]);

export const UNSUPPORTED_REPOSITORY_KEYS: UnsupportedKeys = new Map([
  ['testing.suites', 'write in `testing.instructions` which suites a tester should run'],
  ['notifications', '`legion inbox` and the dashboard show what waits for a person'],
]);
