import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChangeSince, Evidence } from '../../../src/core/model/evidence.ts';
import { bindVerdict, isStillValid } from '../../../src/core/model/evidence.ts';
import { DEFAULT_POLICY } from '../../../src/core/pipeline/policy.ts';
import { assertProperty } from '../../support/property.ts';

const { retroPaths } = DEFAULT_POLICY;

/**
 * Returns whether evidence from the commit `old` is still valid at `head` after `paths` changed.
 */
function holdsAfter(
  paths: readonly string[] | 'unknown' | undefined,
  patterns: readonly string[] = retroPaths,
) {
  const change = typeof paths === 'object' ? changed({ own: paths }) : paths;
  return isStillValid('old', 'head', new Map(change === undefined ? [] : [['old', change]]), patterns);
}

function changed(parts: Partial<ChangeSince>): ChangeSince {
  return { own: [], overlap: [], rebased: false, ...parts };
}

describe('evidence from an older commit', () => {
  test.each<[string, readonly string[] | 'unknown' | undefined, boolean | 'unknown']>([
    ['is still valid if nothing has changed since', [], true],
    ['has unknown validity if the changes could not be read', 'unknown', 'unknown'],
    ['has unknown validity if the changes were never requested', undefined, 'unknown'],
    ['is still valid if only the retro paths changed', ['docs/solutions/a.md', 'docs/solutions/b.md'], true],
    ['is void if the repository’s commands changed', ['.legion/config.yml'], false],
    ['is void if code changed', ['src/a.ts'], false],
    ['is void if both retro paths and code changed', ['docs/solutions/a.md', 'src/a.ts'], false],
  ])('%s', (_, paths, holds) => {
    expect(holdsAfter(paths)).toBe(holds);
  });
});

describe('evidence from before a rebase', () => {
  test.each<[string, Partial<ChangeSince>, boolean]>([
    ['is still valid if the patch is unchanged and the base changed none of its files', {}, true],
    ['is still valid if the retro also added its page', { own: ['docs/solutions/a.md'] }, true],
    [
      'is still valid if retro pages are the only files that both the branch and the base changed',
      { overlap: ['docs/solutions/a.md'] },
      true,
    ],
    ['is void if both the branch and the base changed the same file', { overlap: ['src/a.ts'] }, false],
    ['is void if the patch changed', { own: ['src/a.ts'] }, false],
  ])('%s', (_, parts, holds) => {
    const changes = new Map([['old', changed({ rebased: true, ...parts })]]);
    expect(isStillValid('old', 'head', changes, retroPaths)).toBe(holds);
  });
});

describe('the default retro paths', () => {
  test.each([
    'docs/solutions/a.md',
    'docs/solutions/2026/11/a b.md',
    'docs/solutions/.hidden',
    'docs/solutions/a\nb.md',
  ])('include %j', (path) => {
    expect(holdsAfter([path])).toBe(true);
  });

  test.each([
    'docs/solutions/../src/x',
    'docs/solutions/../../etc/passwd',
    '.legion/x',
    'docs/solutionsevil/x',
    'docs/solutions',
    'docs/solutions.md',
    'docs/Solutions/a.md',
    'xdocs/solutions/a.md',
    'src/docs/solutions/a.md',
    '/docs/solutions/a.md',
    './docs/solutions/a.md',
    'docs\\solutions\\a.md',
    'xlegion/x',
    '.legionx/x',
    'src/a.ts\ndocs/solutions/a.md',
    '',
  ])('do not include %j', (path) => {
    expect(holdsAfter([path])).toBe(false);
  });
});

describe('a retro path pattern', () => {
  test.each([
    ['docs/*.md', 'docs/a.md', true],
    ['docs/*.md', 'docs/b/a.md', false],
    ['docs/*.md', 'docs/amd', false],
    ['docs/**/*.md', 'docs/a.md', true],
    ['docs/**/*.md', 'docs/b/c/a.md', true],
    ['docs/**/*.md', 'docsx/a.md', false],
    ['**/NOTES.md', 'NOTES.md', true],
    ['**/NOTES.md', 'a/b/NOTES.md', true],
    ['**/NOTES.md', 'a/XNOTES.md', false],
    ['CHANGELOG.md', 'CHANGELOG.md', true],
    ['CHANGELOG.md', 'CHANGELOGxmd', false],
    ['a+(b)[c]{d}^$|\\', 'a+(b)[c]{d}^$|\\', true],
    ['**', 'src/a.ts', true],
    ['**', 'src/../a.ts', false],
  ])('%s with a change to %s keeps the evidence valid: %s', (pattern, path, holds) => {
    expect(holdsAfter([path], [pattern])).toBe(holds);
  });

  test('is required: if there are no patterns, every change voids the evidence', () => {
    expect(holdsAfter(['docs/solutions/a.md'], [])).toBe(false);
  });
});

describe('bindVerdict', () => {
  const proof: Evidence = { kind: 'test', sha: 'old', verdict: 'passed', by: 'w', suites: [], detail: '' };

  test('returns "none" if there is no evidence', () => {
    expect(bindVerdict(undefined, 'head', new Map(), retroPaths)).toBe('none');
  });

  test.each(['passed', 'failed', 'could_not_run'] as const)(
    'returns the verdict %s at the commit it was given for and after retro changes, but not after code changes',
    (verdict) => {
      const unread = new Map([['old', 'unknown' as const]]);
      const retroChange = new Map([['old', changed({ own: ['docs/solutions/x.md'] })]]);
      const codeChange = new Map([['old', changed({ own: ['src/x'] })]]);
      expect(bindVerdict({ ...proof, verdict }, 'old', unread, retroPaths)).toBe(verdict);
      expect(bindVerdict({ ...proof, verdict }, 'head', retroChange, retroPaths)).toBe(verdict);
      expect(bindVerdict({ ...proof, verdict }, 'head', codeChange, retroPaths)).toBe('void');
      expect(bindVerdict({ ...proof, verdict }, 'head', new Map(), retroPaths)).toBe('unknown');
    },
  );

  test('keeps the verdict at a later commit only if each change alone would keep it', () => {
    const path = fc.constantFrom(
      'docs/solutions/a.md',
      'docs/solutions/b.md',
      '.legion/c',
      'src/c.ts',
      'docs/solutions/../d',
      'README.md',
    );
    assertProperty(
      fc.property(fc.array(path), (paths) => {
        expect(holdsAfter(paths)).toBe(paths.every((each) => holdsAfter([each]) === true));
      }),
    );
  });
});
