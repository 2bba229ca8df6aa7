/** Where the workspace and the session file of an issue's worker lie, so that a test can take them away. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerView } from '../../../src/protocol/operator.ts';
import type { TestLegion } from '../../support/running-daemon.ts';

export function workspaceOf({ folder }: TestLegion, issue: string): string {
  const workspaces = join(folder, 'data/legion/workspaces/demo');
  const name = readdirSync(workspaces).find((each) => each.startsWith(`${issue.toLowerCase()}-`));
  if (name === undefined) throw new Error(`${issue} has no workspace`);
  return join(workspaces, name);
}

export function sessionFileOf({ state }: TestLegion, { sessionId }: Pick<WorkerView, 'sessionId'>): string {
  return join(state, 'scripted', `${sessionId}.jsonl`);
}
