/** Checks that a planted mistake of every kind is found, and that valid names are not reported. */
import { describe, expect, test } from 'vitest';
import { findMistakes } from './check.ts';
import { findFolderMistakes } from './folder.ts';
import { readPage } from './page.ts';

const sh = (...lines: readonly string[]) => ['```sh', ...lines, '```'].join('\n');

describe('findMistakes reports', () => {
  test.each([
    ['an unknown command', 'Say `legion frobnicate`.', '1: legion frobnicate is not a command'],
    ['an unknown subcommand', 'Say `legion issue burn ISSUE`.', '1: legion issue burn is not a command'],
    ['a hidden command', 'Say `legion drive codex`.', '1: legion drive is not a command'],
    ['an unknown verb', 'Say `legion worker approve`.', '1: legion worker approve is not a command'],
    ['an unknown flag', 'Say `legion status --everything`.', "1: Unknown option '--everything'."],
    [
      'an unknown flag by itself',
      'Say `legion status`, or with `--force`.',
      '1: --force is not a known option of a command named on this page',
    ],
    [
      'an extra argument',
      'Say `legion gates ISSUE now`.',
      "1: Too many arguments for 'gates'. Expected 1 argument but got 2.",
    ],
    [
      'an unknown mode',
      'Say `legion stop SHOP-1 build`.',
      '1: Unknown mode "build". Valid: architect, plan, implement, test, review, merge.',
    ],
    ['an unknown status', 'Say `legion issue move SHOP-1 someday`.', /^1: Unknown status "someday"/],
    ['an unknown phase', 'Say `legion handoff read SHOP-1 --phase cooking`.', /^1: Unknown phase "cooking"/],
    ['an unknown flag in a block', sh('legion worker push --force'), "2: Unknown option '--force'."],
    ['a missing argument in a block', sh('legion explain'), "2: Missing required argument 'ISSUE'."],
    ['a command group without a subcommand', sh('legion worker'), '2: legion worker needs a subcommand'],
    [
      'an unknown command after &&',
      sh('git add -A && legion worker pushh'),
      '2: legion worker pushh is not a command',
    ],
    [
      'an unknown verdict',
      sh('legion worker review reject "no"'),
      /^2: review does not accept this: verdict/,
    ],
    [
      'an unknown field of a handoff',
      sh("legion worker handoff write --file - <<'JSON'", '{"summary": "x", "todo": ["y"]}', 'JSON'),
      /^2: handoff_write does not accept this/,
    ],
    [
      'a handoff without a summary',
      sh("legion worker handoff write --file - <<'JSON'", '{"done": ["y"]}', 'JSON'),
      /^2: handoff_write does not accept this: summary/,
    ],
    [
      'a handoff that is not JSON',
      sh("legion worker handoff write --file - <<'JSON'", '{summary}', 'JSON'),
      /^2: .*JSON/,
    ],
    [
      'an invalid tool input',
      ['```json checkpoint', '{ "completed": ["x"] }', '```'].join('\n'),
      /^1: checkpoint does not accept this: stage/,
    ],
    ['an input without a verb', ['```json', '{}', '```'].join('\n'), '1: "" is not a verb with this input'],
    [
      'an invalid configuration',
      ['```yaml .legion/config.yml', 'merge: { auto: true }', '```'].join('\n'),
      /unknown key "auto"/,
    ],
    ['a block of an unknown kind', ['```python', 'x', '```'].join('\n'), '1: unknown block type "python"'],
    ['an unknown route', 'Ask `GET /workers/:id/mood`.', '1: GET /workers/:id/mood is not a known route'],
    ['an unknown method of a route', 'Ask `DELETE /inbox`.', '1: DELETE /inbox is not a known route'],
    ['an unknown label', 'It gets `worker-finished`.', '1: worker-finished is not a known label'],
    ['an unknown column', 'It goes to `In Limbo`.', '1: In Limbo is not a known status'],
    ['an unknown tool', 'Call `handoff_send`.', '1: handoff_send is not a known verb, action or condition'],
    [
      'an unknown action',
      'It does `dispatch_cook`.',
      '1: dispatch_cook is not a known verb, action or condition',
    ],
    [
      'an unknown prefix of actions',
      'Names with `rebase_`.',
      '1: rebase_ is not a known prefix of an action',
    ],
    [
      'an unknown key',
      'Set `limits.helpers`.',
      '1: limits.helpers is not a known configuration key or fault code',
    ],
    [
      'an unknown code',
      'It answers `worker.tired`.',
      '1: worker.tired is not a known configuration key or fault code',
    ],
    ['an unknown variable', 'Read `LEGION_MOOD`.', '1: LEGION_MOOD is not a known variable'],
    ['an unmatched backtick', 'Say `legion status and go on.', '1: unmatched backtick'],
    ['an unclosed block', '```sh\nlegion status', '1: unmatched backtick'],
  ])('%s', async (_, text, expected) => {
    const found = await findMistakes('some/SKILL.md', readPage(text));
    expect(found).toEqual([typeof expected === 'string' ? expected : expect.stringMatching(expected)]);
  });

  test('a verb that the phase is not allowed to use', async () => {
    const page = readPage('Say `legion worker push`, or call `pr_open`.');
    expect(await findMistakes('legion-worker/workflows/implement.md', page)).toEqual([]);
    expect(await findMistakes('legion-worker/workflows/test.md', page)).toEqual([
      '1: push is not available in the test phase',
      '1: pr_open is not available in the test phase',
    ]);
  });

  test('nothing for names that exist', async () => {
    const text = [
      'Say `legion worker …`, `legion worker VERB --help`, `legion worker done`, `legion dispatch ISSUE MODE --version N`.',
      'Ask `GET /workers/:id`; it is `worker-done` in `In Progress`, `waiting-user`, by `legion-oracle`; `--version` and `--help`.',
      'Call `pr_open`; `dispatch_planner`, `resume_`, `ci_green`, `not_paused`; `limits.workers`, `merge.refused`, `daemon.json`.',
      'Read `LEGION_PHASE` and `LEGION_AUTO_ADVANCE`; `git rebase BASE`, `docs/solutions/**`, `Closes #17`, `demo-1-test`.',
      sh(
        '# a comment',
        'git add -A && git commit -m "legion frobnicate"',
        'legion worker checkpoint "step 1" \\',
        '  --completed \'a "b"\' --remaining c',
        "legion worker pr open --title Greet --body-file - <<'TEXT'",
        'legion frobnicate',
        'TEXT',
        'legion worker done -- --odd',
      ),
    ].join('\n');
    expect(await findMistakes('some/SKILL.md', readPage(text))).toEqual([]);
  });
});

