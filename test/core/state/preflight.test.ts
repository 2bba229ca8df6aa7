import { describe, expect, test } from 'vitest';
import { createFault } from '../../../src/core/model/fault.ts';
import { MODES } from '../../../src/core/model/mode.ts';
import {
  type BaselineProblem,
  findPreflightProblems,
  findStartHold,
  NO_BOARD_PROBLEM,
  type PreflightFacts,
  type RepositoryFacts,
} from '../../../src/core/state/preflight.ts';

const FIT: RepositoryFacts = {
  repo: 'shop',
  base: 'main',
  forge: 'local',
  commands: ['ci'],
  approved: true,
  forgeChecks: 'none',
};

const RED: BaselineProblem = {
  verdict: 'failed',
  command: 'npm test',
  sha: '0123456789abcdef',
  why: 'it ended with 1',
  tail: '1 test failed\n',
};

const MISPLACED = [{ issue: 'A-1', path: '/old/legion/workspaces/shop/a-1' }];

function factsWith(...repositories: readonly Partial<RepositoryFacts>[]): PreflightFacts {
  return {
    agents: [],
    board: NO_BOARD_PROBLEM,
    repositories: repositories.map((each) => ({ ...FIT, ...each })),
  };
}

function codesOf(...repositories: readonly Partial<RepositoryFacts>[]): readonly string[] {
  return findPreflightProblems(factsWith(...repositories)).map(({ code }) => code);
}

test('a problem of every workspace keeps all workers from starting', () => {
  const facts = { ...factsWith({}), workspaceProblems: [createFault('jj.missing', 'jj was not found')] };
  expect(findPreflightProblems(facts).map(({ code }) => code)).toEqual(['jj.missing']);
  expect(findStartHold(facts, FIT.repo)).toMatchObject({ reason: 'preflight_failed' });
});

describe('a repository', () => {
  test.each<[string, Partial<RepositoryFacts>, readonly string[]]>([
    ['with approved CI has no problem', {}, []],
    ['with an approved quality gate has no problem', { commands: ['quality_gate'] }, []],
    ['without commands is reported as unchecked', { commands: [] }, ['preflight.unchecked']],
    ['with tests alone is reported as unchecked', { commands: ['setup', 'test'] }, ['preflight.unchecked']],
    ['without an approval must be approved', { approved: false }, ['preflight.commands_unapproved']],
    ['without commands needs no approval', { commands: [], approved: false }, ['preflight.unchecked']],
    ['on GitHub without checks is reported as unchecked', { forge: 'github' }, ['preflight.unchecked']],
    ['on GitHub with checks has no problem', { forge: 'github', commands: [], forgeChecks: 'some' }, []],
    ['on GitHub with unknown checks is not judged', { forge: 'github', forgeChecks: 'unknown' }, []],
    ['on GitHub with a quality gate has no problem', { forge: 'github', commands: ['quality_gate'] }, []],
    ['with a green baseline has no problem', { baseline: { verdict: 'passed' } }, []],
    ['with a running baseline has no problem', { baseline: { verdict: 'running', command: 'x' } }, []],
    ['with a failing baseline has a problem', { baseline: RED }, ['baseline.failed']],
    [
      'with a baseline that could not run has a problem',
      { baseline: { ...RED, verdict: 'could_not_run' } },
      ['baseline.could_not_run'],
    ],
    [
      'that cannot be checked out has a problem',
      { baseline: { ...RED, verdict: 'no_checkout' } },
      ['git.submodule_failed'],
    ],
    ['with an ignored failing baseline has no problem', { baseline: { ...RED, ignoredBy: 'Ada' } }, []],
    [
      'with all workspaces in one directory has no problem',
      { misplacedWorkspaces: { repository: '/shop', root: '/data', found: [] } },
      [],
    ],
    [
      'with workspaces in another directory has a problem',
      { misplacedWorkspaces: { repository: '/shop', root: '/new', found: MISPLACED } },
      ['preflight.workspaces_elsewhere'],
    ],
  ])('%s', (_, facts, codes) => {
    expect(codesOf(facts)).toEqual(codes);
  });

  test.each([
    ['/old/legion/workspaces/shop', "start Legion with XDG_DATA_HOME='/old',"],
    ['/elsewhere', 'set workspaces.root to /elsewhere in legion.yaml,'],
  ])('with workspaces in %s has a problem that explains how to keep them', (folder, advice) => {
    const found = [{ issue: 'A-1', path: `${folder}/a-1` }];
    const misplacedWorkspaces = { repository: '/shop', root: '/new', found };
    const [problem] = findPreflightProblems(factsWith({ misplacedWorkspaces }));
    expect(problem?.remedy).toContain(advice);
    expect(problem?.remedy).toContain(`git -C '/shop' worktree remove '${folder}/a-1'`);
  });

  test('with a failing baseline shows the command, the commit and the last output lines', () => {
    const [problem] = findPreflightProblems(factsWith({ baseline: RED }));
    expect(problem?.message).toBe(
      'The baseline of shop is red: `npm test` on main (0123456789ab): it ended with 1.\n1 test failed',
    );
    expect(problem?.next).toContain('legion up --ignore-baseline');
  });
});

describe('the block on worker starts', () => {
  test('affects only issues of the repository with the problem', () => {
    const facts = factsWith({ repo: 'shop', commands: [] }, { repo: 'bank' });
    expect(findStartHold(facts, 'shop')).toMatchObject({ action: 'skip', reason: 'preflight_failed' });
    expect(findStartHold(facts, 'shop')?.fact).toContain('[preflight.unchecked]');
    expect(findStartHold(facts, 'bank')).toBeUndefined();
  });

  test('lasts while the baseline is running or the repository has not been checked', () => {
    const running = factsWith({ baseline: { verdict: 'running', command: 'npm test' } });
    expect(findStartHold(running, 'shop')).toEqual({
      action: 'skip',
      reason: 'preflight_running',
      fact: 'baseline=npm test',
    });
    expect(findStartHold(factsWith({}), 'bank')?.reason).toBe('preflight_running');
  });

  test('applies to every repository if a column or permission is missing', () => {
    const board = {
      missingColumns: ['Testing', 'Retro'] as const,
      missingPermissions: ['it may not push', 'nor comment'],
    };
    const facts = { ...factsWith({}), board };
    expect(findPreflightProblems(facts).map(({ code, message }) => [code, message])).toEqual([
      ['tracker.column_missing', 'The board has no column for Testing, Retro: issues cannot be moved there.'],
      ['preflight.permission_missing', 'it may not push\nnor comment'],
    ]);
    expect(findStartHold(facts, 'shop')?.reason).toBe('preflight_failed');
  });

  test('applies if any mode has no ready agent, and reports a problem shared by several modes once', () => {
    const problem = { problem: 'not logged in. Run it.' };
    const agents = MODES.map((mode) => ({
      mode,
      choices: [{ name: 'codex', readiness: mode === 'plan' ? ('ready' as const) : problem }],
    }));
    const facts = { ...factsWith({}), agents };
    expect(findPreflightProblems(facts).map(({ message }) => message)).toEqual([
      'codex: not logged in. Run it.',
    ]);
    expect(findStartHold(facts, 'shop')?.reason).toBe('agent_not_ready');
  });

  test.each(['ready', 'unknown'] as const)('does not apply if the fallback agent is %s', (readiness) => {
    const choices = [
      { name: 'codex', readiness: { problem: 'gone' } },
      { name: 'claude-code', readiness },
    ];
    expect(findPreflightProblems({ ...factsWith({}), agents: [{ mode: 'plan', choices }] })).toEqual([]);
  });
});
