/**
 * Reads the skills shipped with Legion, the manifest of an installation, and the directory where
 * each agent looks for skills. A skill is a directory with a `SKILL.md` and the pages it links to.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { expandHome } from '../../../../config/paths.ts';
import { LegionError, quoteText } from '../../../../core/model/fault.ts';
import { readJsonFile } from '../../../../lib/fs/read-bounded.ts';
import { unwrap } from '../../../../lib/result.ts';
import { requireSkillsFolder } from '../../../installation.ts';
import type { CommandContext } from '../../../program/define-command.ts';

export interface ShippedFile {
  /** Relative to the skills directory, with `/`: `legion-worker/SKILL.md`. */
  readonly path: string;
  readonly text: string;
  readonly hash: string;
}

export interface ShippedSkill {
  readonly name: string;
  readonly description: string;
  readonly files: readonly ShippedFile[];
}

export function readShippedSkills(folder: string = requireSkillsFolder()): readonly ShippedSkill[] {
  const files = globSync('*/**/*.md', { cwd: folder })
    .map((path) => path.split(sep).join('/'))
    .sort()
    .map((path): ShippedFile => {
      const text = readFileSync(join(folder, path), 'utf8');
      return { path, text, hash: hashContent(text) };
    });
  const names = [...new Set(files.map(({ path }) => extractSkillName(path)))];
  return names.map((name) => {
    const own = files.filter(({ path }) => extractSkillName(path) === name);
    const opening = own.find(({ path }) => path === `${name}/SKILL.md`)?.text ?? '';
    return { name, description: extractDescription(opening), files: own };
  });
}

export function hashContent(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function extractSkillName(path: string): string {
  return path.slice(0, path.indexOf('/'));
}

function extractDescription(text: string): string {
  const [, frontMatter = ''] = /^---\n(.*?)\n---\n/s.exec(text) ?? [];
  const { description } = (parse(frontMatter) ?? {}) as { readonly description?: unknown };
  return typeof description === 'string' ? description : '';
}

export const MANIFEST_FILE = '.legion-skills.json';

/**
 * Paths that a manifest may list. Absolute paths and paths that lead outside the directory are
 * rejected, because listed files may be removed.
 */
const SKILL_PATH = /^[a-z0-9-]+(?:\/(?!\.)[\w.-]+)+$/;

const manifestSchema = z.strictObject({
  version: z.string(),
  files: z.record(z.string().regex(SKILL_PATH), z.string()),
});

export interface SkillsManifest {
  readonly version: string;
  /** Hash of each file as written, by path. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Reads the list of files that Legion installed into a directory. Their hashes show which of them a
 * person has changed. An unreadable manifest is treated as missing: every file that differs is then
 * treated as changed by hand and kept.
 */
export function readManifest(folder: string): SkillsManifest | undefined {
  return manifestSchema.safeParse(readJsonFile(join(folder, MANIFEST_FILE))).data;
}

export function renderManifest({ version, files }: SkillsManifest): string {
  const sorted = Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ version, files: sorted }, undefined, 2)}\n`;
}

interface AgentHomeConvention {
  /** Environment variable that overrides the default directory. */
  readonly variable: string;
  /** Default directory. */
  readonly usual: string;
  /** The agent's own subdirectory, below the default directory or the one that overrides it. */
  readonly own: string;
}

const AGENT_HOME_CONVENTIONS = {
  'claude-code': { variable: 'CLAUDE_CONFIG_DIR', usual: '~/.claude', own: '.' },
  opencode: { variable: 'XDG_CONFIG_HOME', usual: '~/.config', own: 'opencode' },
  codex: { variable: 'CODEX_HOME', usual: '~/.codex', own: '.' },
} as const satisfies Readonly<Record<string, AgentHomeConvention>>;

type AgentName = keyof typeof AGENT_HOME_CONVENTIONS;
export const AGENT_NAMES = Object.keys(AGENT_HOME_CONVENTIONS) as readonly AgentName[];

export interface AgentHome {
  readonly agent: AgentName;
  /** Directory whose existence shows that the agent is used here. */
  readonly home: string;
  readonly exists: boolean;
  readonly skills: string;
}

/** Finds the directory where each agent looks for its user's skills. */
export function resolveAgentHome(
  agent: AgentName,
  { env, cwd }: Pick<CommandContext, 'env' | 'cwd'>,
): AgentHome {
  const { variable, usual, own } = AGENT_HOME_CONVENTIONS[agent];
  const named = env[variable];
  // An empty variable is treated as unset, because some environments cannot unset a variable.
  const base = named === undefined || named === '' ? unwrap(expandHome(usual, env)) : resolve(cwd, named);
  const home = join(base, own);
  return { agent, home, exists: existsSync(home), skills: join(home, 'skills') };
}

export function parseAgentName(text: string): AgentName {
  const agent = AGENT_NAMES.find((name) => name === text.trim().toLowerCase());
  if (agent !== undefined) return agent;
  throw new LegionError(
    'usage.invalid',
    `Unknown agent ${quoteText(text)} in --agent. Valid: ${AGENT_NAMES.join(', ')}.`,
  );
}
