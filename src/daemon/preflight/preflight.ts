/** Watches for what would stop every issue, reports each such problem once, and holds starts while it stands. */

import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import {
  type BoardFacts,
  findPreflightProblems,
  findStartHold,
  type PreflightFacts,
  type PreflightProblem,
  type RepositoryFacts,
} from '../../core/state/preflight.ts';
import type { Clock } from '../../domain/clock.ts';
import { MODES } from '../../domain/mode.ts';
import { startReconciler } from '../../lib/async/wakeable-loop.ts';
import type { Refusal } from '../../swarm/chain.ts';
import { type AgentsAtHand, nameOf } from '../../swarm/choose-agent.ts';
import type { Troubles } from '../troubles.ts';
import type { Baseline, WantedBaseline } from './baseline.ts';
import type { AskPermissions } from './permissions.ts';

/** While somebody waits for work to start: a look asks git for two names and reads one file. */
const LOOK_AGAIN_MS = 2_000;
/** Otherwise other commands on the base branch, or a withdrawn approval, are seen this late at the latest. */
const REST_MS = 10_000;

/** Read at each question: rules that were read anew meanwhile count at once. */
export interface RepositoryLook {
  facts(): Omit<RepositoryFacts, 'baseline'>;
  /** Undefined where nothing is to be run, or nothing may run. */
  baseline(): WantedBaseline | undefined;
  /** What somebody should know though it holds nothing. */
  readonly notices: readonly PreflightNotice[];
}

interface PreflightNotice {
  readonly message: string;
  readonly next: string;
}

export interface PreflightRepository {
  readonly name: string;
  readonly baseline: Baseline;
  look(signal: AbortSignal): Promise<RepositoryLook>;
}

interface StartHolds {
  /** Why no worker of this issue may start; undefined where nothing stands against it. */
  readonly on: (issue: IssueId) => Refusal | undefined;
  /** Whether every repository is held. */
  readonly isOnEverything: boolean;
}

export interface Preflight {
  /** As it is at this moment. */
  holds(): StartHolds;
  problems(): readonly PreflightProblem[];
  notices(): readonly PreflightNotice[];
  /** Baselines that run at this moment; undefined until everything was looked at once. */
  running(): readonly { readonly repo: string; readonly command: string }[] | undefined;
  /** Of all repositories, once they were looked at; resolves to the names of those that have no green result. */
  ignoreBaselines(by: string): Promise<readonly string[]>;
  rerunBaselines(): void;
}

export interface RunningPreflight extends Preflight {
  /** Looks again soon; it never waits. */
  wake(): void;
  stop(): Promise<void>;
}

export interface PreflightOptions {
  readonly clock: Clock;
  readonly troubles: Troubles;
  readonly agents: AgentsAtHand;
  readonly repositories: readonly PreflightRepository[];
  readonly repositoryOf: (issue: IssueId) => string | undefined;
  /** Of the board as it was last read. */
  readonly missingColumns: () => BoardFacts['missingColumns'];
  readonly missingPermissions: AskPermissions;
  /** Issues may start that could not, or the other way round. */
  readonly changed: () => void;
}

interface Known {
  readonly missingPermissions: BoardFacts['missingPermissions'];
  readonly looks: readonly { readonly baseline: Baseline; readonly look: RepositoryLook }[];
}

/** Holds everybody until the first look has ended. */
const FIRST_LOOK: Refusal = { action: 'skip', reason: 'preflight_running', fact: 'first look' };

