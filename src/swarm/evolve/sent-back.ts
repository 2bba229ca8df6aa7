/** Work that a tester or merger sent back: from its accepted report until an implementer has handed in what follows from it. */
import type { IssueId } from '../../core/model/ids.ts';
import { newIssueRecord, type SentBack, type Swarm, type WorkerRecord } from '../../core/state/state.ts';
import type { Mode } from '../../domain/mode.ts';

export function noteAcceptedReport(swarm: Swarm, { issue, mode, report }: WorkerRecord): void {
  if (report?.sentBack !== undefined) {
    setSentBack(swarm, issue, { by: mode, why: report.sentBack, ordered: false });
  } else if (mode === 'implement' && report?.outcome === 'done') {
    setSentBack(swarm, issue, undefined);
  }
}

/** An implementer is the answer to it; any other worker means that a person went another way. */
export function noteDispatchedMode(swarm: Swarm, issue: IssueId, mode: Mode): void {
  const sentBack = swarm.issues.get(issue)?.sentBack;
  if (sentBack === undefined) return;
  setSentBack(swarm, issue, mode === 'implement' ? { ...sentBack, ordered: true } : undefined);
}

function setSentBack(swarm: Swarm, issue: IssueId, sentBack: SentBack | undefined): void {
  const { sentBack: before, ...record } = swarm.issues.get(issue) ?? newIssueRecord(issue);
  if (before === undefined && sentBack === undefined) return;
  swarm.issues.set(issue, sentBack === undefined ? record : { ...record, sentBack });
}
