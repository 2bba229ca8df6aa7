/** Runs every jj command that the prompt or the skill page for jj workspaces names, with the real jj. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { requireSkillsFolder } from '../../../src/cli/installation.ts';
import { describeWorkspaceKind, toBaseName } from '../../../src/daemon/prompts/jj-workspace.ts';
import { skipWithoutProgram } from '../../support/required-program.ts';
import { type JjHarness, jjHarness } from '../../workspaces/jj/jj-setup.ts';

const BASE = toBaseName('jj', 'main', 'origin/main');
const PROMPT = describeWorkspaceKind('jj', BASE) ?? '';
const PAGE = readFileSync(join(requireSkillsFolder(), 'legion-worker/references/jj.md'), 'utf8');

let harness: JjHarness;
let path: string;
beforeEach(async (context) => {
  skipWithoutProgram(context, 'jj');
  harness = await jjHarness();
  ({ path } = await (await harness.open()).ensure('eng-1', await harness.repository()));
  writeFileSync(join(path, 'FILE'), 'one');
  await harness.commit(path, 'First');
  writeFileSync(join(path, 'FILE'), 'two');
});
afterEach(() => harness?.dispose());

/** Commands that the texts forbid. */
const FORBIDDEN = /^jj (?:git push|op restore|workspace|config set|split|diffedit|resolve)\b/;

function listCommands(text: string): readonly string[] {
  const inline = [...text.matchAll(/`(jj [^`]+)`/g)].map(([, command = '']) => command);
  const blocks = [...text.matchAll(/^jj .+$/gm)].map(([command]) => command);
  return [...new Set([...inline, ...blocks])].filter((command) => !FORBIDDEN.test(command));
}

/** Splits a command at spaces, except between double quotes. */
function splitWords(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

describe.each([
  ['prompt', PROMPT],
  ['skill page', PAGE],
])('the %s', (_, text) => {
  test.each(listCommands(text))('names a command that works: %s', async (command) => {
    const [, ...args] = splitWords(
      command
        .replaceAll('\\|', '|')
        .replaceAll('BASE', BASE)
        .replaceAll('OLD', BASE)
        .replaceAll('NEW', '@-')
        .replaceAll('PATH', 'FILE'),
    );
    await expect(harness.jj(path, ...args)).resolves.toBeDefined();
  });
});

test('the prompt of a git worktree says nothing about jj', () => {
  expect(describeWorkspaceKind('git-worktree', 'origin/main')).toBeUndefined();
  expect(toBaseName('git-worktree', 'main', 'origin/main')).toBe('origin/main');
});

test('a worker that follows the page can commit, rebase, resolve a conflict and push', async () => {
  const workspaces = await harness.open();
  const repository = await harness.repository();
  const { path: own } = await workspaces.ensure('eng-2', repository);
  writeFileSync(join(own, 'both.txt'), 'mine\n');
  await harness.jj(own, 'commit', '-m', 'Mine');
  await harness.commitOnMain(repository, 'both.txt', 'theirs\n');
  await workspaces.bringToBase('eng-2');
  await harness.jj(own, 'rebase', '-b', '@', '-o', BASE);
  expect(await harness.jj(own, 'st')).toContain('conflict');
  writeFileSync(join(own, 'both.txt'), 'mine and theirs\n');
  await harness.jj(own, 'squash');
  expect(await workspaces.readStatus('eng-2')).toMatchObject({ uncommitted: [] });
  expect(await workspaces.exportBranch('eng-2')).toBeDefined();
});
