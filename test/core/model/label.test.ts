import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyLabelChange,
  isLabel,
  LABELS,
  type LabelChange,
  neededLabelChange,
  PULL_REQUEST_LABELS,
} from '../../../src/domain/label.ts';
import { assertProperty } from '../../support/property.ts';

/** Each label is added, removed or left alone: never both. */
const change: fc.Arbitrary<LabelChange> = fc
  .array(fc.constantFrom('add', 'remove', 'leave'), { minLength: LABELS.length, maxLength: LABELS.length })
  .map((fates) => ({
    add: LABELS.filter((_, index) => fates[index] === 'add'),
    remove: LABELS.filter((_, index) => fates[index] === 'remove'),
  }));

const labels = fc
  .array(fc.constantFrom(...LABELS, 'bug', 'Worker-Done'))
  .map((names) => new Set<string>(names));

describe('the labels of Legion', () => {
  test('on an issue are these', () => {
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
  ])('on an issue are not %j, which is left alone', (name) => {
    expect(isLabel(name)).toBe(false);
  });

  test('on a pull request are these', () => {
    expect(PULL_REQUEST_LABELS).toEqual(['worker-approved', 'worker-changes-requested']);
  });
});

describe('applying a change', () => {
  test('leaves the given set and other people’s labels as they are', () => {
    const before = new Set(['bug', 'worker-active']);
    const after = applyLabelChange(before, { add: ['worker-done'], remove: ['worker-active'] });
    expect([...after]).toEqual(['bug', 'worker-done']);
    expect([...before]).toEqual(['bug', 'worker-active']);
  });
});

describe('what of a change is needed', () => {
  test('is nothing where the labels are so already', () => {
    const present = new Set(['worker-done']);
    expect(neededLabelChange(present, { add: ['worker-done'], remove: ['worker-active'] })).toEqual({
      add: [],
      remove: [],
    });
  });

  test('is only what differs', () => {
    const wanted: LabelChange = {
      add: ['worker-done', 'test-passed'],
      remove: ['worker-active', 'test-failed'],
    };
    expect(neededLabelChange(new Set(['worker-done', 'worker-active']), wanted)).toEqual({
      add: ['test-passed'],
      remove: ['worker-active'],
    });
  });

  test('has the effect of the whole, and once written nothing is needed any more', () => {
    assertProperty(
      fc.property(labels, change, (before, wanted) => {
        const needed = neededLabelChange(before, wanted);
        const after = applyLabelChange(before, needed);
        expect(after).toEqual(applyLabelChange(before, wanted));
        expect(neededLabelChange(after, wanted)).toEqual({ add: [], remove: [] });
      }),
    );
  });
});
