/** Finds what would stop every issue at the end of its pipeline, before a worker is paid for. One rule for every entry point. */

import type { Mode } from '../../domain/mode.ts';
import { shellWord } from '../../domain/shell-word.ts';
import type { Refusal } from '../../swarm/chain.ts';
import type { Readiness } from '../../swarm/choose-agent.ts';
import { type Fault, fault } from '../model/fault.ts';
import type { IssueId } from '../model/ids.ts';
import type { Status } from '../model/status.ts';

/** What was found out so far; an entry point that cannot know something leaves it out. */
export interface PreflightFacts {
  readonly agents: readonly ModeAgents[];
  readonly board: BoardFacts;
  readonly repositories: readonly RepositoryFacts[];
}

/** Who may work in a mode, the first choice first. */
interface ModeAgents {
  readonly mode: Mode;
  readonly choices: readonly { readonly name: string; readonly readiness: Readiness }[];
}

export interface BoardFacts {
  /** Statuses the board has no column for. */
  readonly missingColumns: readonly Status[];
  /** What Legion’s account may not do, each with what to do about it. */
  readonly missingPermissions: readonly string[];
}

export interface RepositoryFacts {
  readonly repo: string;
  readonly base: string;
  readonly forge: 'local' | 'github';
  /** Names under `commands` in `.legion/config.yml` on the base branch. */
  readonly commands: readonly string[];
  readonly approved: boolean;
  /** Whether the forge runs checks of its own; always `none` on the local forge. */
  readonly forgeChecks: 'some' | 'none' | 'unknown';
  /** Workspaces made under another XDG_DATA_HOME or `workspaces.root`; they keep their branches from being used here. */
  readonly misplacedWorkspaces?: MisplacedWorkspaces | undefined;
  /** Undefined while there is nothing to run, or nothing that may run. */
  readonly baseline?: BaselineFacts | undefined;
}

interface MisplacedWorkspaces {
  /** The folder of the repository. */
  readonly repository: string;
  /** Where workspaces are made now. */
  readonly root: string;
  readonly found: readonly { readonly issue: IssueId; readonly path: string }[];
}

export type BaselineFacts =
  | { readonly verdict: 'running'; readonly command: string }
  | { readonly verdict: 'passed' }
  | BaselineTrouble;

export interface BaselineTrouble {
  /** `no_checkout`: the base branch could not be checked out whole. */
  readonly verdict: 'failed' | 'could_not_run' | 'no_checkout';
  readonly command: string;
  readonly sha: string;
  readonly why: string;
  /** The last lines of its output. */
  readonly tail: string;
  /** Who let workers start all the same. */
  readonly ignoredBy?: string | undefined;
}

export interface PreflightProblem extends Fault {
  /** The only repository it concerns; it concerns every issue where it is absent. */
  readonly repo?: string | undefined;
  /** What to do about this very one, where the catalogue can only say so in general. */
  readonly remedy?: string | undefined;
}

export const NO_BOARD_PROBLEM: BoardFacts = { missingColumns: [], missingPermissions: [] };

export function findPreflightProblems(facts: PreflightFacts): readonly PreflightProblem[] {
  return [
    ...findAgentProblems(facts.agents),
    ...findBoardProblems(facts.board),
    ...facts.repositories.flatMap(findRepositoryProblems),
  ];
}

/** Why no worker of this repository may start now; undefined where nothing stands against it. */
export function findStartHold(facts: PreflightFacts, repo: string | undefined): Refusal | undefined {
  if (repo !== undefined && !facts.repositories.some((each) => each.repo === repo))
    return { action: 'skip', reason: 'preflight_running', fact: `${repo} has not been looked at yet` };
  const problem = findPreflightProblems(facts).find((each) => each.repo === undefined || each.repo === repo);
  if (problem !== undefined) return refusalFor(problem);
  const baseline = facts.repositories.find((each) => each.repo === repo)?.baseline;
  if (baseline?.verdict !== 'running') return undefined;
  return { action: 'skip', reason: 'preflight_running', fact: `baseline=${baseline.command}` };
}

function refusalFor({ code, message }: PreflightProblem): Refusal {
  switch (code) {
    case 'agent.not_chosen':
      return { action: 'skip', reason: 'agent_not_chosen', fact: message };
    case 'agent.not_ready':
      return { action: 'skip', reason: 'agent_not_ready', fact: message };
    default:
      return { action: 'skip', reason: 'preflight_failed', fact: `${message} [${code}]` };
  }
}

