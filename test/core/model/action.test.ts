import { describe, expect, test } from 'vitest';
import { ACTIONS, getActionKind, resolveActionMode } from '../../../src/core/model/action.ts';
import { MODES } from '../../../src/core/model/mode.ts';

/** The naming convention: an action's prefix indicates how it is carried out. */
const PREFIXES = [
  ['dispatch_', 'dispatch'],
  ['transition_to_', 'transition'],
  ['resume_', 'resume'],
  ['relay_', 'relay'],
  ['add_', 'add'],
  ['remove_', 'remove'],
  ['retry_', 'retry'],
  ['investigate_', 'investigate'],
] as const;

describe.each(ACTIONS)('%s', (action) => {
  test('has exactly one prefix, which indicates its kind', () => {
    const kinds = PREFIXES.filter(([prefix]) => action.startsWith(prefix)).map(([, kind]) => kind);
    expect(action === 'skip' ? ['skip'] : kinds).toEqual([getActionKind(action)]);
  });

  test('has exactly one mode in every situation', () => {
    for (const ofStatus of MODES) {
      for (const ofAsker of MODES) {
        const mode = resolveActionMode(action, { ofStatus, ofAsker });
        expect(MODES).toContain(mode);
        expect(resolveActionMode(action, { ofStatus, ofAsker })).toBe(mode);
      }
    }
  });
});

describe('resolveActionMode', () => {
  const situation = { ofStatus: 'test', ofAsker: 'architect' } as const;

  test.each([
    ['dispatch_architect', 'architect'],
    ['dispatch_planner', 'plan'],
    ['dispatch_implementer', 'implement'],
    ['dispatch_tester', 'test'],
    ['dispatch_reviewer', 'review'],
    ['dispatch_implementer_for_retro', 'implement'],
    ['dispatch_merger', 'merge'],
    ['resume_architect_for_changes', 'architect'],
    ['resume_planner_for_changes', 'plan'],
    ['resume_architect_for_plan_review', 'architect'],
    ['resume_implementer_for_retro', 'implement'],
    ['investigate_no_pr', 'implement'],
    ['investigate_no_review', 'review'],
  ] as const)('for %s always returns %s', (action, mode) => {
    expect(resolveActionMode(action, situation)).toBe(mode);
  });

  test.each(['skip', 'remove_worker_active_and_redispatch', 'add_needs_approval', 'retry_ci_check'] as const)(
    'for %s returns the mode that belongs to the status of the issue',
    (action) => {
      expect(resolveActionMode(action, situation)).toBe('test');
    },
  );

  test('for relay_user_feedback returns the mode of the worker that asked the question', () => {
    expect(resolveActionMode('relay_user_feedback', situation)).toBe('architect');
  });
});
