/** Gathers what the preflight must know of each repository: its commands, their approval, its checks, submodules and LFS. */
import { commandsFingerprint } from '../../config/repository/fingerprint.ts';
import type { RepositoryConfig } from '../../config/repository/schema.ts';
import type { RepositoryFacts } from '../../core/state/preflight.ts';
import type { Clock } from '../../domain/clock.ts';
import { findLfsFiles, lfsNotice } from '../../git/lfs.ts';
import { findMisplaced } from '../../workspaces/git-worktree/find-misplaced.ts';
import type { Ground } from '../compose-ground.ts';
import type { OpenRepository } from '../composition/open-repository.ts';
import type { BaselineCommand, WantedBaseline } from './baseline.ts';
import type { PreflightRepository, RepositoryLook } from './preflight.ts';

/** A repository on GitHub is asked again this often while nothing seems to check it, and while it could not be asked. */
const ASK_AGAIN_MS = 60_000;

interface WorkspaceFolder {
  readonly legion: string;
  /** Where workspaces are made. */
  readonly root: string;
}

export function preflightOf(
  repository: OpenRepository,
  clock: Clock,
  folder: WorkspaceFolder,
): PreflightRepository {
  const { name, base, forge, rules, ground, baseline } = repository;
  const checks = forgeChecksOf(repository, clock);
  const lfs = lfsIn(ground);
  const misplaced = misplacedIn(ground, folder);
  return {
    name,
    baseline,
    async look(signal): Promise<RepositoryLook> {
      const { config } = await rules.refresh();
      const [sha, modules] = await ground.lookup.objects([
        `${ground.ref}^{commit}`,
        `${ground.ref}:.gitmodules`,
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
          return wantedOf(present, forge.kind, sha, modules !== undefined);
        },
        notices: sha === undefined ? [] : await lfs(sha),
      };
    },
  };
}

/** CI of GitHub is GitHub’s to run. The setup goes first: the commands are written for a prepared workspace. */
function wantedOf(
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
  return { fingerprint: commandsFingerprint(config), sha, commands };
}

function forgeChecksOf({ forge, ground }: OpenRepository, clock: Clock) {
  let known: { readonly checks: RepositoryFacts['forgeChecks']; readonly at: number } | undefined;
  return async (config: RepositoryConfig, signal: AbortSignal): Promise<RepositoryFacts['forgeChecks']> => {
    if (forge.kind === 'local') return 'none';
    // Where it does not matter, GitHub is not asked.
    if (config.commands.quality_gate !== undefined || known?.checks === 'some') return 'some';
    const [workflows] = await ground.lookup.objects([`${ground.ref}:.github/workflows`]);
    if (workflows !== undefined) return 'some';
    if (known !== undefined && clock.now() - known.at < ASK_AGAIN_MS) return known.checks;
    const checks = await forge.findChecks(signal).catch(() => 'unknown' as const);
    known = { checks, at: clock.now() };
    return checks;
  };
}

/** Looked for once for each commit of the base. */
function lfsIn({ git, common }: Ground) {
  let known: { readonly sha: string; readonly notices: RepositoryLook['notices'] } | undefined;
  return async (sha: string): Promise<RepositoryLook['notices']> => {
    if (known?.sha !== sha) {
      const files = await findLfsFiles(git, common, sha);
      known = { sha, notices: files.length === 0 ? [] : [await lfsNotice(git, common, files)] };
    }
    return known.notices;
  };
}

/** Once there are none, none can come: this daemon makes all of them in one folder. */
function misplacedIn({ common, path }: Ground, { legion, root }: WorkspaceFolder) {
  let isClean = false;
  return async (): Promise<RepositoryFacts['misplacedWorkspaces']> => {
    const found = isClean ? [] : await findMisplaced(common, legion, root);
    isClean = found.length === 0;
    return { repository: path, root, found };
  };
}
