/** `legion skills install`: copies the skills to where an agent looks for those of its user. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import { writeDurablySync } from '../../../lib/fs/atomic-write.ts';
import type { CommandContext } from '../../command.ts';
import { bullets, heading, section } from '../../present/page.ts';
import { printJson, printPage } from '../../present/print.ts';
import { defineCommand } from '../../program/define-command.ts';
import { addJsonOption, collectValues, examples } from '../../program/options.ts';
import { version } from '../../version.ts';
import { AGENT_NAMES, agentHome, agentNamed } from './agent-homes.ts';
import type { Change, What } from './compare.ts';
import { compare } from './compare.ts';
import { MANIFEST_FILE, type Manifest, manifestText, readManifest } from './manifest.ts';
import type { ShippedFile } from './shipped.ts';
import { shippedSkills } from './shipped.ts';

interface Target {
  /** Absent where the folder was named itself. */
  readonly agent?: string;
  readonly folder: string;
}

interface LeftOut extends Target {
  readonly why: string;
}

export const install = defineCommand(
  () =>
    addJsonOption(
      new Command()
        .description(
          'Copy Legion’s skills to where your agents look for them, for your own sessions; workers have them anyway. Without --agent or --to, install them for every agent that has a folder in your home. Files that you have changed are kept.',
        )
        .option('--agent <AGENT>', `One of ${AGENT_NAMES.join(', ')}; repeatable`, collectValues, [])
        .option('--to <FOLDER>', 'Use this folder instead, such as .claude/skills of a project')
        .option('--force', 'Overwrite and remove files that you have changed, too')
        .addHelpText(
          'after',
          examples(
            'legion skills install',
            'legion skills install --agent codex',
            'legion skills install --to .claude/skills',
          ),
        ),
    ),
  async ({ options: { agent, to, force = false, json } }, context) => {
    const { targets, leftOut } = placesFor(agent, to, context);
    const shipped = shippedSkills().flatMap(({ files }) => files);
    const installed = targets.map((target) => ({
      ...target,
      files: copySkills({ folder: target.folder, shipped, version: version(), force }),
    }));
    if (json === true) printJson(context, { version: version(), installed, leftOut });
    else printPage(context, page(installed, leftOut));
    return undefined;
  },
);

interface Places {
  readonly targets: readonly Target[];
  readonly leftOut: readonly LeftOut[];
}

function placesFor(agents: readonly string[], to: string | undefined, context: CommandContext): Places {
  if (to !== undefined) {
    if (agents.length > 0)
      throw new LegionError('usage.invalid', '--to names the folder itself: leave --agent out');
    return { targets: [{ folder: resolve(context.cwd, to) }], leftOut: [] };
  }
  const named = [...new Set(agents.map(agentNamed))];
  const homes = (named.length > 0 ? named : AGENT_NAMES).map((name) => agentHome(name, context));
  const chosen = homes.filter(({ isThere }) => named.length > 0 || isThere);
  const leftOut = homes
    .filter((home) => !chosen.includes(home))
    .map(({ agent, home, skills: folder }) => ({
      agent,
      folder,
      why: `there is no ${home}; --agent ${agent} makes it`,
    }));
  if (chosen.length === 0) {
    const looked = leftOut.map(({ why }) => why).join(', ');
    throw new LegionError('agent.not_ready', `no agent has a folder here: ${looked}; --to names any other`);
  }
  return { targets: chosen.map(({ agent, skills: folder }) => ({ agent, folder })), leftOut };
}

const ORDER: readonly What[] = ['new', 'changed', 'removed', 'kept', 'unchanged'];

function page(
  installed: readonly (Target & { readonly files: readonly Change[] })[],
  leftOut: readonly LeftOut[],
): string {
  const parts = installed.map(({ agent, folder, files }) => {
    const counts = ORDER.map((what) => [what, files.filter((file) => file.what === what).length] as const)
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${count} ${what}`);
    const told = files
      .filter(({ what }) => what !== 'unchanged')
      .map(({ path, what, why }) => `${what.padEnd('removed'.length)}  ${path}${why ? `: ${why}` : ''}`);
    const where = agent === undefined ? folder : `${agent}: ${folder}`;
    return `${heading(where)}${bullets([counts.join(', '), ...told])}`;
  });
  const out = leftOut.map(({ agent, why }) => `${agent}: ${why}`);
  return `${parts.join('\n')}${section('Left out', bullets(out))}`;
}

/** What everybody may read in the package, everybody may read here. */
const READABLE = 0o644;

interface Copying {
  readonly folder: string;
  readonly shipped: readonly ShippedFile[];
  readonly version: string;
  readonly force: boolean;
}

function copySkills({ folder, shipped, version, force }: Copying): readonly Change[] {
  const before = readManifest(folder);
  const changes = compare(folder, shipped, before, force);
  const texts = new Map(shipped.map(({ path, text }) => [path, text]));
  for (const { path, what } of changes) {
    if (what === 'new' || what === 'changed') write(join(folder, path), texts.get(path) ?? '');
    if (what === 'removed') remove(folder, path);
  }
  // Last: cut off before it, the next installation finds the new files equal to its own and lists them.
  const text = manifestText({ version, files: listed(changes, shipped, before) });
  if (text !== textAt(join(folder, MANIFEST_FILE))) write(join(folder, MANIFEST_FILE), text);
  return changes;
}

/** A file that was kept stays listed as it was once written, so that it still counts as changed by hand. */
function listed(
  changes: readonly Change[],
  shipped: readonly ShippedFile[],
  before: Manifest | undefined,
): Manifest['files'] {
  const hashes = new Map(shipped.map(({ path, hash }) => [path, hash]));
  const entries = changes.flatMap(({ path, what }) => {
    const hash = what === 'kept' ? before?.files[path] : what === 'removed' ? undefined : hashes.get(path);
    return hash === undefined ? [] : [[path, hash] as const];
  });
  return Object.fromEntries(entries);
}

function write(path: string, text: string): void {
  doing(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeDurablySync(path, text, READABLE);
  });
}

/** With the folders it leaves empty, up to the folder of all skills. */
function remove(folder: string, path: string): void {
  doing(join(folder, path), () => {
    rmSync(join(folder, path));
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
      if (readdirSync(join(folder, parent)).length > 0) return;
      rmdirSync(join(folder, parent));
    }
  });
}

function doing(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new LegionError('config.unwritten', `${path}: ${(error as Error).message}`);
  }
}

function textAt(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
