/**
 * Locates the workspace and the session file of an issue's worker, so that a test can remove them.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import type { TestLegion } from '../../support/running-daemon.ts';

export function findWorkspace({ folder }: TestLegion, issue: string): string {
  const workspaces = join(folder, 'data/legion/workspaces/demo');
  const name = readdirSync(workspaces).find((each) => each.startsWith(`${issue.toLowerCase()}-`));
  if (name === undefined) throw new Error(`${issue} has no workspace`);
  return join(workspaces, name);
}

export function toSessionFile({ state }: TestLegion, { sessionId }: Pick<WorkerView, 'sessionId'>): string {
  return join(state, 'scripted', `${sessionId}.jsonl`);
}
