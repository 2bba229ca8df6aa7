import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyLabelChange,
  filterLabelChange,
  isLabel,
  LABELS,
  type LabelChange,
  PULL_REQUEST_LABELS,
} from '../../../src/core/model/label.ts';
import { assertProperty } from '../../support/property.ts';

/**
 * A label change in which each label is added, removed or left alone, never both added and removed.
 */
const change: fc.Arbitrary<LabelChange> = fc
  .array(fc.constantFrom('add', 'remove', 'leave'), { minLength: LABELS.length, maxLength: LABELS.length })
  .map((fates) => ({
    add: LABELS.filter((_, index) => fates[index] === 'add'),
    remove: LABELS.filter((_, index) => fates[index] === 'remove'),
  }));

const labels = fc
  .array(fc.constantFrom(...LABELS, 'bug', 'Worker-Done'))
  .map((names) => new Set<string>(names));

describe('Legion’s labels', () => {
  test('for issues are exactly these', () => {
    expect(LABELS).toEqual([
      ...['worker-active', 'worker-done', 'user-input-needed', 'user-feedback-given', 'needs-approval'],
      ...['human-approved', 'test-passed', 'test-failed', 'architect-continuity', 'arch-review-approved'],
      ...['arch-review-changes', 'auto-merged', 'rollback', 'legion-paused'],
    ]);
    expect(LABELS.every(isLabel)).toBe(true);
  });

  test.each([
    ...['bug', '', 'worker', 'WORKER-DONE', ' worker-done', 'constructor', '__proto__'],
    ...['worker-approved', 'worker-changes-requested'],
  ])('for issues do not include %j', (name) => {
    expect(isLabel(name)).toBe(false);
  });

  test('for pull requests are exactly these', () => {
    expect(PULL_REQUEST_LABELS).toEqual(['worker-approved', 'worker-changes-requested']);
  });
});

describe('applyLabelChange', () => {
  test('leaves the original set and all other labels unchanged', () => {
    const before = new Set(['bug', 'worker-active']);
    const after = applyLabelChange(before, { add: ['worker-done'], remove: ['worker-active'] });
    expect([...after]).toEqual(['bug', 'worker-done']);
    expect([...before]).toEqual(['bug', 'worker-active']);
  });
});

describe('filterLabelChange', () => {
  test('returns an empty change if the labels already match', () => {
    const present = new Set(['worker-done']);
    expect(filterLabelChange(present, { add: ['worker-done'], remove: ['worker-active'] })).toEqual({
      add: [],
      remove: [],
    });
  });

  test('returns only labels that actually change', () => {
    const wanted: LabelChange = {
      add: ['worker-done', 'test-passed'],
      remove: ['worker-active', 'test-failed'],
    };
    expect(filterLabelChange(new Set(['worker-done', 'worker-active']), wanted)).toEqual({
      add: ['test-passed'],
      remove: ['worker-active'],
    });
  });

  test('returns a change with the same effect, and an empty change once that effect is applied', () => {
    assertProperty(
      fc.property(labels, change, (before, wanted) => {
        const needed = filterLabelChange(before, wanted);
        const after = applyLabelChange(before, needed);
        expect(after).toEqual(applyLabelChange(before, wanted));
        expect(filterLabelChange(after, wanted)).toEqual({ add: [], remove: [] });
      }),
    );
  });
});