/** One problem for each set of agents that cannot work, whatever the number of modes they are chosen for. */
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
    return isStuck ? [{ mode, says: problems.join('; '), remedy: remedies[0] }] : [];
  });
  return [
    ...(unchosen.length === 0 ? [] : [fault('agent.not_chosen', none)]),
    ...[...new Map(stuck.map(({ says, remedy }) => [says, remedy]))].map(([says, remedy]) => ({
      ...fault('agent.not_ready', says),
      ...(remedy === undefined ? {} : { remedy }),
    })),
  ];
}

/** One problem each, however many columns or permissions are missing. */
function findBoardProblems({ missingColumns, missingPermissions }: BoardFacts): readonly PreflightProblem[] {
  const columns = `The board has no column for ${missingColumns.join(', ')}: issues could not be moved there.`;
  return [
    ...(missingColumns.length === 0 ? [] : [fault('tracker.column_missing', columns)]),
    ...(missingPermissions.length === 0
      ? []
      : [fault('preflight.permission_missing', missingPermissions.join('\n'))]),
  ];
}

function findRepositoryProblems(facts: RepositoryFacts): readonly PreflightProblem[] {
  const { repo, commands, approved, baseline, misplacedWorkspaces } = facts;
  const found: readonly PreflightProblem[] = [
    ...(misplacedWorkspaces === undefined ? [] : describeMisplaced(misplacedWorkspaces)),
    ...(isUnchecked(facts) ? [fault('preflight.unchecked', describeUnchecked(facts))] : []),
    ...(approved || commands.length === 0
      ? []
      : [
          fault(
            'preflight.commands_unapproved',
            `The commands of ${repo} (${commands.join(', ')}) are not approved.`,
          ),
        ]),
    ...(baseline === undefined || !isBad(baseline) ? [] : [describeBaseline(facts, baseline)]),
  ];
  return found.map((each) => ({ ...each, repo }));
}

/** None without a misplaced workspace. */
function describeMisplaced({ repository, root, found }: MisplacedWorkspaces): readonly PreflightProblem[] {
  const [first] = found;
  if (first === undefined) return [];
  const before = first.path.slice(0, first.path.lastIndexOf('/'));
  const issues = found.map(({ issue }) => issue).join(', ');
  const message = `Workspaces of this legion (${issues}) are in ${before}, and new ones would be made in ${root}: no worker of these issues could start.`;
  // The way back from the folder that `XDG_DATA_HOME` leads to.
  const dataHome = /^(.*)\/legion\/workspaces\/[^/]+$/.exec(before)?.[1];
  const setting =
    dataHome === undefined
      ? `set workspaces.root to ${before} in legion.yaml`
      : `start Legion with XDG_DATA_HOME=${shellWord(dataHome)}`;
  const remove = `git -C ${shellWord(repository)} worktree remove ${shellWord(first.path)}`;
  const remedy = `To keep them, ${setting}, as before. To do without them, remove each: ${remove}`;
  return [{ ...fault('preflight.workspaces_elsewhere', message), remedy }];
}

/** Where the forge could not be asked, nothing is concluded: the gate before a merge still looks. */
function isUnchecked({ forge, commands, forgeChecks }: RepositoryFacts): boolean {
  if (commands.includes('quality_gate')) return false;
  return forge === 'local' ? !commands.includes('ci') : forgeChecks === 'none';
}

function describeUnchecked({ repo, base, forge }: RepositoryFacts): string {
  const lacks =
    forge === 'local'
      ? `neither commands.ci nor commands.quality_gate on ${base}`
      : `no checks on GitHub and no commands.quality_gate on ${base}`;
  return `${repo} has ${lacks}: nothing would check a change, and no issue could be merged.`;
}

function isBad(baseline: BaselineFacts): baseline is BaselineTrouble {
  return baseline.verdict !== 'running' && baseline.verdict !== 'passed' && baseline.ignoredBy === undefined;
}

function describeBaseline({ repo, base }: RepositoryFacts, trouble: BaselineTrouble): Fault {
  const { command, sha, why, tail } = trouble;
  const where = `${base} (${sha.slice(0, 12)})`;
  const end = tail.trim() === '' ? '' : `\n${tail.trimEnd()}`;
  switch (trouble.verdict) {
    case 'failed':
      return fault(
        'baseline.failed',
        `The baseline of ${repo} is red: \`${command}\` on ${where}: ${why}.${end}`,
      );
    case 'could_not_run':
      return fault(
        'baseline.could_not_run',
        `The baseline of ${repo} could not run: \`${command}\` on ${where}: ${why}.${end}`,
      );
    case 'no_checkout':
      return fault('git.submodule_failed', `${where} of ${repo} cannot be checked out whole: ${why}.${end}`);
  }
}
