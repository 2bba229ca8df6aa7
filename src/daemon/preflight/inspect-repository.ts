/**
 * Collects the facts that the preflight needs about a repository: commands, approval, checks,
 * submodules and LFS.
 */
import { computeCommandsFingerprint } from '../../config/repository/load.ts';
import type { RepositoryConfig } from '../../config/repository/schema.ts';
import type { Clock } from '../../core/model/clock.ts';
import type { RepositoryFacts } from '../../core/state/preflight.ts';
import { buildLfsNotice, findLfsFiles } from '../../git/lfs.ts';
import type { GitLookup } from '../../git/lookup.ts';
import type { GitRunner } from '../../git/runner.ts';
import type { Repository } from '../context/repository.ts';
import type { RuleBook } from '../repositories/rules.ts';
import type { Baseline, BaselineCommand, WantedBaseline } from './baseline.ts';
import type { PreflightRepository, RepositoryInspection } from './preflight.ts';

/**
 * Interval for querying GitHub again while a repository seems to have no checks or could not be
 * read.
 */
const ASK_AGAIN_MS = 60_000;

/** The repository's code on this machine. */
interface InspectedSource {
  readonly path: string;
  /** Real path of the git directory that all worktrees share. */
  readonly common: string;
  /** Full local name of the base branch. */
  readonly ref: string;
  readonly git: GitRunner;
  readonly lookup: GitLookup;
}

interface InspectedRepository extends Pick<Repository, 'name' | 'base' | 'forge'> {
  readonly source: InspectedSource;
  readonly rules: Pick<RuleBook, 'current' | 'refresh'>;
  readonly baseline: Baseline;
}

interface WorkspaceFolder {
  /** Directory that holds the workspaces. */
  readonly root: string;
  /** Lists the workspaces of a git directory that are outside `root`. */
  readonly findMisplaced: (
    common: string,
  ) => Promise<NonNullable<RepositoryFacts['misplacedWorkspaces']>['found']>;
}

export function createRepositoryPreflight(
  repository: InspectedRepository,
  clock: Clock,
  folder: WorkspaceFolder,
): PreflightRepository {
  const { name, base, forge, rules, source, baseline } = repository;
  const checks = createForgeCheckFinder(repository, clock);
  const lfs = createLfsFinder(source);
  const misplaced = createMisplacedWorkspaceFinder(source, folder);
  return {
    name,
    baseline,
    async inspect(signal): Promise<RepositoryInspection> {
      const { config } = await rules.refresh();
      const [sha, modules] = await source.lookup.objects([
        `${source.ref}^{commit}`,
        `${source.ref}:.gitmodules`,
      ]);
      const forgeChecks = await checks(config, signal);
      const misplacedWorkspaces = await misplaced();
      return {
        facts() {
          const { config: present, approved } = rules.current();
          const commands = Object.entries(present.commands).flatMap(([command, argv]) =>
            argv === undefined ? [] : [command],
          );
          return {
            repo: name,
            base,
            forge: forge.kind,
            commands,
            approved,
            forgeChecks,
            misplacedWorkspaces,
          };
        },
        baseline() {
          const { config: present, approved } = rules.current();
          if (sha === undefined || !approved) return undefined;
          return buildWantedBaseline(present, forge.kind, sha, modules !== undefined);
        },
        notices: sha === undefined ? [] : await lfs(sha),
      };
    },
  };
}

/**
 * Omits the CI command if GitHub runs CI itself. Puts setup first, because the other commands
 * expect a prepared workspace.
 */
function buildWantedBaseline(
  config: RepositoryConfig,
  forge: RepositoryFacts['forge'],
  sha: string,
  submodules: boolean,
): WantedBaseline | undefined {
  const { setup, test, ci } = config.commands;
  const checking = [test, forge === 'local' ? ci : undefined].filter((argv) => argv !== undefined);
  if (checking.length === 0 && !submodules) return undefined;
  const all: BaselineCommand[] = [
    ...(setup === undefined || checking.length === 0 ? [] : [setup]),
    ...checking,
  ];
  const commands = [...new Map(all.map((argv) => [JSON.stringify(argv), argv])).values()];
  return { fingerprint: computeCommandsFingerprint(config), sha, commands };
}

function createForgeCheckFinder({ forge, source }: InspectedRepository, clock: Clock) {
  let known: { readonly checks: RepositoryFacts['forgeChecks']; readonly at: number } | undefined;
  return async (config: RepositoryConfig, signal: AbortSignal): Promise<RepositoryFacts['forgeChecks']> => {
    if (forge.kind === 'local') return 'none';
    // Skips the request to GitHub if its result does not matter.
    if (config.commands.quality_gate !== undefined || known?.checks === 'some') return 'some';
    const [workflows] = await source.lookup.objects([`${source.ref}:.github/workflows`]);
    if (workflows !== undefined) return 'some';
    if (known !== undefined && clock.now() - known.at < ASK_AGAIN_MS) return known.checks;
    const checks = await forge.findChecks(signal).catch(() => 'unknown' as const);
    known = { checks, at: clock.now() };
    return checks;
  };
}

/** Checks whether the repository uses Git LFS, once per base commit. */
function createLfsFinder({ git, common }: InspectedSource) {
  let known: { readonly sha: string; readonly notices: RepositoryInspection['notices'] } | undefined;
  return async (sha: string): Promise<RepositoryInspection['notices']> => {
    if (known?.sha !== sha) {
      const files = await findLfsFiles(git, common, sha);
      known = { sha, notices: files.length === 0 ? [] : [await buildLfsNotice(git, common, files)] };
    }
    return known.notices;
  };
}

/**
 * Finds workspaces outside the configured directory. Once none are found, stops checking, because
 * this daemon creates all workspaces inside that directory.
 */
function createMisplacedWorkspaceFinder(
  { common, path }: InspectedSource,
  { root, findMisplaced }: WorkspaceFolder,
) {
  let isClean = false;
  return async (): Promise<RepositoryFacts['misplacedWorkspaces']> => {
    const found = isClean ? [] : await findMisplaced(common);
    isClean = found.length === 0;
    return { repository: path, root, found };
  };
}
