import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folderName } from '../../../src/core/model/ids.ts';
import { assertProperty } from '../../support/property.ts';

/** Few letters, so that ids which differ only in what sanitising removes are common. */
const nearlyAlike = fc
  .array(fc.constantFrom('a', 'A', '.', '-', '_', '/', ' ', '\u0430', '\ud800', '\udfff', '1'), {
    maxLength: 6,
  })
  .map((letters) => letters.join(''));

const anyId = fc.oneof(nearlyAlike, fc.string({ unit: 'binary', maxLength: 300 }));

describe('a folder name', () => {
  test.each(['eng-21', 'acme-widgets-17', 'a.b_c', 'fix-deadbeef'])(
    '%j is the id itself, being safe already',
    (id) => {
      expect(folderName(id)).toBe(id);
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
  ])('of %j is what is safe of it, and a hash', (id, form) => {
    expect(folderName(id)).toMatch(form);
  });

  test('is one plain, short name, whatever the id', () => {
    assertProperty(
      fc.property(anyId, (id) => {
        const name = folderName(id);
        expect(name).toMatch(/^[a-z0-9_][a-z0-9._-]*$/);
        expect(name).not.toContain('..');
        expect(name).not.toMatch(/[.-]$/);
        expect(name.length).toBeLessThanOrEqual(174);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is never shared by two ids', () => {
    assertProperty(
      fc.property(anyId, anyId, (one, other) => {
        expect(folderName(one) === folderName(other)).toBe(one === other);
      }),
      { numRuns: 5_000 },
    );
  });

  test('cannot be taken by an id chosen to look like it', () => {
    assertProperty(
      fc.property(anyId, (id) => {
        const name = folderName(id);
        if (name !== id) expect(folderName(name)).not.toBe(name);
      }),
    );
  });

  test('of ids that differ only beyond the length limit is still not shared', () => {
    const long = 'a'.repeat(300);
    expect(folderName(`${long}1`)).not.toBe(folderName(`${long}2`));
  });

  test('of a megabyte of marks is found at once', () => {
    const began = performance.now();
    for (const marks of ['-', '.', '/', '-.']) folderName(`a${marks.repeat(1_000_000)}a`);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
