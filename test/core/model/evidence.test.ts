import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../../src/core/pipeline/policy.ts';
import type { ChangeSince, Evidence } from '../../../src/domain/evidence.ts';
import { boundVerdict, stillHolds } from '../../../src/pipeline/binding.ts';
import { assertProperty } from '../../support/property.ts';

const { retroPaths } = DEFAULT_POLICY;

/** Whether a proof made at `old` still holds at `head` when `paths` changed in between. */
function holdsAfter(
  paths: readonly string[] | 'unknown' | undefined,
  patterns: readonly string[] = retroPaths,
) {
  const change = typeof paths === 'object' ? changed({ own: paths }) : paths;
  return stillHolds('old', 'head', new Map(change === undefined ? [] : [['old', change]]), patterns);
}

function changed(parts: Partial<ChangeSince>): ChangeSince {
  return { own: [], overlap: [], rebased: false, ...parts };
}

describe('a proof at an older commit', () => {
  test.each<[string, readonly string[] | 'unknown' | undefined, boolean | 'unknown']>([
    ['holds when nothing changed since', [], true],
    ['is unknown when the changes could not be read', 'unknown', 'unknown'],
    ['is unknown when the changes were never asked for', undefined, 'unknown'],
    ['holds when only the retro paths changed', ['docs/solutions/a.md', 'docs/solutions/b.md'], true],
    ['is void when what the repository lets run changed', ['.legion/config.yml'], false],
    ['is void when code changed', ['src/a.ts'], false],
    ['is void when code changed too', ['docs/solutions/a.md', 'src/a.ts'], false],
  ])('%s', (_, paths, holds) => {
    expect(holdsAfter(paths)).toBe(holds);
  });
});

describe('a proof from before the branch was brought onto a newer base', () => {
  test.each<[string, Partial<ChangeSince>, boolean]>([
    ['holds when the patch is the same and no file overlaps', {}, true],
    ['holds when the retro added its page as well', { own: ['docs/solutions/a.md'] }, true],
    ['holds when only pages of retros overlap', { overlap: ['docs/solutions/a.md'] }, true],
    ['is void when a file overlaps', { overlap: ['src/a.ts'] }, false],
    ['is void when the patch changed', { own: ['src/a.ts'] }, false],
  ])('%s', (_, parts, holds) => {
    const changes = new Map([['old', changed({ rebased: true, ...parts })]]);
    expect(stillHolds('old', 'head', changes, retroPaths)).toBe(holds);
  });
});

describe('a retro path', () => {
  test.each([
    'docs/solutions/a.md',
    'docs/solutions/2026/11/a b.md',
    'docs/solutions/.hidden',
    'docs/solutions/a\nb.md',
  ])('is %j', (path) => {
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
  ])('is not %j', (path) => {
    expect(holdsAfter([path])).toBe(false);
  });
});

describe('a pattern', () => {
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
  ])('%s, %s: %s', (pattern, path, holds) => {
    expect(holdsAfter([path], [pattern])).toBe(holds);
  });

  test('none at all: every change voids', () => {
    expect(holdsAfter(['docs/solutions/a.md'], [])).toBe(false);
  });
});

describe('what a proof is worth', () => {
  const proof: Evidence = { kind: 'test', sha: 'old', verdict: 'passed', by: 'w', suites: [], detail: '' };

  test('without a proof it is none', () => {
    expect(boundVerdict(undefined, 'head', new Map(), retroPaths)).toBe('none');
  });

  test.each(['passed', 'failed', 'could_not_run'] as const)(
    'at its own commit it is its verdict: %s',
    (verdict) => {
      const unread = new Map([['old', 'unknown' as const]]);
      const retroChange = new Map([['old', changed({ own: ['docs/solutions/x.md'] })]]);
      const codeChange = new Map([['old', changed({ own: ['src/x'] })]]);
      expect(boundVerdict({ ...proof, verdict }, 'old', unread, retroPaths)).toBe(verdict);
      expect(boundVerdict({ ...proof, verdict }, 'head', retroChange, retroPaths)).toBe(verdict);
      expect(boundVerdict({ ...proof, verdict }, 'head', codeChange, retroPaths)).toBe('void');
      expect(boundVerdict({ ...proof, verdict }, 'head', new Map(), retroPaths)).toBe('unknown');
    },
  );

  test('it holds at a later commit only where every single change would let it hold', () => {
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
