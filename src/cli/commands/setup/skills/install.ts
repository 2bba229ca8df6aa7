/** `legion skills install`: copies the skills to the directory where an agent looks for them. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../../core/model/fault.ts';
import { writeDurablySync } from '../../../../lib/fs/atomic-write.ts';
import { readVersion } from '../../../installation.ts';
import { printJson, printPage, renderBullets, renderHeading, renderSection } from '../../../present/page.ts';
import {
  addJsonOption,
  type CommandContext,
  collectValues,
  defineCommand,
  renderExamples,
} from '../../../program/define-command.ts';
import {
  AGENT_NAMES,
  hashContent,
  MANIFEST_FILE,
  parseAgentName,
  readManifest,
  readShippedSkills,
  renderManifest,
  resolveAgentHome,
  type ShippedFile,
  type SkillsManifest,
} from './shipped.ts';

interface InstallTarget {
  /**
   * The agent that the skills are installed for. Absent if `--to` specifies the directory instead.
   */
  readonly agent?: string;
  readonly folder: string;
}

interface SkippedTarget extends InstallTarget {
  readonly why: string;
}

export const install = defineCommand(
  () =>
    addJsonOption(
      new Command()
        .description(
          'Install Legion’s skills for your own agent sessions; workers already have them. Without --agent or --to, install them for every agent with a folder in your home directory. Files that you have changed are kept.',
        )
        .option(
          '--agent <AGENT>',
          `Agent to install for: ${AGENT_NAMES.join(', ')}; repeatable`,
          collectValues,
          [],
        )
        .option('--to <FOLDER>', 'Install into this folder instead, such as .claude/skills of a project')
        .option('--force', 'Also overwrite and remove files that you have changed')
        .addHelpText(
          'after',
          renderExamples(
            'legion skills install',
            'legion skills install --agent codex',
            'legion skills install --to .claude/skills',
          ),
        ),
    ),
  async ({ options: { agent, to, force = false, json } }, context) => {
    const { targets, leftOut } = findInstallTargets(agent, to, context);
    const shipped = readShippedSkills().flatMap(({ files }) => files);
    const installed = targets.map((target) => ({
      ...target,
      files: copySkills({ folder: target.folder, shipped, version: readVersion(), force }),
    }));
    if (json === true) printJson(context, { version: readVersion(), installed, leftOut });
    else printPage(context, renderInstallPage(installed, leftOut));
    return undefined;
  },
);

interface InstallTargets {
  readonly targets: readonly InstallTarget[];
  readonly leftOut: readonly SkippedTarget[];
}

function findInstallTargets(
  agents: readonly string[],
  to: string | undefined,
  context: CommandContext,
): InstallTargets {
  if (to !== undefined) {
    if (agents.length > 0) throw new LegionError('usage.invalid', '--to and --agent cannot be combined.');
    return { targets: [{ folder: resolve(context.cwd, to) }], leftOut: [] };
  }
  const named = [...new Set(agents.map(parseAgentName))];
  const homes = (named.length > 0 ? named : AGENT_NAMES).map((name) => resolveAgentHome(name, context));
  const chosen = homes.filter(({ exists }) => named.length > 0 || exists);
  const leftOut = homes
    .filter((home) => !chosen.includes(home))
    .map(({ agent, home, skills: folder }) => ({
      agent,
      folder,
      why: `${home} does not exist; use --agent ${agent} to create it`,
    }));
  if (chosen.length === 0) {
    const reasons = leftOut.map(({ why }) => why).join(', ');
    throw new LegionError(
      'agent.not_ready',
      `No agent folder found: ${reasons}. Use --to to install into another folder.`,
    );
  }
  return { targets: chosen.map(({ agent, skills: folder }) => ({ agent, folder })), leftOut };
}

const CHANGE_ORDER: readonly SkillChangeKind[] = ['new', 'changed', 'removed', 'kept', 'unchanged'];

