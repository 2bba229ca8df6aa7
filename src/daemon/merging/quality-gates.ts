/** Runs quality gates in workspaces: one run for each commit, however many wait for its result. */
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Standing } from '../../workspaces/workspace.ts';
import type { World } from '../world.ts';

/** `superseded`: the workspace is not at that commit, so nothing was recorded. */
type GateResult =
  | {
      readonly recorded: true;
      readonly detail: string;
      /** The workspace as the run left it. */
      readonly standing: Standing;
    }
  | { readonly recorded: false; readonly detail: string };

export interface GateRun {
  /** Whether this call began the run; otherwise it attached to one. */
  readonly isNew: boolean;
  /** Resolves when the result is in the journal. Rejects with `daemon.stopping` where the daemon ends first. */
  readonly ended: Promise<GateResult>;
}

/** A run ends with the daemon; the next daemon runs the gate again, because nothing was recorded. */
export interface QualityGates {
  /** `known` is the workspace as somebody saw it a moment ago; without it the run looks for itself. */
  run(issue: IssueId, sha: string, known?: Standing): GateRun;
  isRunning(issue: IssueId, sha: string): boolean;
  /** When the oldest run of this issue began. */
  runningSince(issue: IssueId): number | undefined;
  /** Ends what runs; nothing can be begun afterwards. */
  close(): Promise<void>;
}

type Parts = Pick<World, 'clock' | 'ledger' | 'workspaces' | 'repositories' | 'host'>;

interface Running {
  readonly issue: IssueId;
  readonly since: number;
  readonly ended: Promise<GateResult>;
}

export function openQualityGates(parts: Parts): QualityGates {
  const { clock, ledger } = parts;
  const closing = new AbortController();
  const ending = AbortSignal.any([closing.signal, ledger.fenced]);
  const running = new Map<string, Running>();

  function begin(issue: IssueId, sha: string, known: Standing | undefined): Running {
    const key = keyOf(issue, sha);
    const ended = runOnce(parts, { issue, sha, known }, ending).finally(() => running.delete(key));
    // Whoever waits hears of a failure; where nobody does, the next `done` tries again.
    ended.catch(() => undefined);
    const run = { issue, since: clock.now(), ended };
    running.set(key, run);
    return run;
  }

  return {
    run(issue, sha, known) {
      const present = running.get(keyOf(issue, sha));
      return { isNew: present === undefined, ended: (present ?? begin(issue, sha, known)).ended };
    },
    isRunning: (issue, sha) => running.has(keyOf(issue, sha)),
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

function keyOf(issue: IssueId, sha: string): string {
  return `${issue} ${sha}`;
}

async function runOnce(
  { ledger, workspaces, repositories, host }: Parts,
  {
    issue,
    sha,
    known,
  }: { readonly issue: IssueId; readonly sha: string; readonly known?: Standing | undefined },
  ending: AbortSignal,
): Promise<GateResult> {
  refuseWhenEnding(ending);
  const repository = repositories.of(issue);
  const workspace = await workspaces.ensure(issue, repository.path);
  const before = known ?? (await workspaces.standing(issue));
  if (before?.head !== sha) return elsewhere(before?.head, sha);
  const { verdict, why, tail } = await repository.run('quality_gate', workspace.path, issue, ending);
  // A run that our own end cut short says nothing about the code.
  refuseWhenEnding(ending);
  const after = await workspaces.standing(issue);
  if (after?.head !== sha) return elsewhere(after?.head, sha);
  const names = before.uncommitted;
  const dirty = names.length > 0 ? ` (with uncommitted ${names.join(', ')})` : '';
  await ledger.append((swarm) => [
    {
      type: 'evidence.recorded',
      issue,
      kind: 'quality_gate',
      revision: (swarm.issues.get(issue)?.lastEvidence ?? 0) + 1,
      sha,
      verdict,
      by: host.name,
      suites: ['quality_gate'],
      detail: `${why}${dirty}\n${tail}`,
    },
  ]);
  return { recorded: true, detail: `${verdict}: ${why}`, standing: after };
}

function elsewhere(head: string | undefined, sha: string): GateResult {
  return { recorded: false, detail: `the workspace stands at ${head ?? 'no commit'}, not at ${sha}` };
}

function refuseWhenEnding(ending: AbortSignal): void {
  if (ending.aborted) throw new LegionError('daemon.stopping', 'the quality gate was cut short');
}
