/**
 * Finds problems that would stop every issue at the end of its pipeline, before any worker costs
 * money. All entry points apply these rules.
 */

import type { ReadinessState } from '../model/agent-choice.ts';
import { createFault, type Fault } from '../model/fault.ts';
import { quoteShellWord } from '../model/format.ts';
import type { IssueId } from '../model/ids.ts';
import type { Mode } from '../model/mode.ts';
import type { Status } from '../model/status.ts';
import type { StartRefusal } from '../pipeline/reasons.ts';

/** Facts gathered so far. An entry point leaves out what it cannot know. */
export interface PreflightFacts {
  readonly agents: readonly ModeAgents[];
  readonly board: BoardFacts;
  readonly repositories: readonly RepositoryFacts[];
  /** Why no workspace can be created. Absent if the kind of workspace needs no check. */
  readonly workspaceProblems?: readonly Fault[] | undefined;
}

/** Agents for one mode, the first choice first. */
interface ModeAgents {
  readonly mode: Mode;
  readonly choices: readonly { readonly name: string; readonly readiness: ReadinessState }[];
}

export interface BoardFacts {
  /** Statuses without a column on the board. */
  readonly missingColumns: readonly Status[];
  /** Permissions that Legion’s account lacks, each with a remedy. */
  readonly missingPermissions: readonly string[];
}

export interface RepositoryFacts {
  readonly repo: string;
  readonly base: string;
  readonly forge: 'local' | 'github';
  /** Names under `commands` in `.legion/config.yml` on the base branch. */
  readonly commands: readonly string[];
  readonly approved: boolean;
  /** Whether the forge runs its own checks. Always `none` on the local forge. */
  readonly forgeChecks: 'some' | 'none' | 'unknown';
  /**
   * Workspaces created under another XDG_DATA_HOME or `workspaces.root`. While they exist, their
   * branches cannot be used here.
   */
  readonly misplacedWorkspaces?: MisplacedWorkspaces | undefined;
  /**
   * State of the baseline. Undefined while there is no command to run, or while the command is not
   * allowed to run.
   */
  readonly baseline?: BaselineFacts | undefined;
}

interface MisplacedWorkspaces {
  /** Directory of the repository. */
  readonly repository: string;
  /** Directory where new workspaces are created. */
  readonly root: string;
  readonly found: readonly { readonly issue: IssueId; readonly path: string }[];
}

export type BaselineFacts =
  | { readonly verdict: 'running'; readonly command: string }
  | { readonly verdict: 'passed' }
  | BaselineProblem;

export interface BaselineProblem {
  /** `no_checkout`: the base branch could not be checked out completely. */
  readonly verdict: 'failed' | 'could_not_run' | 'no_checkout';
  readonly command: string;
  readonly sha: string;
  readonly why: string;
  /** Last lines of the output. */
  readonly tail: string;
  /** Person who allowed workers to start despite the problem. */
  readonly ignoredBy?: string | undefined;
}

export interface PreflightProblem extends Fault {
  /** Repository that is affected. Absent if every issue is affected. */
  readonly repo?: string | undefined;
  /** Specific remedy, if the catalogue has only a general one. */
  readonly remedy?: string | undefined;
}

export const NO_BOARD_PROBLEM: BoardFacts = { missingColumns: [], missingPermissions: [] };

export function findPreflightProblems(facts: PreflightFacts): readonly PreflightProblem[] {
  return [
    ...findAgentProblems(facts.agents),
    ...findBoardProblems(facts.board),
    ...(facts.workspaceProblems ?? []),
    ...facts.repositories.flatMap(findRepositoryProblems),
  ];
}

/**
 * Returns why no worker of this repository may start at the moment, or undefined if workers may
 * start.
 */
export function findStartHold(facts: PreflightFacts, repo: string | undefined): StartRefusal | undefined {
  if (repo !== undefined && !facts.repositories.some((each) => each.repo === repo))
    return { action: 'skip', reason: 'preflight_running', fact: `${repo} has not been checked yet` };
  const problem = findPreflightProblems(facts).find((each) => each.repo === undefined || each.repo === repo);
  if (problem !== undefined) return toStartRefusal(problem);
  const baseline = facts.repositories.find((each) => each.repo === repo)?.baseline;
  if (baseline?.verdict !== 'running') return undefined;
  return { action: 'skip', reason: 'preflight_running', fact: `baseline=${baseline.command}` };
}

function toStartRefusal({ code, message }: PreflightProblem): StartRefusal {
  switch (code) {
    case 'agent.not_chosen':
      return { action: 'skip', reason: 'agent_not_chosen', fact: message };
    case 'agent.not_ready':
      return { action: 'skip', reason: 'agent_not_ready', fact: message };
    default:
      return { action: 'skip', reason: 'preflight_failed', fact: `${message} [${code}]` };
  }
}

