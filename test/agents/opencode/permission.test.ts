/** What is granted and refused without a person. */
import { describe, expect, test } from 'vitest';
import { permissionReply } from '../../../src/agents/opencode/permission.ts';

describe('permissions', () => {
  const reply = (permission: string, ...patterns: string[]) =>
    permissionReply({ id: 'per_1', permission, patterns }, '/w/issue');

  test('what lies in the workspace is granted, once', () => {
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
  ])('%s of %s leads outside, and is refused in words that help', (permission, pattern) => {
    expect(reply(permission, 'src/a.ts', pattern)).toEqual({
      reply: 'reject',
      message: expect.stringContaining('workspace only'),
    });
  });

  test('who goes in circles is told to report or to ask', () => {
    expect(reply('doom_loop', 'bash')).toEqual({
      reply: 'reject',
      message: expect.stringContaining('`ask`'),
    });
  });
});
