/**
 * Detects problems that would stop every issue. Reports each problem once and blocks starts while
 * the problem lasts.
 */

import { type AvailableAgents, formatAgentChoice } from '../../core/model/agent-choice.ts';
import type { Clock } from '../../core/model/clock.ts';
import { type Fault, LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import { MODES } from '../../core/model/mode.ts';
import type { StartRefusal } from '../../core/pipeline/reasons.ts';
import {
  type BoardFacts,
  findPreflightProblems,
  findStartHold,
  type PreflightFacts,
  type PreflightProblem,
  type RepositoryFacts,
} from '../../core/state/preflight.ts';
import { startWakeableLoop } from '../../lib/async/wakeable-loop.ts';
import type { ActiveProblems } from '../context/active-problems.ts';
import type { Preflight, PreflightNotice } from '../context/daemon-context.ts';
import type { Baseline, WantedBaseline } from './baseline.ts';

/**
 * Check interval while work is waiting to start. A check is cheap: it resolves two git refs and
 * reads one file.
 */
const HELD_INTERVAL_MS = 2_000;

/**
 * Check interval while no work is waiting. Changed commands on the base branch or a withdrawn
 * approval are noticed within this time.
 */
const IDLE_INTERVAL_MS = 10_000;

/** Facts about one repository. Evaluated on every call, so that newly read rules apply at once. */
export interface RepositoryInspection {
  facts(): Omit<RepositoryFacts, 'baseline'>;
  /** Undefined if there is nothing to run, or if nothing is allowed to run. */
  baseline(): WantedBaseline | undefined;
  /** Notes for people that do not block starts. */
  readonly notices: readonly PreflightNotice[];
}

export interface PreflightRepository {
  readonly name: string;
  readonly baseline: Baseline;
  inspect(signal: AbortSignal): Promise<RepositoryInspection>;
}

export interface RunningPreflight extends Preflight {
  /** Requests another check soon and returns at once. */
  wake(): void;
  stop(): Promise<void>;
}

export interface PreflightOptions {
  readonly clock: Clock;
  readonly problems: ActiveProblems;
  readonly agents: AvailableAgents;
  readonly repositories: readonly PreflightRepository[];
  readonly repositoryOf: (issue: IssueId) => string | undefined;
  /** Columns missing from the board as last read. */
  readonly missingColumns: () => BoardFacts['missingColumns'];
  readonly missingPermissions: PermissionCheck;
  /** Returns why no workspace can be created. Absent if the kind of workspace needs no check. */
  readonly findWorkspaceProblems?: (() => Promise<readonly Fault[]>) | undefined;
  /** Called when any issue becomes able or unable to start. */
  readonly onChange: () => void;
}

interface PreflightSnapshot {
  readonly workspaceProblems: readonly Fault[];
  readonly missingPermissions: BoardFacts['missingPermissions'];
  readonly inspections: readonly { readonly baseline: Baseline; readonly inspection: RepositoryInspection }[];
}

/** Blocks all starts until the first check has completed. */
const FIRST_CHECK_HOLD: StartRefusal = { action: 'skip', reason: 'preflight_running', fact: 'first look' };

export function startPreflight(options: PreflightOptions): RunningPreflight {
  const { clock, problems: troubles, repositories, repositoryOf } = options;
  const firstLook = Promise.withResolvers<void>();
  let known: PreflightSnapshot | undefined;
  let holdsBefore = '';
  let reported: ReadonlySet<string> = new Set();

  /**
   * The facts are built on every call, so that the result of a baseline that has just ended takes
   * effect at once.
   */
  function collectFacts({
    workspaceProblems,
    missingPermissions,
    inspections,
  }: PreflightSnapshot): PreflightFacts {
    return {
      workspaceProblems,
      agents: collectAgentFacts(options.agents),
      board: { missingColumns: options.missingColumns(), missingPermissions },
      repositories: inspections.map(({ baseline, inspection }) => ({
        ...inspection.facts(),
        baseline: baseline.facts(inspection.baseline()),
      })),
    };
  }

  /** Once everything is in place, stops checking: programs are not uninstalled while in use. */
  let isWorkspaceReady = options.findWorkspaceProblems === undefined;
  async function findWorkspaceProblems(): Promise<readonly Fault[]> {
    if (isWorkspaceReady || options.findWorkspaceProblems === undefined) return [];
    const problems = await options.findWorkspaceProblems();
    isWorkspaceReady = problems.length === 0;
    return problems;
  }

  async function runPass(_woken: boolean, signal: AbortSignal): Promise<number> {
    const missingPermissions = await options.missingPermissions(signal);
    const inspections = await Promise.all(
      repositories.map(async ({ baseline, inspect }) => ({ baseline, inspection: await inspect(signal) })),
    );
    for (const { baseline, inspection } of inspections) baseline.reconcile(inspection.baseline());
    const workspaceProblems = await findWorkspaceProblems();
    known = { workspaceProblems, missingPermissions, inspections };
    firstLook.resolve();
    const facts = collectFacts(known);
    report(findPreflightProblems(facts));
    const holds = repositories.map(({ name }) => findStartHold(facts, name));
    const present = JSON.stringify(holds);
    if (present !== holdsBefore) options.onChange();
    holdsBefore = present;
    return holds.every((hold) => hold === undefined) ? IDLE_INTERVAL_MS : HELD_INTERVAL_MS;
  }

  /** Reports all problems except those of agents, which `AgentReadiness` reports. */
  function report(problems: readonly PreflightProblem[]): void {
    const present = new Map<string, PreflightProblem>();
    for (const problem of problems)
      if (!problem.code.startsWith('agent.'))
        present.set(`preflight ${problem.repo ?? ''} ${problem.code}`, problem);
    for (const about of reported) if (!present.has(about)) troubles.resolve(about);
    for (const [about, { code, message }] of present) troubles.report(about, new LegionError(code, message));
    reported = new Set(present.keys());
  }

  const reconciler = startWakeableLoop({
    clock,
    onError: (error) => troubles.report('preflight', error),
    async pass(woken, signal) {
      const rest = await runPass(woken, signal);
      troubles.resolve('preflight');
      return rest;
    },
  });

  return {
    holds() {
      if (known === undefined) return { on: () => FIRST_CHECK_HOLD, isOnEverything: true };
      const facts = collectFacts(known);
      // Refusals are computed once per repository, because a board may have thousands of issues.
      const byRepository = new Map<string | undefined, StartRefusal | undefined>();
      const holdOn = (repo: string | undefined) => {
        if (!byRepository.has(repo)) byRepository.set(repo, findStartHold(facts, repo));
        return byRepository.get(repo);
      };
      return {
        on: (issue) => holdOn(repositoryOf(issue)),
        isOnEverything: repositories.every(({ name }) => holdOn(name) !== undefined),
      };
    },
    problems: () => (known === undefined ? [] : findPreflightProblems(collectFacts(known))),
    notices: () =>
      known === undefined
        ? []
        : [
            ...known.inspections.flatMap(({ inspection }) => inspection.notices),
            ...collectFacts(known).repositories.flatMap(listOverrideNotices),
          ],
    running() {
      const facts = known === undefined ? undefined : collectFacts(known);
      const isAsking = facts?.agents.some(({ choices }) =>
        choices.some(({ readiness }) => readiness === 'unknown'),
      );
      return isAsking === false ? facts?.repositories.flatMap(listRunningBaselines) : undefined;
    },
    async ignoreBaselines(by) {
      await firstLook.promise;
      return repositories.filter(({ baseline }) => baseline.ignore(by)).map(({ name }) => name);
    },
    rerunBaselines() {
      for (const { baseline } of repositories) baseline.rerun();
    },
    wake: () => reconciler.wake(),
    async stop() {
      firstLook.resolve();
      await reconciler.stop();
      await Promise.all(repositories.map(({ baseline }) => baseline.close()));
    },
  };
}

function collectAgentFacts({ choicesFor, readinessOf }: AvailableAgents): PreflightFacts['agents'] {
  return MODES.map((mode) => ({
    mode,
    choices: choicesFor(mode).map((choice) => ({
      name: formatAgentChoice(choice),
      readiness: readinessOf(choice),
    })),
  }));
}

function listRunningBaselines({ repo, baseline }: RepositoryFacts) {
  return baseline?.verdict === 'running' ? [{ repo, command: baseline.command }] : [];
}

function listOverrideNotices({ repo, baseline }: RepositoryFacts): readonly PreflightNotice[] {
  if (baseline === undefined || !('ignoredBy' in baseline) || baseline.ignoredBy === undefined) return [];
  const { ignoredBy, command, why } = baseline;
  return [
    {
      message: `${ignoredBy} lets workers start although the baseline of ${repo} fails: \`${command}\`: ${why}.`,
      next: 'Fix the base branch. The override ends when the baseline passes or the commands change.',
    },
  ];
}

/**
 * Interval between checks while no permission is missing: permissions are rarely revoked, and each
 * check costs requests from a limited budget.
 */
const FINE_FOR_MS = 15 * 60_000;

/**
 * Interval between checks while a permission is missing. Short, because an operator may be granting
 * it while work is waiting.
 */
const ASK_AGAIN_MS = 30_000;

/**
 * A service that takes longer to respond is treated as unreachable, because the first worker has to
 * wait for this check.
 */
const DEADLINE_MS = 20_000;

/** Resolves to each service's missing permissions, with what to do about them. */
export type PermissionCheck = (signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Caches which permissions Legion's accounts lack. Checks again periodically, and more often while
 * any are missing. If a service is unreachable, its last known result is kept.
 */
export function watchPermissions(clock: Clock, asks: readonly PermissionCheck[]): PermissionCheck {
  let missing: readonly string[] = [];
  let dueAt = 0;
  return async (signal) => {
    if (asks.length === 0 || clock.now() < dueAt) return missing;
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const either = AbortSignal.any([signal, deadline]);
    try {
      missing = (await Promise.all(asks.map((ask) => ask(either)))).flat();
      dueAt = clock.now() + (missing.length === 0 ? FINE_FOR_MS : ASK_AGAIN_MS);
    } catch (error) {
      if (!(error instanceof LegionError) && !deadline.aborted) throw error;
      dueAt = clock.now() + ASK_AGAIN_MS;
    }
    return missing;
  };
}
