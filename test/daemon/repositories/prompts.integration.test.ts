/** A repository's own prompts: from a commit or a folder, never through a link, each mistake with its place. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import {
  type OwnPrompts,
  promptsAt,
  promptsIn,
  promptsTree,
} from '../../../src/daemon/repositories/prompts.ts';
import { gitRunner } from '../../../src/git/runner.ts';
import { useFolder } from '../../config/folder.ts';
import { git } from '../../ports/forge/git.ts';

const at = useFolder();
const { PATH, HOME } = process.env;
const runner = gitRunner({ environment: { PATH, HOME } });

beforeEach(async () => {
  await git(at(), 'init', '--quiet', '--template=', '--initial-branch=main');
  mkdirSync(at('.legion', 'prompts'), { recursive: true });
});

function write(file: string, text: string): void {
  writeFileSync(at('.legion', 'prompts', file), text);
}

async function committed(): Promise<OwnPrompts> {
  await git(at(), 'add', '.');
  await git(at(), 'commit', '--quiet', '--allow-empty', '--message=prompts');
  return present();
}

async function present(): Promise<OwnPrompts> {
  const tree = await runner.ask(at(), ['rev-parse', '--verify', '--quiet', promptsTree('main')]);
  return promptsAt(runner, at(), 'main', tree?.trim());
}

const places = ({ problems }: OwnPrompts) => problems.map(({ where, says }) => `${where}: ${says}`);

test('the commit counts, not what lies in the folder', async () => {
  write('phase.plan.md', 'Plan {{issue}} well.\n');
  const first = await committed();
  write('phase.plan.md', 'Plan nothing.\n');
  write('frame.md', '{{oops}}');
  expect(await present()).toEqual(first);
  expect(first.texts).toEqual({ 'phase.plan': 'Plan {{issue}} well.\n' });
  expect([...first.templates.keys()]).toEqual(['phase.plan']);
  expect(promptsIn(at()).texts).toEqual({ 'phase.plan': 'Plan nothing.\n' });
});

test('a repository without them has none', async () => {
  const none = { templates: new Map(), texts: {}, problems: [] };
  expect(await committed()).toEqual(none);
  expect(promptsIn(at('nowhere'))).toEqual(none);
});

test('one that is wrong is named with file and line, and the others count', async () => {
  write('phase.plan.md', 'Plan well.\n');
  write('reason.ci_failure.md', 'Mend {{pull_request}}.\n{{title}}\n{{fenced.check}}\n');
  write('reason.boredom.md', 'Do something.\n');
  write('notes.txt', 'mine');
  const read = await committed();
  expect(Object.keys(read.texts)).toEqual(['phase.plan']);
  const folder = 'main:.legion/prompts';
  expect(places(read)).toEqual([
    expect.stringContaining(`${folder}: has "notes.txt", expected only ordinary files`),
    expect.stringContaining(
      `${folder}/reason.boredom.md: "reason.boredom" is no template; there are: frame, phase.`,
    ),
    expect.stringContaining(
      `${folder}/reason.ci_failure.md:2: unknown name "title"; variables here: issue, `,
    ),
  ]);
  const lying = promptsIn(at());
  expect(lying.texts).toEqual(read.texts);
  expect(places(lying).map((place) => place.replaceAll(at('.legion/prompts'), folder))).toEqual(places(read));
});

test('links, folders and files beyond the limits are not read', async () => {
  writeFileSync(at('secret'), 'Secret {{issue}}\n');
  symlinkSync(at('secret'), at('.legion', 'prompts', 'phase.plan.md'));
  mkdirSync(at('.legion', 'prompts', 'phase.test.md'));
  write('phase.test.md/x', 'x');
  write('phase.review.md', 'x'.repeat(16 * 1_024 + 1));
  write('phase.merge.md', 'x'.repeat(16 * 1_024));
  for (const read of [await committed(), promptsIn(at())]) {
    expect(Object.keys(read.texts)).toEqual(['phase.merge']);
    expect(read.problems.map(({ where, says }) => `${where}: ${says}`).join('\n')).not.toContain('Secret');
    expect(read.problems).toHaveLength(3);
    expect(read.problems.find(({ where }) => where.includes('review'))?.says).toContain(
      'larger than 16384 bytes',
    );
  }
});

test('a folder that is a link, or holds too much, is not read at all', async () => {
  for (let file = 0; file < 65; file += 1) write(`${file}.md`, 'x');
  expect(places(await committed())).toEqual(['main:.legion/prompts: has more than 64 files; none is read']);
  expect(places(promptsIn(at()))).toEqual([expect.stringContaining('has more than 64 files')]);

  mkdirSync(at('other', '.legion'), { recursive: true });
  symlinkSync(at('.legion', 'prompts'), at('other', '.legion', 'prompts'));
  expect(places(promptsIn(join(at(), 'other')))).toEqual([
    expect.stringContaining('through a symbolic link'),
  ]);
  await git(at(), 'rm', '-r', '--quiet', '.legion');
  mkdirSync(at('.legion'), { recursive: true });
  symlinkSync(at('other'), at('.legion', 'prompts'));
  expect(places(await committed())).toEqual(['main:.legion/prompts: is not a folder']);
});