/** Reports one problem per set of unusable agents, however many modes they are chosen for. */
function findAgentProblems(agents: readonly ModeAgents[]): readonly PreflightProblem[] {
  const unchosen = agents.filter(({ choices }) => choices.length === 0).map(({ mode }) => mode);
  const none = `No agent is chosen for ${unchosen.join(', ')}: no worker starts.`;
  const stuck = agents.flatMap(({ mode, choices }) => {
    const problems = choices.flatMap(({ name, readiness }) =>
      typeof readiness === 'object' ? [`${name}: ${readiness.problem}`] : [],
    );
    const isStuck = problems.length > 0 && problems.length === choices.length;
    const remedies = choices.flatMap(({ readiness }) =>
      typeof readiness === 'object' ? (readiness.next ?? []) : [],
    );
    return isStuck ? [{ mode, message: problems.join('; '), remedy: remedies[0] }] : [];
  });
  return [
    ...(unchosen.length === 0 ? [] : [createFault('agent.not_chosen', none)]),
    ...[...new Map(stuck.map(({ message, remedy }) => [message, remedy]))].map(([message, remedy]) => ({
      ...createFault('agent.not_ready', message),
      ...(remedy === undefined ? {} : { remedy }),
    })),
  ];
}

/** Reports one problem of each kind, however many columns or permissions are missing. */
function findBoardProblems({ missingColumns, missingPermissions }: BoardFacts): readonly PreflightProblem[] {
  const columns = `The board has no column for ${missingColumns.join(', ')}: issues cannot be moved there.`;
  return [
    ...(missingColumns.length === 0 ? [] : [createFault('tracker.column_missing', columns)]),
    ...(missingPermissions.length === 0
      ? []
      : [createFault('preflight.permission_missing', missingPermissions.join('\n'))]),
  ];
}

function findRepositoryProblems(facts: RepositoryFacts): readonly PreflightProblem[] {
  const { repo, commands, approved, baseline, misplacedWorkspaces } = facts;
  const problems: readonly PreflightProblem[] = [
    ...(misplacedWorkspaces === undefined ? [] : describeMisplaced(misplacedWorkspaces)),
    ...(isUnchecked(facts) ? [createFault('preflight.unchecked', describeUnchecked(facts))] : []),
    ...(approved || commands.length === 0
      ? []
      : [
          createFault(
            'preflight.commands_unapproved',
            `The commands of ${repo} (${commands.join(', ')}) are not approved.`,
          ),
        ]),
    ...(baseline === undefined || !isBlockingBaseline(baseline) ? [] : [describeBaseline(facts, baseline)]),
  ];
  return problems.map((each) => ({ ...each, repo }));
}

/** Returns no problem if no workspace is misplaced. */
function describeMisplaced({
  repository,
  root,
  found: workspaces,
}: MisplacedWorkspaces): readonly PreflightProblem[] {
  const [first] = workspaces;
  if (first === undefined) return [];
  const before = first.path.slice(0, first.path.lastIndexOf('/'));
  const issues = workspaces.map(({ issue }) => issue).join(', ');
  const message = `Workspaces of this legion (${issues}) are in ${before}, but new ones are created in ${root}. Workers for these issues cannot start.`;
  // Recovers the `XDG_DATA_HOME` that leads to this directory.
  const dataHome = /^(.*)\/legion\/workspaces\/[^/]+$/.exec(before)?.[1];
  const setting =
    dataHome === undefined
      ? `set workspaces.root to ${before} in legion.yaml`
      : `start Legion with XDG_DATA_HOME=${quoteShellWord(dataHome)}`;
  const remove = `git -C ${quoteShellWord(repository)} worktree remove ${quoteShellWord(first.path)}`;
  const remedy = `To keep them, ${setting}, as before. To discard them, remove each one: ${remove}`;
  return [{ ...createFault('preflight.workspaces_elsewhere', message), remedy }];
}

/**
 * Returns whether nothing would check a change. Returns false if the forge could not be read,
 * because the pre-merge gate still requires checks.
 */
function isUnchecked({ forge, commands, forgeChecks }: RepositoryFacts): boolean {
  if (commands.includes('quality_gate')) return false;
  return forge === 'local' ? !commands.includes('ci') : forgeChecks === 'none';
}

function describeUnchecked({ repo, base, forge }: RepositoryFacts): string {
  const lacks =
    forge === 'local'
      ? `neither commands.ci nor commands.quality_gate on ${base}`
      : `no checks on GitHub and no commands.quality_gate on ${base}`;
  return `${repo} has ${lacks}: changes would not be checked, so no issue could be merged.`;
}

function isBlockingBaseline(baseline: BaselineFacts): baseline is BaselineProblem {
  return baseline.verdict !== 'running' && baseline.verdict !== 'passed' && baseline.ignoredBy === undefined;
}

function describeBaseline({ repo, base }: RepositoryFacts, problem: BaselineProblem): Fault {
  const { command, sha, why, tail } = problem;
  const where = `${base} (${sha.slice(0, 12)})`;
  const end = tail.trim() === '' ? '' : `\n${tail.trimEnd()}`;
  switch (problem.verdict) {
    case 'failed':
      return createFault(
        'baseline.failed',
        `The baseline of ${repo} is red: \`${command}\` on ${where}: ${why}.${end}`,
      );
    case 'could_not_run':
      return createFault(
        'baseline.could_not_run',
        `The baseline of ${repo} could not run: \`${command}\` on ${where}: ${why}.${end}`,
      );
    case 'no_checkout':
      return createFault(
        'git.submodule_failed',
        `${where} of ${repo} cannot be checked out completely: ${why}.${end}`,
      );
  }
}
