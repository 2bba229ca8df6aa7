/** Tests which permissions are granted and refused without a person. */
import { describe, expect, test } from 'vitest';
import { decidePermission } from '../../../src/agents/opencode/progress.ts';

describe('permissions', () => {
  const reply = (permission: string, ...patterns: string[]) =>
    decidePermission({ id: 'per_1', permission, patterns }, '/w/issue');

  test('grants access inside the workspace, but only for a single use per request', () => {
    expect(reply('edit', 'src/a.ts')).toEqual({ reply: 'once' });
    expect(reply('read', '/w/issue/src/a.ts')).toEqual({ reply: 'once' });
    expect(reply('edit', '..name/a.ts')).toEqual({ reply: 'once' });
    expect(reply('bash', 'cat ../../etc/passwd')).toEqual({ reply: 'once' });
  });

  test.each([
    ['external_directory', '/etc/*'],
    ['edit', '../issue-evil/a.ts'],
    ['read', '/w/issue-evil/a.ts'],
    ['write', '/etc/passwd'],
  ])('refuses %s of %s outside the workspace, and states where the agent may work', (permission, pattern) => {
    expect(reply(permission, 'src/a.ts', pattern)).toEqual({
      reply: 'reject',
      message: expect.stringContaining('only in the workspace'),
    });
  });

  test('tells an agent that repeats itself to report or ask', () => {
    expect(reply('doom_loop', 'bash')).toEqual({
      reply: 'reject',
      message: expect.stringContaining('`ask`'),
    });
  });
});