describe('findFolderMistakes reports', () => {
  const good =
    '---\nname: a\ndescription: Use when somebody wants to see that a good folder has no mistakes at all.\n---\n';
  const mistakes = (files: Readonly<Record<string, string>>) =>
    findFolderMistakes(new Map(Object.entries(files).map(([path, text]) => [path, readPage(text)])));

  test('nothing for a valid directory', () => {
    expect(mistakes({ 'a/SKILL.md': `${good}[b](b/c.md#part)`, 'a/b/c.md': '[back](../SKILL.md)' })).toEqual(
      [],
    );
  });

  test.each([
    ['a broken link', { 'a/SKILL.md': `${good}[b](b.md)` }, 'a/SKILL.md: 5: broken link b.md'],
    [
      'a link out of the directory',
      { 'a/SKILL.md': `${good}[b](../../README.md)` },
      'a/SKILL.md: 5: broken link ../../README.md',
    ],
    ['an unreachable page', { 'a/SKILL.md': good, 'a/b.md': '' }, 'a/b.md: is not reachable from its skill'],
    ['a directory without SKILL.md', { 'a/b.md': '' }, 'a/SKILL.md: is missing'],
    [
      'a name that differs from the directory',
      { 'a/SKILL.md': good.replace('name: a', 'name: b') },
      'a/SKILL.md: its name differs from its directory: b',
    ],
    [
      'a description that does not say when to use it',
      { 'a/SKILL.md': good.replace('Use when', 'Things that') },
      /does not say when/,
    ],
    [
      'an unknown field',
      { 'a/SKILL.md': good.replace('name: a', 'name: a\nmood: good') },
      /more than a name/,
    ],
    ['no front matter', { 'a/SKILL.md': '# A' }, 'a/SKILL.md: has no YAML front matter'],
    [
      'front matter that is not YAML',
      { 'a/SKILL.md': '---\nname: a\ndescription: Use when: x: y\n---\n' },
      /no YAML front matter/,
    ],
  ])('%s', (_, files, expected) => {
    const found = mistakes(files as Readonly<Record<string, string>>);
    const wanted = typeof expected === 'string' ? expected : expect.stringMatching(expected);
    expect(found).toContainEqual(wanted);
  });
});