export function startPreflight(options: PreflightOptions): RunningPreflight {
  const { clock, troubles, repositories, repositoryOf } = options;
  const firstLook = Promise.withResolvers<void>();
  let known: Known | undefined;
  let holdsBefore = '';
  let reported: ReadonlySet<string> = new Set();

  /** Made anew at each question: a baseline that has just ended counts at once. */
  function factsOf({ missingPermissions, looks }: Known): PreflightFacts {
    return {
      agents: agentFacts(options.agents),
      board: { missingColumns: options.missingColumns(), missingPermissions },
      repositories: looks.map(({ baseline, look }) => ({
        ...look.facts(),
        baseline: baseline.facts(look.baseline()),
      })),
    };
  }

  async function pass(_woken: boolean, signal: AbortSignal): Promise<number> {
    const missingPermissions = await options.missingPermissions(signal);
    const looks = await Promise.all(
      repositories.map(async ({ baseline, look }) => ({ baseline, look: await look(signal) })),
    );
    for (const { baseline, look } of looks) baseline.look(look.baseline());
    known = { missingPermissions, looks };
    firstLook.resolve();
    const facts = factsOf(known);
    report(findPreflightProblems(facts));
    const holds = repositories.map(({ name }) => findStartHold(facts, name));
    const present = JSON.stringify(holds);
    if (present !== holdsBefore) options.changed();
    holdsBefore = present;
    return holds.every((hold) => hold === undefined) ? REST_MS : LOOK_AGAIN_MS;
  }

  /** An agent’s problem is reported by whoever asks the agent. */
  function report(problems: readonly PreflightProblem[]): void {
    const present = new Map<string, PreflightProblem>();
    for (const problem of problems)
      if (!problem.code.startsWith('agent.'))
        present.set(`preflight ${problem.repo ?? ''} ${problem.code}`, problem);
    for (const about of reported) if (!present.has(about)) troubles.clear(about);
    for (const [about, { code, message }] of present) troubles.raise(about, new LegionError(code, message));
    reported = new Set(present.keys());
  }

  const reconciler = startReconciler({
    clock,
    onTrouble: (error) => troubles.raise('preflight', error),
    async pass(woken, signal) {
      const rest = await pass(woken, signal);
      troubles.clear('preflight');
      return rest;
    },
  });

  return {
    holds() {
      if (known === undefined) return { on: () => FIRST_LOOK, isOnEverything: true };
      const facts = factsOf(known);
      // One answer for all issues of a repository: a board has thousands.
      const byRepository = new Map<string | undefined, Refusal | undefined>();
      const holdOn = (repo: string | undefined) => {
        if (!byRepository.has(repo)) byRepository.set(repo, findStartHold(facts, repo));
        return byRepository.get(repo);
      };
      return {
        on: (issue) => holdOn(repositoryOf(issue)),
        isOnEverything: repositories.every(({ name }) => holdOn(name) !== undefined),
      };
    },
    problems: () => (known === undefined ? [] : findPreflightProblems(factsOf(known))),
    notices: () =>
      known === undefined
        ? []
        : [
            ...known.looks.flatMap(({ look }) => look.notices),
            ...factsOf(known).repositories.flatMap(ignoredIn),
          ],
    running() {
      const facts = known === undefined ? undefined : factsOf(known);
      const isAsking = facts?.agents.some(({ choices }) =>
        choices.some(({ readiness }) => readiness === 'unknown'),
      );
      return isAsking === false ? facts?.repositories.flatMap(runningIn) : undefined;
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

function agentFacts({ choicesFor, readinessOf }: AgentsAtHand): PreflightFacts['agents'] {
  return MODES.map((mode) => ({
    mode,
    choices: choicesFor(mode).map((choice) => ({ name: nameOf(choice), readiness: readinessOf(choice) })),
  }));
}

function runningIn({ repo, baseline }: RepositoryFacts) {
  return baseline?.verdict === 'running' ? [{ repo, command: baseline.command }] : [];
}

function ignoredIn({ repo, baseline }: RepositoryFacts): readonly PreflightNotice[] {
  if (baseline === undefined || !('ignoredBy' in baseline) || baseline.ignoredBy === undefined) return [];
  const { ignoredBy, command, why } = baseline;
  return [
    {
      message: `${ignoredBy} lets workers start although the baseline of ${repo} is bad: \`${command}\`: ${why}.`,
      next: 'Mend the base branch; the override ends when the baseline passes or the commands change.',
    },
  ];
}
