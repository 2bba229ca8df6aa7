/**
 * Tests `legion skills`: it installs skills for a user's agents, can be repeated, and never
 * overwrites manual changes.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashContent, readShippedSkills } from '../../../src/cli/commands/setup/skills/shipped.ts';
import { type Home, newHome } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { legionIn } from '../support/legion.ts';

const MANIFEST = '.legion-skills.json';
const SHIPPED = readShippedSkills().flatMap(({ files }) => files);
const PAGE = 'legion-worker/workflows/test.md';

let home: Home;
let folder = '';
beforeEach(() => {
  home = newHome();
  folder = join(home.folder, '.claude/skills');
});
afterEach(() => home.remove());

describe('`legion skills install`', () => {
  test('installs the skills for every agent with a folder in the home directory, and says why it omits the other agents', async () => {
    mkdirSync(join(home.folder, '.claude'));
    mkdirSync(join(home.folder, '.config/opencode'), { recursive: true });
    const { exit, out } = await skills('install');
    expect(exit).toBe(0);
    expect(out).toContain(`claude-code: ${folder}\n  ${SHIPPED.length} new\n`);
    expect(out).toContain(`opencode: ${home.folder}/.config/opencode/skills\n`);
    expect(out).toContain(
      `Skipped\n  codex: ${home.folder}/.codex does not exist; use --agent codex to create it\n`,
    );
    for (const { path, text } of SHIPPED) expect(read(join(folder, path))).toBe(text);
    expect(existsSync(join(home.folder, '.codex'))).toBe(false);
  });

  test('installs the skills for a named agent, even if that agent has no folder yet', async () => {
    await skills('install', '--agent', 'codex', '--agent', 'claude-code');
    expect(readdirSync(join(home.folder, '.codex/skills')).sort()).toEqual(
      [MANIFEST, ...readShippedSkills().map(({ name }) => name)].sort(),
    );
    expect(existsSync(folder)).toBe(true);
    expect(existsSync(join(home.folder, '.config'))).toBe(false);
  });

  test.each([
    ['claude-code', { CLAUDE_CONFIG_DIR: 'elsewhere' }, 'elsewhere/skills'],
    ['opencode', { XDG_CONFIG_HOME: 'xdg' }, 'xdg/opencode/skills'],
    ['codex', { CODEX_HOME: 'cx' }, 'cx/skills'],
    ['codex', { CODEX_HOME: '' }, '.codex/skills'],
  ])(
    'installs to the folder that an environment variable specifies for %s',
    async (agent, moved, expected) => {
      const entries = Object.entries(moved).map(([name, place]) => [name, place && join(home.folder, place)]);
      const env = { ...home.env, ...Object.fromEntries(entries) };
      await perform({ cwd: home.repository, env }, 'skills', 'install', '--agent', agent);
      expect(existsSync(join(home.folder, expected, PAGE))).toBe(true);
    },
  );

  test('installs to a folder given as an option', async () => {
    const { data } = await asked('install', '--to', 'my/skills');
    expect(data.installed).toHaveLength(1);
    expect(data.installed[0]).toMatchObject({ folder: join(home.repository, 'my/skills') });
    expect(data.leftOut).toEqual([]);
    expect(existsSync(join(home.repository, 'my/skills', PAGE))).toBe(true);
  });

  test('installs nothing without an agent, for an unknown agent, or with two conflicting options', async () => {
    expect((await skills('install')).error).toMatchObject({
      code: 'agent.not_ready',
      message: expect.stringContaining('Use --to to install into another folder.'),
    });
    expect((await skills('install', '--agent', 'hal')).error?.message).toBe(
      'Unknown agent "hal" in --agent. Valid: claude-code, opencode, codex.',
    );
    expect((await skills('install', '--agent', 'codex', '--to', 'x')).error?.code).toBe('usage.invalid');
    expect((await perform({ cwd: '/', env: {} }, 'skills', 'install')).error?.code).toBe(
      'config.home_missing',
    );
  });

  test('installs the same files if `legion` runs as a real process', async () => {
    const { code, stdout } = await legionIn(
      { cwd: home.folder, env: home.env },
      'skills',
      'install',
      '--agent',
      'codex',
    );
    expect(code).toBe(0);
    expect(stdout).toContain(`${SHIPPED.length} new`);
    expect(read(join(home.folder, '.codex/skills', PAGE))).toBe(textOf(PAGE));
  });
});

describe('a second installation', () => {
  beforeEach(() => skills('install', '--agent', 'claude-code'));

  test('changes nothing', async () => {
    const times = () =>
      readdirSync(folder, { recursive: true }).map((path) => statSync(join(folder, String(path))).mtimeMs);
    const before = times();
    expect(await filesAfter('install')).toEqual({ unchanged: SHIPPED.length });
    expect(times()).toEqual(before);
    expect((await skills('install')).out).toContain(
      `claude-code: ${folder}\n  ${SHIPPED.length} unchanged\n`,
    );
  });

  test('restores missing files and updates files from another version', async () => {
    rmSync(join(folder, 'legion-oracle'), { recursive: true });
    asOfOldVersion(PAGE, 'the page of long ago\n');
    expect(await filesAfter('install')).toEqual({ new: 1, changed: 1, unchanged: SHIPPED.length - 2 });
    expect(read(join(folder, PAGE))).toBe(textOf(PAGE));
    expect(await filesAfter('install')).toEqual({ unchanged: SHIPPED.length });
  });

  test('keeps files that a person has changed, however often it is repeated, until --force is given', async () => {
    writeFileSync(join(folder, PAGE), 'my own words\n');
    for (const _ of ['once', 'twice']) {
      const { out } = await skills('install');
      expect(out).toContain(`1 kept, ${SHIPPED.length - 1} unchanged`);
      expect(out).toContain(`kept     ${PAGE}: you changed it; use --force to overwrite it`);
      expect(read(join(folder, PAGE))).toBe('my own words\n');
    }
    expect(await filesAfter('install', '--force')).toEqual({ changed: 1, unchanged: SHIPPED.length - 1 });
    expect(read(join(folder, PAGE))).toBe(textOf(PAGE));
  });

  test('removes files that are no longer shipped and folders that become empty, but keeps changed files', async () => {
    asOfOldVersion('legion-worker/workflows/finish.md', 'old\n');
    asOfOldVersion('legion-scribe/SKILL.md', 'old\n');
    asOfOldVersion('legion-scribe/notes.md', 'old\n');
    asOfOldVersion('legion-poet/SKILL.md', 'old\n');
    writeFileSync(join(folder, 'legion-scribe/notes.md'), 'mine\n');
    const { out } = await skills('install');
    expect(out).toContain('removed  legion-worker/workflows/finish.md');
    expect(out).toContain('kept     legion-scribe/notes.md: it is no longer part of this version');
    expect(existsSync(join(folder, 'legion-worker/workflows/finish.md'))).toBe(false);
    expect(existsSync(join(folder, 'legion-poet'))).toBe(false);
    expect(readdirSync(join(folder, 'legion-scribe'))).toEqual(['notes.md']);
    expect(await filesAfter('install', '--force')).toEqual({ removed: 1, unchanged: SHIPPED.length });
    expect(existsSync(join(folder, 'legion-scribe'))).toBe(false);
  });

  test('does not change files that Legion did not install', async () => {
    mkdirSync(join(folder, 'my-skill'));
    writeFileSync(join(folder, 'my-skill/SKILL.md'), 'mine\n');
    writeFileSync(join(folder, 'legion-worker/notes.txt'), 'mine\n');
    await skills('install', '--force');
    expect(read(join(folder, 'my-skill/SKILL.md'))).toBe('mine\n');
    expect(read(join(folder, 'legion-worker/notes.txt'))).toBe('mine\n');
  });

  test('removes nothing outside the folder, even if the list of installed files was tampered with', async () => {
    const outside = join(home.folder, '.claude/settings.json');
    writeFileSync(outside, '{}');
    const files = { '../settings.json': hashContent('{}'), 'a/../../settings.json': hashContent('{}') };
    writeFileSync(join(folder, MANIFEST), JSON.stringify({ version: '0.0.1', files }));
    expect(await filesAfter('install', '--force')).toEqual({ unchanged: SHIPPED.length });
    expect(read(outside)).toBe('{}');
  });

  test('if the list of installed files cannot be read, keeps every file that differs from the shipped one', async () => {
    asOfOldVersion(PAGE, 'the page of long ago\n');
    writeFileSync(join(folder, MANIFEST), 'not JSON');
    expect(await filesAfter('install')).toEqual({ kept: 1, unchanged: SHIPPED.length - 1 });
    expect(JSON.parse(read(join(folder, MANIFEST))).files[PAGE]).toBeUndefined();
  });
});

describe('an existing file at the target', () => {
  test('is kept unchanged if it differs from the shipped file, and is treated as installed if it is identical', async () => {
    write('legion-oracle/SKILL.md', 'an oracle of my own\n');
    write(PAGE, textOf(PAGE));
    expect(await filesAfter('install')).toEqual({ kept: 1, unchanged: 1, new: SHIPPED.length - 2 });
    expect(read(join(folder, 'legion-oracle/SKILL.md'))).toBe('an oracle of my own\n');
  });

  test('is never changed if it is a link, regardless of the options', async () => {
    const own = join(home.folder, 'clone');
    mkdirSync(own);
    writeFileSync(join(own, 'SKILL.md'), 'of a clone\n');
    mkdirSync(folder, { recursive: true });
    symlinkSync(own, join(folder, 'legion-oracle'));
    mkdirSync(join(folder, 'legion-retro'));
    symlinkSync(join(own, 'SKILL.md'), join(folder, 'legion-retro/SKILL.md'));
    expect(await filesAfter('install', '--force')).toEqual({ kept: 2, new: SHIPPED.length - 2 });
    expect(read(join(own, 'SKILL.md'))).toBe('of a clone\n');
    expect(readlinkSync(join(folder, 'legion-oracle'))).toBe(own);
  });

  test('is reported with its path if a folder is needed in its place', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'legion-worker'), 'a file');
    const { error } = await skills('install');
    expect(error?.code).toBe('config.unwritten');
    expect(error?.message).toContain(join(folder, 'legion-worker'));
  });
});

describe('`legion skills list`', () => {
  test('shows every skill with its description, and the state of each agent', async () => {
    mkdirSync(join(home.folder, '.codex'));
    await skills('install', '--agent', 'claude-code');
    const { data } = await asked('list');
    expect(data.skills.map(({ name }) => name)).toEqual(readShippedSkills().map(({ name }) => name));
    expect(data.skills.every(({ description }) => description.startsWith('Use '))).toBe(true);
    expect(data.agents.map(({ agent, state }) => `${agent}: ${state}`)).toEqual([
      'claude-code: up to date',
      `opencode: ${home.folder}/.config/opencode does not exist`,
      'codex: not installed',
    ]);
  });

  test('shows what an update would change and keep', async () => {
    await skills('install', '--agent', 'claude-code');
    asOfOldVersion(PAGE, 'the page of long ago\n');
    writeFileSync(join(folder, 'legion-oracle/SKILL.md'), 'mine\n');
    const { out } = await skills('list');
    expect(out).toContain('claude-code  1 to update, 1 changed by hand ');
    expect(read(join(folder, PAGE))).toBe('the page of long ago\n');
  });
});

function skills(...args: string[]) {
  return perform({ cwd: home.repository, env: home.env }, 'skills', ...args);
}

interface Told {
  readonly installed: readonly { readonly files: readonly { readonly what: string }[] }[];
  readonly leftOut: readonly object[];
  readonly skills: readonly { readonly name: string; readonly description: string }[];
  readonly agents: readonly { readonly agent: string; readonly state: string }[];
}

async function asked(...args: string[]): Promise<{ data: Told }> {
  const { out } = await skills(...args, '--json');
  return { data: JSON.parse(out) as Told };
}

/** Returns the number of files per result, for the only agent. */
async function filesAfter(...args: string[]): Promise<Record<string, number>> {
  mkdirSync(join(home.folder, '.claude'), { recursive: true });
  const { data } = await asked(...args);
  const counts: Record<string, number> = {};
  for (const { what } of data.installed[0]?.files ?? []) counts[what] = (counts[what] ?? 0) + 1;
  return counts;
}

/**
 * Writes a file as another version of Legion would have left it: its text differs, and it is in the
 * list of files.
 */
function asOfOldVersion(path: string, text: string): void {
  write(path, text);
  const manifest = JSON.parse(read(join(folder, MANIFEST))) as { files: Record<string, string> };
  manifest.files[path] = hashContent(text);
  writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

function textOf(path: string): string {
  return SHIPPED.find((file) => file.path === path)?.text ?? '';
}
