/**
 * Runs quality gates in workspaces. A commit has only one run, even if several callers are waiting
 * for its result.
 */
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { WorkspaceStatus } from '../../ports/workspace.ts';
import type { DaemonContext, GateResult, QualityGates } from '../context/daemon-context.ts';

type QualityGateContext = Pick<DaemonContext, 'clock' | 'ledger' | 'workspaces' | 'repositories' | 'host'>;

interface RunningGate {
  readonly issue: IssueId;
  readonly since: number;
  readonly ended: Promise<GateResult>;
}

export function openQualityGates(parts: QualityGateContext): QualityGates {
  const { clock, ledger } = parts;
  const closing = new AbortController();
  const ending = AbortSignal.any([closing.signal, ledger.fenced]);
  const running = new Map<string, RunningGate>();

  function begin(issue: IssueId, sha: string, known: WorkspaceStatus | undefined): RunningGate {
    const key = toGateKey(issue, sha);
    const ended = runGate(parts, { issue, sha, known }, ending).finally(() => running.delete(key));
    // Callers that await `ended` receive the failure. If no caller awaits it, the rejection is
    // caught here, and the next `done` runs the gate again.
    ended.catch(() => undefined);
    const run = { issue, since: clock.now(), ended };
    running.set(key, run);
    return run;
  }

  return {
    run(issue, sha, known) {
      const present = running.get(toGateKey(issue, sha));
      return { isNew: present === undefined, ended: (present ?? begin(issue, sha, known)).ended };
    },
    isRunning: (issue, sha) => running.has(toGateKey(issue, sha)),
    runningSince(issue) {
      const starts = [...running.values()].filter((run) => run.issue === issue).map(({ since }) => since);
      return starts.length === 0 ? undefined : Math.min(...starts);
    },
    async close() {
      closing.abort();
      await Promise.allSettled([...running.values()].map(({ ended }) => ended));
    },
  };
}

function toGateKey(issue: IssueId, sha: string): string {
  return `${issue} ${sha}`;
}

async function runGate(
  { ledger, workspaces, repositories, host }: QualityGateContext,
  {
    issue,
    sha,
    known,
  }: { readonly issue: IssueId; readonly sha: string; readonly known?: WorkspaceStatus | undefined },
  ending: AbortSignal,
): Promise<GateResult> {
  refuseWhenEnding(ending);
  const repository = repositories.require(issue);
  const workspace = await workspaces.ensure(issue, repository.path);
  const before = known ?? (await workspaces.readStatus(issue));
  if (before?.head !== sha) return createMovedHeadResult(before?.head, sha);
  const { verdict, why, tail } = await repository.run('quality_gate', workspace.path, issue, ending);
  // A run that the daemon's shutdown interrupts is not evidence about the code.
  refuseWhenEnding(ending);
  const after = await workspaces.readStatus(issue);
  if (after?.head !== sha) return createMovedHeadResult(after?.head, sha);
  const names = before.uncommitted;
  const dirty = names.length > 0 ? ` (with uncommitted ${names.join(', ')})` : '';
  await ledger.append((state) => [
    {
      type: 'evidence.recorded',
      issue,
      kind: 'quality_gate',
      revision: (state.issues.get(issue)?.lastEvidence ?? 0) + 1,
      sha,
      verdict,
      by: host.name,
      suites: ['quality_gate'],
      detail: `${why}${dirty}\n${tail}`,
    },
  ]);
  return { recorded: true, detail: `${verdict}: ${why}`, workspaceStatus: after };
}

function createMovedHeadResult(head: string | undefined, sha: string): GateResult {
  return { recorded: false, detail: `the workspace is at ${head ?? 'no commit'}, not at ${sha}` };
}

function refuseWhenEnding(ending: AbortSignal): void {
  if (ending.aborted) throw new LegionError('daemon.stopping', 'The quality gate was interrupted.');
}
