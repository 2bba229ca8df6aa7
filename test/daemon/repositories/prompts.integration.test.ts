/**
 * Checks that a repository's own prompts are read from a commit or a directory, never through a
 * symlink, and that each error in them is reported with its position.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import {
  buildPromptsTreeName,
  type RepositoryPrompts,
  readCheckoutPrompts,
  readCommittedPrompts,
} from '../../../src/daemon/repositories/prompts.ts';
import { createGitRunner } from '../../../src/git/runner.ts';
import { useFolder } from '../../config/folder.ts';
import { git } from '../../ports/forge/git.ts';

const at = useFolder();
const { PATH, HOME } = process.env;
const runner = createGitRunner({ environment: { PATH, HOME } });

beforeEach(async () => {
  await git(at(), 'init', '--quiet', '--template=', '--initial-branch=main');
  mkdirSync(at('.legion', 'prompts'), { recursive: true });
});

function write(file: string, text: string): void {
  writeFileSync(at('.legion', 'prompts', file), text);
}

async function committed(): Promise<RepositoryPrompts> {
  await git(at(), 'add', '.');
  await git(at(), 'commit', '--quiet', '--allow-empty', '--message=prompts');
  return present();
}

async function present(): Promise<RepositoryPrompts> {
  const tree = await runner.ask(at(), ['rev-parse', '--verify', '--quiet', buildPromptsTreeName('main')]);
  return readCommittedPrompts(runner, at(), 'main', tree?.trim());
}

const places = ({ problems }: RepositoryPrompts) =>
  problems.map(({ where, message: says }) => `${where}: ${says}`);

test('reads the prompts from the commit instead of the work tree', async () => {
  write('phase.plan.md', 'Plan {{issue}} well.\n');
  const first = await committed();
  write('phase.plan.md', 'Plan nothing.\n');
  write('frame.md', '{{oops}}');
  expect(await present()).toEqual(first);
  expect(first.texts).toEqual({ 'phase.plan': 'Plan {{issue}} well.\n' });
  expect([...first.templates.keys()]).toEqual(['phase.plan']);
  expect(readCheckoutPrompts(at()).texts).toEqual({ 'phase.plan': 'Plan nothing.\n' });
});

test('finds no prompts in a repository without them', async () => {
  const none = { templates: new Map(), texts: {}, problems: [] };
  expect(await committed()).toEqual(none);
  expect(readCheckoutPrompts(at('nowhere'))).toEqual(none);
});

test('reports an invalid prompt with file and line, and keeps the valid ones', async () => {
  write('phase.plan.md', 'Plan well.\n');
  write('reason.ci_failure.md', 'Mend {{pull_request}}.\n{{title}}\n{{fenced.check}}\n');
  write('reason.boredom.md', 'Do something.\n');
  write('notes.txt', 'mine');
  const read = await committed();
  expect(Object.keys(read.texts)).toEqual(['phase.plan']);
  const folder = 'main:.legion/prompts';
  expect(places(read)).toEqual([
    expect.stringContaining(`${folder}: contains "notes.txt", expected only regular files`),
    expect.stringContaining(
      `${folder}/reason.boredom.md: Unknown template "reason.boredom". Valid: frame, phase.`,
    ),
    expect.stringContaining(
      `${folder}/reason.ci_failure.md:2: unknown name "title"; valid variables: issue, `,
    ),
  ]);
  const lying = readCheckoutPrompts(at());
  expect(lying.texts).toEqual(read.texts);
  expect(places(lying).map((place) => place.replaceAll(at('.legion/prompts'), folder))).toEqual(places(read));
});

test('does not read symlinks, directories or oversized files', async () => {
  writeFileSync(at('secret'), 'Secret {{issue}}\n');
  symlinkSync(at('secret'), at('.legion', 'prompts', 'phase.plan.md'));
  mkdirSync(at('.legion', 'prompts', 'phase.test.md'));
  write('phase.test.md/x', 'x');
  write('phase.review.md', 'x'.repeat(16 * 1_024 + 1));
  write('phase.merge.md', 'x'.repeat(16 * 1_024));
  for (const read of [await committed(), readCheckoutPrompts(at())]) {
    expect(Object.keys(read.texts)).toEqual(['phase.merge']);
    expect(read.problems.map(({ where, message: says }) => `${where}: ${says}`).join('\n')).not.toContain(
      'Secret',
    );
    expect(read.problems).toHaveLength(3);
    expect(read.problems.find(({ where }) => where.includes('review'))?.message).toContain(
      'larger than 16384 bytes',
    );
  }
});

test('reads nothing from a directory that is a symlink or has too many files', async () => {
  for (let file = 0; file < 65; file += 1) write(`${file}.md`, 'x');
  expect(places(await committed())).toEqual([
    'main:.legion/prompts: has more than 64 files, so none of them is read',
  ]);
  expect(places(readCheckoutPrompts(at()))).toEqual([expect.stringContaining('has more than 64 files')]);

  mkdirSync(at('other', '.legion'), { recursive: true });
  symlinkSync(at('.legion', 'prompts'), at('other', '.legion', 'prompts'));
  expect(places(readCheckoutPrompts(join(at(), 'other')))).toEqual([
    expect.stringContaining('through a symbolic link'),
  ]);
  await git(at(), 'rm', '-r', '--quiet', '.legion');
  mkdirSync(at('.legion'), { recursive: true });
  symlinkSync(at('other'), at('.legion', 'prompts'));
  expect(places(await committed())).toEqual(['main:.legion/prompts: is not a folder']);
});
