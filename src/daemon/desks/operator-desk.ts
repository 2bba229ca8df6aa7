/** The operator's desk: what is due and why, what waits for a person, and a person's word. */
import type { IssueId } from '../../core/model/ids.ts';
import { openFailingLogs } from '../ci/failing-log.ts';
import type { Control } from '../control.ts';
import type { OperatorDesk } from '../daemon.ts';
import { swarmAsJson } from '../present/swarm.ts';
import { advance } from '../services/operator/advance.ts';
import { ci } from '../services/operator/ci.ts';
import { gates } from '../services/operator/gates.ts';
import { inbox } from '../services/operator/inbox.ts';
import { rollback } from '../services/operator/rollback.ts';
import { readStatus } from '../services/operator/status.ts';
import type { World } from '../world.ts';
import { openDayBudgetItems } from './day-budget.ts';
import type { DaemonInfo } from './health.ts';
import { answer } from './operator/answer.ts';
import { approve } from './operator/approve.ts';
import { changeBaseline } from './operator/baseline.ts';
import { collect } from './operator/collect.ts';
import { collectPosted } from './operator/collect-posted.ts';
import { explain } from './operator/explain.ts';
import { gc } from './operator/gc.ts';
import { halt } from './operator/halt.ts';
import { handoffs, writeHandoff } from './operator/handoff.ts';
import { mergePullRequest } from './operator/merge-pull-request.ts';
import { pauseIssue, pauseStarts } from './operator/pause.ts';
import { approveCommands, newestCommands } from './operator/repository-commands.ts';
import { resumeIssue, resumeStarts } from './operator/resume.ts';
import type { RevertStates } from './operator/revert-states.ts';

export function operatorDesk(
  world: World,
  control: Control,
  info: DaemonInfo,
  revertStates: RevertStates,
): OperatorDesk {
  const sources = {
    failingLogs: openFailingLogs(world),
    dayItems: openDayBudgetItems(world),
    revertStates,
  };
  const spelled = (issue: IssueId) => world.view.spelled(issue);
  return {
    collect: (request) => collect(world, request),
    collectPosted: (posted) => collectPosted(world, posted),
    advance: (request) => advance(world, control, { ...request, issue: spelled(request.issue) }),
    materialized: () => swarmAsJson(world.ledger.swarm),
    explain: (issue) => explain(world, control, revertStates, spelled(issue)),
    gates: (issue) => gates(world, spelled(issue)),
    ci: (issue, query) => ci(world, spelled(issue), query),
    handoffs: (issue) => handoffs(world, spelled(issue)),
    writeHandoff: (issue, phase, content) => writeHandoff(world, spelled(issue), phase, content),
    status: (query) => readStatus({ world, control, sources, info }, query),
    inbox: () => inbox(world, control, sources, info.startedAt),
    approve: (issue, by) => approve(world, spelled(issue), by),
    answer: (issue, given) => answer(world, spelled(issue), given),
    pause: (issue, by, why) =>
      issue === undefined ? pauseStarts(world, by, why) : pauseIssue(world, spelled(issue), by, why),
    resume: (issue, by) =>
      issue === undefined ? resumeStarts(world, by) : resumeIssue(world, spelled(issue), by),
    halt: (by, why) => halt(world, control, by, why),
    rollback: (issue, by) => rollback(world, spelled(issue), by),
    mergePullRequest: (request) => mergePullRequest(world, request),
    gc: () => gc(world, control),
    repositoryCommands: () =>
      Promise.all(world.repositories.all.map((repository) => newestCommands(world, repository))),
    approveCommands: (repo, fingerprint, by) => approveCommands(world, repo, fingerprint, by),
    baseline: (request) => changeBaseline(world, request),
  };
}
