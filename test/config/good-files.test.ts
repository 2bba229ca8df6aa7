/** Tests valid forms of `legion.yaml`, down to an empty file. */
import { describe, expect, test } from 'vitest';
import { accepted, resolving } from './resolving.ts';

describe('a valid file', () => {
  test.each([
    ['an empty file', ''],
    ['a comment', '# nothing yet\n'],
    ['an empty document', '---\n'],
    ['null', '~'],
    ['sections without content', 'limits:\nbudgets:\nstatuses:\ncredentials:\n  github:\n'],
    ['a byte order mark', '\ufeffport: 13370\n'],
    ['Windows line endings', 'port: 13370\r\nbackend: local\r\n'],
  ])('resolves to the defaults: %s', (_, text) => {
    const defaults = accepted(resolving('', { file: undefined })).config;
    expect(accepted(resolving(text)).config).toEqual(defaults);
  });

  test('may use anchors', () => {
    const text = 'agents:\n  plan: &a {agent: codex, model: big}\n  test: *a\n';
    const { agents } = accepted(resolving(text)).config;
    expect(agents.test).toEqual({ agent: 'codex', model: 'big' });
  });

  test('may use durations in every unit, sizes, and short forms of `repos` and `statuses`', () => {
    const { limits, health, dispatch, repos, statuses } = accepted(
      resolving(
        'limits: {check_wait: 90}\nhealth: {thinking: 90s, in_tool: 5m, remind: 1d, grace: 1.5h, cpu_sign: 0.25}\n' +
          'dispatch: {min_free_disk: 2GB, min_free_memory: 500MB}\nrepos: [acme/app]\nstatuses: {Todo: Ready}',
      ),
    ).config;
    expect(limits.check_wait).toBe(90_000);
    expect(health).toEqual({
      thinking: 90_000,
      in_tool: 300_000,
      remind: 86_400_000,
      grace: 5_400_000,
      cpu_sign: 250,
    });
    expect(dispatch).toMatchObject({ min_free_disk: 2e9, min_free_memory: 5e8 });
    expect([repos, statuses]).toEqual([[{ repo: 'acme/app' }], { Todo: ['Ready'] }]);
  });
});
