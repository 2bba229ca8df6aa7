import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareCodexHome } from '../../../src/agents/codex/home.ts';
import { newScene, type Scene } from './order.ts';

const SAME = { hasNewRules: false };

function login({ order: { env } }: Scene): string {
  const { HOME = '' } = env;
  const folder = join(HOME, '.codex');
  mkdirSync(folder);
  const file = join(folder, 'auth.json');
  writeFileSync(file, '{"tokens":1}');
  return file;
}

test('a home contains the configuration, a link to each skill, and nothing else', () => {
  const scene = newScene();
  const home = prepareCodexHome(scene.order, SAME);
  expect(readdirSync(home).toSorted()).toEqual(['config.toml', 'skills']);
  expect(readdirSync(join(home, 'skills')).toSorted()).toEqual(['legion-oracle', 'legion-worker']);
  expect(readlinkSync(join(home, 'skills/legion-worker'))).toBe(join(scene.root, 'skills/legion-worker'));
  expect(readFileSync(join(home, 'config.toml'), 'utf8')).toContain(`[projects."${scene.order.workspace}"]`);
  for (const path of [home, join(home, 'config.toml'), join(scene.order.folder, 'stop-hook.sh')])
    expect(statSync(path).mode & 0o077, path).toBe(0);
});

test("links to the user's login file, so that a renewed login applies to all sessions", () => {
  const scene = newScene();
  const file = login(scene);
  const home = prepareCodexHome(scene.order, SAME);
  writeFileSync(join(home, 'auth.json'), '{"tokens":2}');
  expect(readFileSync(file, 'utf8')).toBe('{"tokens":2}');
  // Preparing the home a second time writes nothing through the link.
  prepareCodexHome(scene.order, SAME);
  expect(readFileSync(file, 'utf8')).toBe('{"tokens":2}');
  expect(readlinkSync(join(home, 'auth.json'))).toBe(file);
});

test('does not link the login if a custom endpoint or another Codex home is configured', () => {
  const scene = newScene();
  login(scene);
  const endpoint = { url: 'http://gateway/v1', keyVariable: undefined };
  expect(existsSync(join(prepareCodexHome({ ...scene.order, endpoint }, SAME), 'auth.json'))).toBe(false);
  const env = { ...scene.order.env, CODEX_HOME: join(scene.root, 'elsewhere') };
  expect(existsSync(join(prepareCodexHome({ ...scene.order, env }, SAME), 'auth.json'))).toBe(false);
});

test("undoes a worker's changes to its home, but keeps its threads", () => {
  const scene = newScene();
  const home = prepareCodexHome(scene.order, SAME);
  mkdirSync(join(home, 'sessions'));
  writeFileSync(join(home, 'config.toml'), 'model = "another"');
  writeFileSync(join(home, 'AGENTS.md'), 'other rules');
  symlinkSync('/tmp', join(home, 'skills/own'));
  prepareCodexHome(scene.order, SAME);
  expect(readdirSync(home).toSorted()).toEqual(['config.toml', 'sessions', 'skills']);
  expect(readFileSync(join(home, 'config.toml'), 'utf8')).not.toContain('another');
  expect(readdirSync(join(home, 'skills'))).not.toContain('own');
  expect(existsSync('/tmp')).toBe(true);
});

test('a workspace reached through a link is untrusted under both paths', () => {
  const scene = newScene();
  const link = join(scene.root, 'link');
  symlinkSync(scene.order.workspace, link);
  const home = prepareCodexHome({ ...scene.order, workspace: link }, SAME);
  const text = readFileSync(join(home, 'config.toml'), 'utf8');
  for (const path of [link, scene.order.workspace])
    expect(text).toContain(`[projects."${path}"]\ntrust_level = "untrusted"`);
});

test('passes changed rules to a thread that continues', () => {
  const scene = newScene();
  const home = prepareCodexHome(scene.order, { hasNewRules: true });
  expect(readFileSync(join(home, 'AGENTS.md'), 'utf8')).toContain(scene.order.equipment.rules);
});

test('reports an unwritable home with a fault code', () => {
  const scene = newScene();
  writeFileSync(join(scene.order.folder, 'home'), '');
  expect(() => prepareCodexHome(scene.order, SAME)).toThrow(
    expect.objectContaining({ code: 'agent.not_ready' }),
  );
});
