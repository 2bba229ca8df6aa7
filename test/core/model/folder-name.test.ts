import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toFolderName } from '../../../src/core/model/ids.ts';
import { assertProperty } from '../../support/property.ts';

/**
 * Ids made from a few characters, so that many of them differ only in characters that sanitising
 * removes.
 */
const nearlyAlike = fc
  .array(fc.constantFrom('a', 'A', '.', '-', '_', '/', ' ', '\u0430', '\ud800', '\udfff', '1'), {
    maxLength: 6,
  })
  .map((letters) => letters.join(''));

const anyId = fc.oneof(nearlyAlike, fc.string({ unit: 'binary', maxLength: 300 }));

describe('toFolderName', () => {
  test.each(['eng-21', 'acme-widgets-17', 'a.b_c', 'fix-deadbeef'])(
    'returns %j unchanged because it is safe',
    (id) => {
      expect(toFolderName(id)).toBe(id);
    },
  );

  test.each([
    ['ENG-21', /^eng-21-[0-9a-f]{8}-[0-9a-f]{4}$/],
    ['acme/widgets#17', /^acme-widgets-17-[0-9a-f]{8}-[0-9a-f]{4}$/],
    ['../../etc/passwd', /^etc-passwd-[0-9a-f]{8}-[0-9a-f]{4}$/],
    ['a..b', /^a-b-[0-9a-f]{8}-[0-9a-f]{4}$/],
    ['.git', /^git-[0-9a-f]{8}-[0-9a-f]{4}$/],
    ['', /^id-[0-9a-f]{8}-[0-9a-f]{4}$/],
    ['..', /^id-[0-9a-f]{8}-[0-9a-f]{4}$/],
    ['\0', /^id-[0-9a-f]{8}-[0-9a-f]{4}$/],
    ['\ud800', /^id-[0-9a-f]{8}-[0-9a-f]{4}$/],
    ['課題-9', /^9-[0-9a-f]{8}-[0-9a-f]{4}$/],
  ])('returns the safe part of %j and a hash', (id, form) => {
    expect(toFolderName(id)).toMatch(form);
  });

  test('returns one plain, short name for any id', () => {
    assertProperty(
      fc.property(anyId, (id) => {
        const name = toFolderName(id);
        expect(name).toMatch(/^[a-z0-9_][a-z0-9._-]*$/);
        expect(name).not.toContain('..');
        expect(name).not.toMatch(/[.-]$/);
        expect(name.length).toBeLessThanOrEqual(174);
      }),
      { numRuns: 1_000 },
    );
  });

  test('never returns the same name for two ids', () => {
    assertProperty(
      fc.property(anyId, anyId, (one, other) => {
        expect(toFolderName(one) === toFolderName(other)).toBe(one === other);
      }),
      { numRuns: 5_000 },
    );
  });

  test('does not return an id unchanged if it equals the folder name of a different id', () => {
    assertProperty(
      fc.property(anyId, (id) => {
        const name = toFolderName(id);
        if (name !== id) expect(toFolderName(name)).not.toBe(name);
      }),
    );
  });

  test('returns different names for ids that differ only beyond the length limit', () => {
    const long = 'a'.repeat(300);
    expect(toFolderName(`${long}1`)).not.toBe(toFolderName(`${long}2`));
  });

  test('handles a megabyte of separators quickly', () => {
    const began = performance.now();
    for (const marks of ['-', '.', '/', '-.']) toFolderName(`a${marks.repeat(1_000_000)}a`);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
