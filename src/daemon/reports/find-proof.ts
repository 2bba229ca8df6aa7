/** Looks for the proof that a worker's phase is done, where that phase leaves it. */

import type { Proof } from '../../core/health/verify-report.ts';
import type { IssueId } from '../../core/model/ids.ts';
import { readStatus, type SeenStatus } from '../../core/model/status.ts';
import { newIssueRecord, type WorkerRecord } from '../../core/state/state.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Phase } from '../../domain/mode.ts';
import { effectiveLabels } from '../../swarm/effective-labels.ts';
import type { Standing } from '../../workspaces/workspace.ts';
import type { World } from '../world.ts';
import type { Finding } from './finding.ts';
import { phaseOf } from './phase-of.ts';
import { type Look, PROOFS } from './proofs.ts';
import { issueOf, pullRequestOf } from './read-outside.ts';

export interface Found {
  readonly phase: Phase;
  readonly proofs: Readonly<Partial<Record<Proof, Finding>>>;
  readonly issue: Issue;
  readonly status: SeenStatus;
  readonly pullRequest: Look['pullRequest'];
  readonly standing: Look['standing'];
}

/** Phases that leave nothing on the forge, and those whose report depends on the workspace. */
const ON_PAPER: readonly Phase[] = ['architect', 'plan'];
const IN_WORKSPACE: readonly Phase[] = ['architect', 'plan', 'implement', 'retro'];

/** Rejects where the issue itself cannot be read. `seen` is the workspace as somebody saw it a moment ago. */
export async function findProof(world: World, worker: WorkerRecord, seen?: Standing): Promise<Found> {
  const { columns } = world.settings();
  const issue = await issueOf(world, worker.issue);
  const status = readStatus(issue.column, columns);
  const phase = phaseOf(worker.mode, issue.column, columns);
  const [pullRequest, standing] = await Promise.all([
    ON_PAPER.includes(phase) ? ('none' as const) : pullRequestOf(world, issue.id),
    IN_WORKSPACE.includes(phase) ? (seen ?? standingOf(world, issue.id)) : ('none' as const),
  ]);
  const { swarm } = world.ledger;
  const record = swarm.issues.get(issue.id) ?? newIssueRecord(issue.id);
  const labels = effectiveLabels(issue.labels, swarm, issue.id);
  const proofs = PROOFS[phase]({ worker, issue, labels, status, record, pullRequest, standing });
  return { phase, proofs, issue, status, pullRequest, standing };
}

async function standingOf({ workspaces }: World, issue: IssueId): Promise<Look['standing']> {
  try {
    return (await workspaces.standing(issue)) ?? 'none';
  } catch {
    return 'unknown';
  }
}
