import { describe, expect, test } from 'vitest';
import { ACTIONS, kindOf, modeOf } from '../../../src/core/model/action.ts';
import { MODES } from '../../../src/domain/mode.ts';

/** The convention of names: how an action is carried out is its prefix. */
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
  test('is carried out as its prefix says, and has only one prefix', () => {
    const kinds = PREFIXES.filter(([prefix]) => action.startsWith(prefix)).map(([, kind]) => kind);
    expect(action === 'skip' ? ['skip'] : kinds).toEqual([kindOf(action)]);
  });

  test('has exactly one mode in every situation', () => {
    for (const ofStatus of MODES) {
      for (const ofAsker of MODES) {
        const mode = modeOf(action, { ofStatus, ofAsker });
        expect(MODES).toContain(mode);
        expect(modeOf(action, { ofStatus, ofAsker })).toBe(mode);
      }
    }
  });
});

describe('the mode of an action', () => {
  const situation = { ofStatus: 'test', ofAsker: 'architect' } as const;

  test.each([
    ['dispatch_architect', 'architect'],
    ['dispatch_planner', 'plan'],
    ['dispatch_implementer', 'implement'],
    ['dispatch_tester', 'test'],
    ['dispatch_reviewer', 'review'],
    ['dispatch_implementer_for_retro', 'implement'],
    ['dispatch_merger', 'merge'],
    ['resume_planner_for_changes', 'plan'],
    ['resume_architect_for_plan_review', 'architect'],
    ['resume_implementer_for_retro', 'implement'],
    ['investigate_no_pr', 'implement'],
    ['investigate_no_review', 'review'],
  ] as const)('%s is always %s', (action, mode) => {
    expect(modeOf(action, situation)).toBe(mode);
  });

  test.each(['skip', 'remove_worker_active_and_redispatch', 'add_needs_approval', 'retry_ci_check'] as const)(
    'of %s is the one the status calls for',
    (action) => {
      expect(modeOf(action, situation)).toBe('test');
    },
  );

  test('of relay_user_feedback is that of the worker that asked', () => {
    expect(modeOf('relay_user_feedback', situation)).toBe('architect');
  });
});
