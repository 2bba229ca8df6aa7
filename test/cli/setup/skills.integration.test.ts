/** `legion skills`: installs for the agents of a user, again without harm, and never over what somebody changed. */
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
import { hashOf, shippedSkills } from '../../../src/cli/commands/skills/shipped.ts';
import { type Home, newHome } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { legionIn } from '../support/legion.ts';

const MANIFEST = '.legion-skills.json';
const SHIPPED = shippedSkills().flatMap(({ files }) => files);
const PAGE = 'legion-worker/workflows/test.md';

let home: Home;
let folder = '';
beforeEach(() => {
  home = newHome();
  folder = join(home.folder, '.claude/skills');
});
afterEach(() => home.remove());

describe('where they go', () => {
  test('to every agent whose folder is in the home, and it says who was left out and why', async () => {
    mkdirSync(join(home.folder, '.claude'));
    mkdirSync(join(home.folder, '.config/opencode'), { recursive: true });
    const { exit, out } = await skills('install');
    expect(exit).toBe(0);
    expect(out).toContain(`claude-code: ${folder}\n  ${SHIPPED.length} new\n`);
    expect(out).toContain(`opencode: ${home.folder}/.config/opencode/skills\n`);
    expect(out).toContain(`Left out\n  codex: there is no ${home.folder}/.codex; --agent codex makes it\n`);
    for (const { path, text } of SHIPPED) expect(read(join(folder, path))).toBe(text);
    expect(existsSync(join(home.folder, '.codex'))).toBe(false);
  });

  test('to an agent that is named, also where it has no folder yet', async () => {
    await skills('install', '--agent', 'codex', '--agent', 'claude-code');
    expect(readdirSync(join(home.folder, '.codex/skills')).sort()).toEqual(
      [MANIFEST, ...shippedSkills().map(({ name }) => name)].sort(),
    );
    expect(existsSync(folder)).toBe(true);
    expect(existsSync(join(home.folder, '.config'))).toBe(false);
  });

  test.each([
    ['claude-code', { CLAUDE_CONFIG_DIR: 'elsewhere' }, 'elsewhere/skills'],
    ['opencode', { XDG_CONFIG_HOME: 'xdg' }, 'xdg/opencode/skills'],
    ['codex', { CODEX_HOME: 'cx' }, 'cx/skills'],
    ['codex', { CODEX_HOME: '' }, '.codex/skills'],
  ])('to where a variable has moved the folder of %s', async (agent, moved, expected) => {
    const entries = Object.entries(moved).map(([name, place]) => [name, place && join(home.folder, place)]);
    const env = { ...home.env, ...Object.fromEntries(entries) };
    await perform({ cwd: home.repository, env }, 'skills', 'install', '--agent', agent);
    expect(existsSync(join(home.folder, expected, PAGE))).toBe(true);
  });

  test('to a folder that is named', async () => {
    const { data } = await asked('install', '--to', 'my/skills');
    expect(data.installed).toHaveLength(1);
    expect(data.installed[0]).toMatchObject({ folder: join(home.repository, 'my/skills') });
    expect(data.leftOut).toEqual([]);
    expect(existsSync(join(home.repository, 'my/skills', PAGE))).toBe(true);
  });

  test('nowhere without an agent, with an unknown one, or with two ways to say it', async () => {
    expect((await skills('install')).error).toMatchObject({
      code: 'agent.not_ready',
      message: expect.stringContaining('--to names any other'),
    });
    expect((await skills('install', '--agent', 'hal')).error?.message).toBe(
      '--agent "hal": there are claude-code, opencode, codex',
    );
    expect((await skills('install', '--agent', 'codex', '--to', 'x')).error?.code).toBe('usage.invalid');
    expect((await perform({ cwd: '/', env: {} }, 'skills', 'install')).error?.code).toBe(
      'config.home_missing',
    );
  });

  test('as the installed command does it', async () => {
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

describe('again', () => {
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

  test('restores what is missing and updates what Legion wrote in another version', async () => {
    rmSync(join(folder, 'legion-oracle'), { recursive: true });
    asOfOldVersion(PAGE, 'the page of long ago\n');
    expect(await filesAfter('install')).toEqual({ new: 1, changed: 1, unchanged: SHIPPED.length - 2 });
    expect(read(join(folder, PAGE))).toBe(textOf(PAGE));
    expect(await filesAfter('install')).toEqual({ unchanged: SHIPPED.length });
  });

  test('keeps what somebody changed by hand, each time, until it is forced', async () => {
    writeFileSync(join(folder, PAGE), 'my own words\n');
    for (const _ of ['once', 'twice']) {
      const { out } = await skills('install');
      expect(out).toContain(`1 kept, ${SHIPPED.length - 1} unchanged`);
      expect(out).toContain(`kept     ${PAGE}: somebody changed it; --force overwrites it`);
      expect(read(join(folder, PAGE))).toBe('my own words\n');
    }
    expect(await filesAfter('install', '--force')).toEqual({ changed: 1, unchanged: SHIPPED.length - 1 });
    expect(read(join(folder, PAGE))).toBe(textOf(PAGE));
  });

  test('removes what is no longer part of it, with the folder that becomes empty, but not what was changed', async () => {
    asOfOldVersion('legion-worker/workflows/finish.md', 'old\n');
    asOfOldVersion('legion-scribe/SKILL.md', 'old\n');
    asOfOldVersion('legion-scribe/notes.md', 'old\n');
    asOfOldVersion('legion-poet/SKILL.md', 'old\n');
    writeFileSync(join(folder, 'legion-scribe/notes.md'), 'mine\n');
    const { out } = await skills('install');
    expect(out).toContain('removed  legion-worker/workflows/finish.md');
    expect(out).toContain('kept     legion-scribe/notes.md: it is not part of this version any more');
    expect(existsSync(join(folder, 'legion-worker/workflows/finish.md'))).toBe(false);
    expect(existsSync(join(folder, 'legion-poet'))).toBe(false);
    expect(readdirSync(join(folder, 'legion-scribe'))).toEqual(['notes.md']);
    expect(await filesAfter('install', '--force')).toEqual({ removed: 1, unchanged: SHIPPED.length });
    expect(existsSync(join(folder, 'legion-scribe'))).toBe(false);
  });

  test('touches no file of others', async () => {
    mkdirSync(join(folder, 'my-skill'));
    writeFileSync(join(folder, 'my-skill/SKILL.md'), 'mine\n');
    writeFileSync(join(folder, 'legion-worker/notes.txt'), 'mine\n');
    await skills('install', '--force');
    expect(read(join(folder, 'my-skill/SKILL.md'))).toBe('mine\n');
    expect(read(join(folder, 'legion-worker/notes.txt'))).toBe('mine\n');
  });

  test('removes nothing that a tampered list names outside of the folder', async () => {
    const outside = join(home.folder, '.claude/settings.json');
    writeFileSync(outside, '{}');
    const files = { '../settings.json': hashOf('{}'), 'a/../../settings.json': hashOf('{}') };
    writeFileSync(join(folder, MANIFEST), JSON.stringify({ version: '0.0.1', files }));
    expect(await filesAfter('install', '--force')).toEqual({ unchanged: SHIPPED.length });
    expect(read(outside)).toBe('{}');
  });

  test('keeps everything that differs where its list cannot be read', async () => {
    asOfOldVersion(PAGE, 'the page of long ago\n');
    writeFileSync(join(folder, MANIFEST), 'not JSON');
    expect(await filesAfter('install')).toEqual({ kept: 1, unchanged: SHIPPED.length - 1 });
    expect(JSON.parse(read(join(folder, MANIFEST))).files[PAGE]).toBeUndefined();
  });
});

describe('what was there before', () => {
  test('is kept where it differs, and taken over where it is the same', async () => {
    write('legion-oracle/SKILL.md', 'an oracle of my own\n');
    write(PAGE, textOf(PAGE));
    expect(await filesAfter('install')).toEqual({ kept: 1, unchanged: 1, new: SHIPPED.length - 2 });
    expect(read(join(folder, 'legion-oracle/SKILL.md'))).toBe('an oracle of my own\n');
  });

  test('and is a link is left alone, whatever is asked for', async () => {
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

  test('and is in the way is said with its place', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'legion-worker'), 'a file');
    const { error } = await skills('install');
    expect(error?.code).toBe('config.unwritten');
    expect(error?.message).toContain(join(folder, 'legion-worker'));
  });
});

describe('the list', () => {
  test('has every skill with its description, and where each agent stands', async () => {
    mkdirSync(join(home.folder, '.codex'));
    await skills('install', '--agent', 'claude-code');
    const { data } = await asked('list');
    expect(data.skills.map(({ name }) => name)).toEqual(shippedSkills().map(({ name }) => name));
    expect(data.skills.every(({ description }) => description.startsWith('Use '))).toBe(true);
    expect(data.agents.map(({ agent, state }) => `${agent}: ${state}`)).toEqual([
      'claude-code: up to date',
      `opencode: there is no ${home.folder}/.config/opencode`,
      'codex: not installed',
    ]);
  });

  test('tells what an update would change and what it would keep', async () => {
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

/** How many files came to what, of the one agent there is. */
async function filesAfter(...args: string[]): Promise<Record<string, number>> {
  mkdirSync(join(home.folder, '.claude'), { recursive: true });
  const { data } = await asked(...args);
  const counts: Record<string, number> = {};
  for (const { what } of data.installed[0]?.files ?? []) counts[what] = (counts[what] ?? 0) + 1;
  return counts;
}

/** A file as an installation of another version would have left it: with other words, and listed. */
function asOfOldVersion(path: string, text: string): void {
  write(path, text);
  const manifest = JSON.parse(read(join(folder, MANIFEST))) as { files: Record<string, string> };
  manifest.files[path] = hashOf(text);
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
