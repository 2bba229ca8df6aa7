/** The demo's issues go where they are meant to go, and its scenario is one the scripted agent takes. */
import { describe, expect, test } from 'vitest';
import { readScenario } from '../../src/agents/scripted/scenario/read-scenario.ts';
import { onFreshBoard, STORIES, scenario } from '../../src/demo/stories.ts';
import { routeIssue } from '../../src/pipeline/triage/route.ts';

describe('the stories of the demo', () => {
  test('go where triage is meant to send them', () => {
    const routes = STORIES.map(
      ({ title, body, labels }) => routeIssue({ title, body, labels, priority: 0 }).route,
    );
    expect(routes).toEqual(['Backlog', 'Todo', 'Icebox', 'Backlog', 'Backlog', 'Backlog']);
  });

  test('make a scenario that the scripted agent reads, with rules for every phase an issue goes through', () => {
    const stories = onFreshBoard();
    const { rules } = readScenario(JSON.parse(JSON.stringify(scenario(stories))), 'scenario.json');
    for (const { id } of stories) {
      const phases = new Set(rules.filter(({ issue }) => issue === id).map(({ phase }) => phase));
      const expected = ['plan', 'implement', 'test', 'review', 'retro', 'merge'];
      expect([...phases].filter((phase) => phase !== 'architect').sort()).toEqual(expected.sort());
    }
  });
});