function renderInstallPage(
  installed: readonly (InstallTarget & { readonly files: readonly SkillChange[] })[],
  leftOut: readonly SkippedTarget[],
): string {
  const parts = installed.map(({ agent, folder, files }) => {
    const counts = CHANGE_ORDER.map(
      (what) => [what, files.filter((file) => file.what === what).length] as const,
    )
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${count} ${what}`);
    const lines = files
      .filter(({ what }) => what !== 'unchanged')
      .map(({ path, what, why }) => `${what.padEnd('removed'.length)}  ${path}${why ? `: ${why}` : ''}`);
    const title = agent === undefined ? folder : `${agent}: ${folder}`;
    return `${renderHeading(title)}${renderBullets([counts.join(', '), ...lines])}`;
  });
  const skipped = leftOut.map(({ agent, why }) => `${agent}: ${why}`);
  return `${parts.join('\n')}${renderSection('Skipped', renderBullets(skipped))}`;
}

/** Readable for every user, as in the package. */
const READABLE_MODE = 0o644;

interface CopySkillsOptions {
  readonly folder: string;
  readonly shipped: readonly ShippedFile[];
  readonly version: string;
  readonly force: boolean;
}

function copySkills({ folder, shipped, version, force }: CopySkillsOptions): readonly SkillChange[] {
  const before = readManifest(folder);
  const changes = compareSkills(folder, shipped, before, force);
  const texts = new Map(shipped.map(({ path, text }) => [path, text]));
  for (const { path, what } of changes) {
    if (what === 'new' || what === 'changed') writeSkillFile(join(folder, path), texts.get(path) ?? '');
    if (what === 'removed') removeSkillFile(folder, path);
  }
  // The manifest is written last. If the installation is interrupted before that, the next
  // installation finds the copied files unchanged and adds them to the manifest.
  const text = renderManifest({ version, files: buildManifestFiles(changes, shipped, before) });
  if (text !== readTextIfPresent(join(folder, MANIFEST_FILE)))
    writeSkillFile(join(folder, MANIFEST_FILE), text);
  return changes;
}

/**
 * Builds the manifest's list of files. A kept file is listed with its original hash, so that later
 * installations still recognise it as changed by hand.
 */
function buildManifestFiles(
  changes: readonly SkillChange[],
  shipped: readonly ShippedFile[],
  before: SkillsManifest | undefined,
): SkillsManifest['files'] {
  const hashes = new Map(shipped.map(({ path, hash }) => [path, hash]));
  const entries = changes.flatMap(({ path, what }) => {
    const hash = what === 'kept' ? before?.files[path] : what === 'removed' ? undefined : hashes.get(path);
    return hash === undefined ? [] : [[path, hash] as const];
  });
  return Object.fromEntries(entries);
}

function writeSkillFile(path: string, text: string): void {
  withWriteError(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeDurablySync(path, text, READABLE_MODE);
  });
}

/** Also removes directories that become empty, up to the skills directory. */
function removeSkillFile(folder: string, path: string): void {
  withWriteError(join(folder, path), () => {
    rmSync(join(folder, path));
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
      if (readdirSync(join(folder, parent)).length > 0) return;
      rmdirSync(join(folder, parent));
    }
  });
}

function withWriteError(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new LegionError('config.unwritten', `${path}: ${(error as Error).message}`);
  }
}

function readTextIfPresent(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/**
 * `kept`: not installed by Legion, or changed by a person. `removed`: installed by Legion, but no
 * longer part of this version.
 */
export type SkillChangeKind = 'new' | 'changed' | 'unchanged' | 'removed' | 'kept';

export interface SkillChange {
  readonly path: string;
  readonly what: SkillChangeKind;
  /** Reason why the file is kept. */
  readonly why?: string;
}

/**
 * Compares a directory with the shipped skills and decides what an installation does with each
 * file. Files that a person changed are kept.
 */
export function compareSkills(
  folder: string,
  shipped: readonly ShippedFile[],
  manifest: SkillsManifest | undefined,
  force: boolean,
): readonly SkillChange[] {
  const known = new Map(Object.entries(manifest?.files ?? {}));
  const paths = new Set(shipped.map(({ path }) => path));
  const obsolete = [...known.keys()].filter((path) => !paths.has(path)).sort();
  return [
    ...shipped.map((file) => compareShippedFile(folder, file, known.get(file.path), force)),
    ...obsolete.flatMap((path) => compareRemovedFile(folder, path, known.get(path), force)),
  ];
}

function compareShippedFile(
  folder: string,
  { path, hash }: ShippedFile,
  known: string | undefined,
  force: boolean,
) {
  const current = inspectPath(folder, path);
  if (current === 'absent') return { path, what: 'new' } as const;
  if (current === 'link' || current === 'other')
    return { path, what: 'kept', why: KEPT_REASONS[current] } as const;
  if (current.hash === hash) return { path, what: 'unchanged' } as const;
  return force || current.hash === known
    ? ({ path, what: 'changed' } as const)
    : ({
        path,
        what: 'kept',
        why: known === undefined ? KEPT_REASONS.foreign : KEPT_REASONS.byHand,
      } as const);
}

function compareRemovedFile(
  folder: string,
  path: string,
  known: string | undefined,
  force: boolean,
): SkillChange[] {
  const current = inspectPath(folder, path);
  if (current === 'absent') return [];
  if (current === 'link' || current === 'other') return [{ path, what: 'kept', why: KEPT_REASONS[current] }];
  return force || current.hash === known
    ? [{ path, what: 'removed' }]
    : [{ path, what: 'kept', why: KEPT_REASONS.goneByHand }];
}

const KEPT_REASONS = {
  link: 'it is a symbolic link or inside a linked folder, and is left unchanged',
  other: 'it is not a regular file',
  foreign: 'it existed before and differs; use --force to overwrite it',
  byHand: 'you changed it; use --force to overwrite it',
  goneByHand: 'it is no longer part of this version, but you changed it; use --force to remove it',
} as const;

/**
 * Does not follow links inside the directory, because they lead to a person's own copy. The
 * directory itself may be a link, because people share skills that way.
 */
function inspectPath(folder: string, path: string): 'absent' | 'link' | 'other' | { readonly hash: string } {
  const full = join(folder, path);
  try {
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
      if (lstatSync(join(folder, parent), { throwIfNoEntry: false })?.isSymbolicLink() === true)
        return 'link';
    }
    const stats = lstatSync(full, { throwIfNoEntry: false });
    if (stats === undefined) return 'absent';
    if (stats.isSymbolicLink()) return 'link';
    return stats.isFile() ? { hash: hashContent(readFileSync(full)) } : 'other';
  } catch (error) {
    // A file exists where this path needs a directory, so nothing exists at the path. Writing to
    // the path will report the problem.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return 'absent';
    throw new LegionError('config.unreadable', `${full}: ${(error as Error).message}`);
  }
}
