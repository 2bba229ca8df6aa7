/** Tests each environment variable: the key it sets, and the error for an invalid value. */
import { describe, expect, test } from 'vitest';
import { accepted, refusalOf, resolving } from './resolving.ts';

const TEAM = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const resolved = (environment: Record<string, string | undefined>, text = '') =>
  accepted(resolving(text, { environment })).config;

describe('a valid value is accepted:', () => {
  test.each([
    [{ LEGION_ID: 'mine' }, { legion: 'mine' }],
    [{ LEGION_SHORT_ID: 'm1' }, { short_id: 'm1' }],
    [
      { LEGION_ISSUE_BACKEND: 'github', LEGION_ID: 'acme/3' },
      { backend: 'github', legion: 'acme/3' },
    ],
    [{ LEGION_DAEMON_PORT: ' 8080 ' }, { port: 8080 }],
    [{ LEGION_AUTO_ADVANCE: 'False' }, { auto_advance: false }],
    [{ LEGION_AUTO_ADVANCE: '1' }, { auto_advance: true }],
    [{ LEGION_WIP_LIMIT: '4' }, { limits: { workers: 4 } }],
    [{ LEGION_EXTRA_PROJECTS: 'a/1, b/2 c/3' }, { extra_projects: ['a/1', 'b/2', 'c/3'] }],
    [
      { LEGION_ID: '', LEGION_DAEMON_PORT: '  ', LINEAR_TEAM_ID: '' },
      { legion: 'local', port: 13_370 },
    ],
    [{ LEGION_ID: undefined }, { legion: 'local' }],
  ])('%j', (environment, expected) => {
    expect(resolved(environment)).toMatchObject(expected);
  });
});

describe('LINEAR_TEAM_ID', () => {
  test('selects the team and the Linear backend if nothing else is configured', () => {
    expect(resolved({ LINEAR_TEAM_ID: TEAM })).toMatchObject({ legion: TEAM, backend: 'linear' });
  });

  test('is used if the Linear backend is configured, in the file or in a variable', () => {
    expect(resolved({ LINEAR_TEAM_ID: TEAM, LEGION_ISSUE_BACKEND: 'linear' }).legion).toBe(TEAM);
    expect(resolved({ LINEAR_TEAM_ID: TEAM }, 'backend: linear').legion).toBe(TEAM);
  });

  test('is ignored if another backend or legion is configured', () => {
    expect(resolved({ LINEAR_TEAM_ID: TEAM }, 'backend: local')).toMatchObject({
      legion: 'local',
      backend: 'local',
    });
    expect(resolved({ LINEAR_TEAM_ID: TEAM }, 'legion: mine')).toMatchObject({
      legion: 'mine',
      backend: 'local',
    });
    expect(resolved({ LINEAR_TEAM_ID: 'rubbish!', LEGION_ID: 'mine' })).toMatchObject({ backend: 'local' });
    expect(resolved({ LINEAR_TEAM_ID: TEAM, LEGION_ISSUE_BACKEND: 'local' })).toMatchObject({
      legion: 'local',
    });
  });
});

describe('the error for an invalid value contains the variable’s name', () => {
  test.each([
    [
      { LEGION_ID: '../x' },
      'LEGION_ID: legion: expected a name, a GitHub owner/project-number or the UUID of a Linear team, got "../x"',
    ],
    [
      { LEGION_SHORT_ID: 'A B' },
      'LEGION_SHORT_ID: short_id: expected a name of lower-case letters, digits, "-" and "_", got "A B"',
    ],
    [
      { LEGION_ISSUE_BACKEND: 'jira' },
      'LEGION_ISSUE_BACKEND: backend: expected local, github or linear, got "jira"',
    ],
    [
      { LEGION_DAEMON_PORT: '0x50' },
      'LEGION_DAEMON_PORT: port: expected a whole number from 0 to 65535, got "0x50"',
    ],
    [
      { LEGION_AUTO_ADVANCE: 'maybe' },
      'LEGION_AUTO_ADVANCE: auto_advance: expected true or false, got "maybe"',
    ],
    [
      { LEGION_WIP_LIMIT: '0' },
      'LEGION_WIP_LIMIT: limits.workers: expected a whole number from 1 to 1000, got "0"',
    ],
    [
      { LEGION_EXTRA_PROJECTS: 'acme' },
      'LEGION_EXTRA_PROJECTS: extra_projects: expected a list of GitHub projects, each as owner/project-number (at most 50), got "acme"',
    ],
    [
      { LINEAR_TEAM_ID: 'a b' },
      'LINEAR_TEAM_ID: legion: expected a name, a GitHub owner/project-number or the UUID of a Linear team, got "a b"',
    ],
  ])('%j', (environment, expected) => {
    const { code, message } = refusalOf(resolving('', { environment }));
    expect([code, message]).toEqual(['config.environment', expected]);
  });
});
