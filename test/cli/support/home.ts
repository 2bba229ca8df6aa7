/**
 * A separate home for one test file: an empty user directory, a git repository with a legion, and
 * its state directory.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { resolveLegionPaths } from '../../../src/config/paths.ts';
import { unwrap } from '../../../src/lib/result.ts';

export interface Home {
  readonly folder: string;
  readonly repository: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

export function newHome(): Home {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-cli-')));
  const repository = join(folder, 'shop');
  mkdirSync(repository);
  // No files of the user who runs the tests are used, except Node's compile cache, whose contents
  // do not depend on the user.
  const { XDG_CACHE_HOME = join(tmpdir(), 'legion-cli-cache') } = process.env;
  const agents = join(folder, 'agents');
  putAgent(agents, 'codex', 'echo codex-cli 1.2.3');
  const env = {
    HOME: folder,
    PATH: [agents, ...foldersWithoutAgents()].join(delimiter),
    CODEX_API_KEY: 'a-key-of-no-worth',
    XDG_STATE_HOME: '',
    XDG_DATA_HOME: '',
    XDG_CACHE_HOME,
    LEGION_ID: '',
  };
  const state = unwrap(resolveLegionPaths(env)).state('shop');
  return { folder, repository, state, env, remove: () => rmSync(folder, { recursive: true }) };
}

/** Installs an agent program with this script into a directory. */
export function putAgent(folder: string, program: string, script: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Returns this machine's search path without any installed agents. */
export function foldersWithoutAgents(): readonly string[] {
  const { PATH = '' } = process.env;
  const folders = PATH.split(delimiter);
  const programs = ['claude', 'opencode', 'codex'];
  return folders.filter((folder) => !programs.some((program) => existsSync(join(folder, program))));
}

/** Creates a repository with one commit on `main`. */
export function makeRepository(folder: string): void {
  execFileSync('git', ['init', '-q', '-b', 'main', folder]);
  commitFiles(folder, {});
}

export function commitFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    execFileSync('git', ['add', '--', name], { cwd: folder });
  }
  execFileSync('git', [...identity, 'commit', '-q', '--allow-empty', '-m', 'Begin'], { cwd: folder });
}

export function writeLegionFile(folder: string, text = 'legion: shop\nport: 0\n'): void {
  writeFileSync(join(folder, 'legion.yaml'), text);
}
