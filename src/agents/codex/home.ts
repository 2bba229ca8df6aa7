/** A worker's own home of Codex: its configuration, the skills, and the way to the person's login. It also keeps the threads. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import type { SessionOrder } from '../../driving/dialect.ts';
import { writeHookScript } from '../../driving/hook-script.ts';
import { configText } from './config-file.ts';
import { loginFile } from './login-file.ts';

export interface HomeContent {
  /** Where the thread that goes on began with other rules. */
  readonly hasNewRules: boolean;
}

/** Returns its path. Throws `agent.not_ready` where it cannot be written. */
export function prepareHome(order: SessionOrder, content: HomeContent): string {
  const home = join(order.folder, 'home');
  try {
    write(home, order, content);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('agent.not_ready', `${home}: ${why}`, { cause: error });
  }
  return home;
}

/** What is there of an earlier process is written anew: the worker itself could have changed it. */
function write(home: string, order: SessionOrder, { hasNewRules }: HomeContent): void {
  const { folder, workspace, equipment, endpoint, env } = order;
  const skills = join(home, 'skills');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const place = (name: string, fill: (path: string) => void) => {
    const path = join(home, name);
    // The link, not what it leads to.
    rmSync(path, { recursive: true, force: true });
    fill(path);
  };

  const names = skillsIn(equipment.skills);
  place('skills', (path) => {
    mkdirSync(path, { mode: 0o700 });
    for (const name of names) symlinkSync(join(equipment.skills, name), join(path, name));
  });
  place('config.toml', (path) => {
    const workspaces = [...new Set([workspace, realpathSync(workspace)])];
    const stopHook = writeHookScript(folder, equipment.stopHook);
    const text = configText({ order, workspaces, skills: { folder: skills, names }, stopHook });
    writeFileSync(path, text, { mode: 0o600 });
  });
  place('auth.json', (path) => {
    // A link, because a login is renewed by whoever uses it, and the person and all workers have one. Another address has its own key.
    const login = loginFile(env);
    if (endpoint === undefined && login !== undefined && existsSync(login)) symlinkSync(login, path);
  });
  place('AGENTS.md', (path) => {
    if (hasNewRules) writeFileSync(path, newRules(equipment.rules), { mode: 0o600 });
  });
}

function skillsIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'SKILL.md')));
}

/** The instructions a thread began with stay in it; only a changed `AGENTS.md` is told to one that goes on. */
function newRules(rules: string): string {
  return `These rules of Legion take the place of those you began with.\n\n${rules}\n`;
}
