/**
 * Tests that the demo's issues take their intended paths, and that the scripted agent accepts its
 * scenario.
 */
import { describe, expect, test } from 'vitest';
import { parseScenario } from '../../src/agents/scripted/scenario/load-scenario.ts';
import { chooseTriageRoute } from '../../src/core/pipeline/triage.ts';
import { buildDemoScenario, listFreshBoardStories, STORIES } from '../../src/demo/stories.ts';

describe('the stories of the demo', () => {
  test('are moved to the intended statuses by triage', () => {
    const routes = STORIES.map(
      ({ title, body, labels }) => chooseTriageRoute({ title, body, labels, priority: 0 }).route,
    );
    expect(routes).toEqual(['Backlog', 'Todo', 'Icebox', 'Backlog', 'Backlog', 'Backlog']);
  });

  test('form a valid scenario for the scripted agent, with rules for every phase an issue goes through', () => {
    const stories = listFreshBoardStories();
    const { rules } = parseScenario(JSON.parse(JSON.stringify(buildDemoScenario(stories))), 'scenario.json');
    for (const { id } of stories) {
      const phases = new Set(rules.filter(({ issue }) => issue === id).map(({ phase }) => phase));
      const expected = ['plan', 'implement', 'test', 'review', 'retro', 'merge'];
      expect([...phases].filter((phase) => phase !== 'architect').sort()).toEqual(expected.sort());
    }
  });
});
