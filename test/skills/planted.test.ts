/** A planted mistake of every kind is found, and what is right beside it is not. */
import { describe, expect, test } from 'vitest';
import { mistakesIn } from './check.ts';
import { folderMistakes } from './folder.ts';
import { readPage } from './page.ts';

const sh = (...lines: readonly string[]) => ['```sh', ...lines, '```'].join('\n');

describe('on a page', () => {
  test.each([
    ['a command', 'Say `legion frobnicate`.', '1: legion frobnicate is no command'],
    ['a command below another', 'Say `legion issue burn ISSUE`.', '1: legion issue burn is no command'],
    ['a command for programs', 'Say `legion drive codex`.', '1: legion drive is no command'],
    ['a verb', 'Say `legion worker approve`.', '1: legion worker approve is no command'],
    ['a flag', 'Say `legion status --everything`.', "1: Unknown option '--everything'."],
    [
      'a flag by itself',
      'Say `legion status`, or with `--force`.',
      '1: --force is no option of a command named on this page',
    ],
    [
      'a word too many',
      'Say `legion gates ISSUE now`.',
      "1: Too many arguments for 'gates'. Expected 1 argument but got 2.",
    ],
    [
      'a mode',
      'Say `legion stop SHOP-1 build`.',
      '1: Unknown mode "build". Valid: architect, plan, implement, test, review, merge.',
    ],
    ['a status', 'Say `legion issue move SHOP-1 someday`.', /^1: Unknown status "someday"/],
    ['a phase', 'Say `legion handoff read SHOP-1 --phase cooking`.', /^1: Unknown phase "cooking"/],
    ['a flag in a block', sh('legion worker push --force'), "2: Unknown option '--force'."],
    ['a word that is missing in a block', sh('legion explain'), "2: Missing required argument 'ISSUE'."],
    [
      'a family as a whole command',
      sh('legion worker'),
      '2: legion worker does nothing by itself: it needs one of its commands',
    ],
    [
      'a command behind another',
      sh('git add -A && legion worker pushh'),
      '2: legion worker pushh is no command',
    ],
    ['a verdict', sh('legion worker review reject "no"'), /^2: review does not take this: verdict/],
    [
      'a field of a handoff',
      sh("legion worker handoff write --file - <<'JSON'", '{"summary": "x", "todo": ["y"]}', 'JSON'),
      /^2: handoff_write does not take this/,
    ],
    [
      'a handoff without a summary',
      sh("legion worker handoff write --file - <<'JSON'", '{"done": ["y"]}', 'JSON'),
      /^2: handoff_write does not take this: summary/,
    ],
    [
      'a handoff that is no JSON',
      sh("legion worker handoff write --file - <<'JSON'", '{summary}', 'JSON'),
      /^2: .*JSON/,
    ],
    [
      'a tool’s input',
      ['```json checkpoint', '{ "completed": ["x"] }', '```'].join('\n'),
      /^1: checkpoint does not take this: stage/,
    ],
    [
      'an input of no verb',
      ['```json', '{}', '```'].join('\n'),
      '1: "" is no verb whose input this could be',
    ],
    [
      'a configuration',
      ['```yaml .legion/config.yml', 'merge: { auto: true }', '```'].join('\n'),
      /unknown key "auto"/,
    ],
    [
      'a block of an unknown kind',
      ['```python', 'x', '```'].join('\n'),
      '1: a block of "python" is not checked by anybody',
    ],
    ['a route', 'Ask `GET /workers/:id/mood`.', '1: GET /workers/:id/mood is no route'],
    ['the method of a route', 'Ask `DELETE /inbox`.', '1: DELETE /inbox is no route'],
    ['a label', 'It gets `worker-finished`.', '1: worker-finished is no label'],
    ['a column', 'It goes to `In Limbo`.', '1: In Limbo is no status'],
    ['a tool', 'Call `handoff_send`.', '1: handoff_send is no verb, action or condition'],
    ['an action', 'It does `dispatch_cook`.', '1: dispatch_cook is no verb, action or condition'],
    ['a prefix of actions', 'Names with `rebase_`.', '1: rebase_ is no prefix of an action'],
    ['a key', 'Set `limits.helpers`.', '1: limits.helpers is no key of the configuration or code of a fault'],
    [
      'a code',
      'It answers `worker.tired`.',
      '1: worker.tired is no key of the configuration or code of a fault',
    ],
    ['a variable', 'Read `LEGION_MOOD`.', '1: LEGION_MOOD is no variable'],
    ['a torn backtick', 'Say `legion status and go on.', '1: a backtick has no partner'],
    ['a block without an end', '```sh\nlegion status', '1: a backtick has no partner'],
  ])('%s', async (_, text, expected) => {
    const found = await mistakesIn('some/SKILL.md', readPage(text));
    expect(found).toEqual([typeof expected === 'string' ? expected : expect.stringMatching(expected)]);
  });

  test('a verb that the phase does not have', async () => {
    const page = readPage('Say `legion worker push`, or call `pr_open`.');
    expect(await mistakesIn('legion-worker/workflows/implement.md', page)).toEqual([]);
    expect(await mistakesIn('legion-worker/workflows/test.md', page)).toEqual([
      '1: push is not for the test phase',
      '1: pr_open is not for the test phase',
    ]);
  });

  test('what exists is no mistake', async () => {
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
    expect(await mistakesIn('some/SKILL.md', readPage(text))).toEqual([]);
  });
});

describe('in a folder', () => {
  const good =
    '---\nname: a\ndescription: Use when somebody wants to see that a good folder has no mistakes at all.\n---\n';
  const mistakes = (files: Readonly<Record<string, string>>) =>
    folderMistakes(new Map(Object.entries(files).map(([path, text]) => [path, readPage(text)])));

  test('a good one has none', () => {
    expect(mistakes({ 'a/SKILL.md': `${good}[b](b/c.md#part)`, 'a/b/c.md': '[back](../SKILL.md)' })).toEqual(
      [],
    );
  });

  test.each([
    ['a link that leads nowhere', { 'a/SKILL.md': `${good}[b](b.md)` }, 'a/SKILL.md: 5: b.md leads nowhere'],
    [
      'a link out of the folder',
      { 'a/SKILL.md': `${good}[b](../../README.md)` },
      'a/SKILL.md: 5: ../../README.md leads nowhere',
    ],
    [
      'a page that nothing leads to',
      { 'a/SKILL.md': good, 'a/b.md': '' },
      'a/b.md: nothing in its skill leads to it',
    ],
    ['a folder without an opening', { 'a/b.md': '' }, 'a/SKILL.md: is not there'],
    [
      'another name',
      { 'a/SKILL.md': good.replace('name: a', 'name: b') },
      'a/SKILL.md: its name is not that of its folder: b',
    ],
    [
      'a description of what, not when',
      { 'a/SKILL.md': good.replace('Use when', 'Things that') },
      /does not say when/,
    ],
    [
      'a field nobody knows',
      { 'a/SKILL.md': good.replace('name: a', 'name: a\nmood: good') },
      /more than a name/,
    ],
    ['no front matter', { 'a/SKILL.md': '# A' }, 'a/SKILL.md: has no front matter that is YAML'],
    [
      'front matter that is no YAML',
      { 'a/SKILL.md': '---\nname: a\ndescription: Use when: x: y\n---\n' },
      /no front matter/,
    ],
  ])('%s', (_, files, expected) => {
    const found = mistakes(files as Readonly<Record<string, string>>);
    const wanted = typeof expected === 'string' ? expected : expect.stringMatching(expected);
    expect(found).toContainEqual(wanted);
  });
});
