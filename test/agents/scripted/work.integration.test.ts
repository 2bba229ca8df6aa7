/** Tests steps that do real work: files, commands and commits in a real repository. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rule, type Steps, useStage } from './scripted-stage.ts';

const stage = useStage();
const at = (path: string) => join(stage().workspace, path);
const played = (...steps: Steps) => stage().play(rule(steps));

test('writes, appends to, changes and removes files, and commits the work on the branch', async () => {
  const { code, events } = await played(
    { write: { path: 'src/a.txt', content: 'one\n' } },
    { append: { path: 'src/a.txt', content: `two $& \${issue}\n` } },
    { replace: { path: 'src/a.txt', find: 'one', with: '$& uno' } },
    { remove: 'README.md' },
    { commit: `\${issue}: work of attempt \${attempt} in \${mode}\n\n# kept` },
  );
  expect(code).toBe(0);
  expect(readFileSync(at('src/a.txt'), 'utf8')).toBe('$& uno\ntwo $& DEMO-1\n');
  expect(existsSync(at('README.md'))).toBe(false);
  expect(stage().git('status', '--porcelain')).toBe('');
  expect(stage().git('log', '-1', '--format=%B%an')).toBe(
    'DEMO-1: work of attempt 1 in implement\n\n# kept\nlegion scripted agent',
  );
  expect(events.map(({ kind }) => kind)).toEqual([
    'started',
    ...Array(5).fill(['tool started', 'tool ended']).flat(),
    'turn ended',
  ]);
});

test('a commit uses the author set in the environment', async () => {
  const identity = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@x',
    GIT_COMMITTER_NAME: 'C',
    GIT_COMMITTER_EMAIL: 'c@x',
  };
  const steps = [{ write: { path: 'a', content: 'a' } }, { commit: 'a' }];
  expect((await stage().play(rule(steps), { env: identity })).code).toBe(0);
  expect(stage().git('log', '-1', '--format=%an %ae %cn %ce')).toBe('A a@x C c@x');
});

test('an empty commit is reported but is not an error, and a step can commit ignored files by listing them', async () => {
  const { code, events } = await played(
    { write: { path: 'docs/changes/a.md', content: 'a' } },
    { commit: 'nothing but what is ignored' },
    { commit: { message: 'named', include: ['docs/changes/a.md'] } },
  );
  expect(code).toBe(0);
  expect(events).toContainEqual({ kind: 'text', text: 'nothing to commit' });
  expect(stage().git('log', '--format=%s')).toBe('named\nbegin');
});

test('merges the base into the branch, and undoes and reports a merge with conflicts', async () => {
  const { git } = stage();
  const commitAs = (name: string) => ['-c', 'user.name=a', '-c', 'user.email=a@x', 'commit', '-qam', name];
  git('switch', '-q', 'main');
  writeFileSync(at('README.md'), '# Base\n');
  git(...commitAs('base moved'));
  git('switch', '-q', 'DEMO-1');

  expect((await played({ merge_base: true })).code).toBe(0);
  expect(readFileSync(at('README.md'), 'utf8')).toBe('# Base\n');

  git('switch', '-q', 'main');
  writeFileSync(at('README.md'), '# Base again\n');
  git(...commitAs('base moved again'));
  git('switch', '-q', 'DEMO-1');
  const clash = [{ write: { path: 'README.md', content: '# Ours\n' } }, { commit: 'ours' }];
  const failed = await stage().play(rule([...clash, { merge_base: true }]), { session: 'clash' });
  expect(failed).toMatchObject({ fault: 'scenario.step_failed' });
  expect(failed.message).toContain('rules[0].steps[2].merge_base: git merge: it ended with 1');
  expect(git('status', '--porcelain')).toBe('');
  expect(stage().daemon.heard.map(({ verb }) => verb)).toEqual(['error']);

  const preferred = await stage().play(rule([{ merge_base: { prefer: 'ours' } }]), { session: 'ours' });
  expect(preferred.code).toBe(0);
  expect(readFileSync(at('README.md'), 'utf8')).toBe('# Ours\n');
});

test('a command runs without a shell; placeholders for the issue id are filled in, but not those for the issue title', async () => {
  const { code } = await played({
    run: [
      'node',
      '-e',
      'require("fs").writeFileSync("out", process.argv.slice(1).join("|"))',
      '$(id)',
      `\${issue} \${title}`,
    ],
  });
  expect(code).toBe(0);
  expect(readFileSync(at('out'), 'utf8')).toBe(`$(id)|DEMO-1 \${title}`);
});

test.each([
  [{ run: ['sh', '-c', 'echo broken >&2; exit 3'] }, 'sh: it ended with 3, expected 0: broken'],
  [{ run: { argv: ['true'], expect: 1 } }, 'true: it ended with 0, expected 1'],
  [{ run: { argv: ['sleep', '60'], timeout: '50ms' } }, 'sleep: it took longer than 50 ms'],
  [{ run: ['no-such-program'] }, 'no-such-program: spawn no-such-program ENOENT'],
  [{ replace: { path: 'README.md', find: 'absent', with: '' } }, '"README.md" does not contain "absent"'],
  [{ remove: 'absent' }, 'ENOENT'],
])('the step %j fails, gives the reason, and is reported as an error', async (step, why) => {
  const { code, fault, message, events } = await played(step);
  expect({ code, fault }).toEqual({ code: undefined, fault: 'scenario.step_failed' });
  expect(message).toContain(why);
  expect(events.at(-1)).toEqual({ kind: 'error', message: `${message} [scenario.step_failed]` });
  const summary = `${message} [scenario.step_failed]`;
  expect(stage().daemon.heard).toEqual([
    { verb: 'error', input: { summary }, token: 'token-of-this-attempt' },
  ]);
});

test('a command may exit with any code that its step expects', async () => {
  const { code } = await played(
    { run: { argv: ['false'], expect: 1 } },
    { run: { argv: ['false'], expect: 'any' } },
  );
  expect(code).toBe(0);
});

test.each(['link/file', 'dangling', 'to-git', 'folder-in-git/x'])(
  'refuses the path %s, which leads outside the workspace or into .git',
  async (path) => {
    const outside = join(stage().root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'file'), 'untouched');
    symlinkSync(outside, at('link'));
    symlinkSync(join(stage().root, 'nowhere'), at('dangling'));
    symlinkSync(join(stage().workspace, '.git/config'), at('to-git'));
    symlinkSync(join(stage().workspace, '.git'), at('folder-in-git'));
    for (const step of [
      { write: { path, content: 'x' } },
      { append: { path, content: 'x' } },
      { replace: { path, find: 'u', with: 'x' } },
      { remove: path },
    ]) {
      const { fault } = await stage().play(rule([step]), { session: `s-${Object.keys(step)}` });
      expect(fault).toBe('scenario.outside');
    }
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('untouched');
    expect(existsSync(join(stage().root, 'nowhere'))).toBe(false);
  },
);

test('an issue title in a path cannot lead out of the workspace', async () => {
  stage().daemon.title('../../outside');
  const { fault } = await played({ write: { path: `notes/\${title}`, content: 'x' } });
  expect(fault).toBe('scenario.outside');
});
