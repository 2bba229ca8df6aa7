/** Tests that the output of a phase is one comment, edited in later rounds. */
import { beforeEach, expect, test } from 'vitest';
import type { Phase } from '../../../../src/core/model/mode.ts';
import { SmallWorld } from '../small-world.ts';

const ISSUE = 'A-1';

let world: SmallWorld;
beforeEach(() => {
  world = new SmallWorld();
  world.add(ISSUE, { column: 'Todo' });
  world.pass();
});

test('the plan is posted once when its worker has finished', () => {
  write('plan', { summary: 'Two steps.', decided: ['JSON'], left: [], details: { steps: [1, 2] } });
  world.pass();
  expect(comments()).toEqual([]);
  world.report(ISSUE);
  world.pass();
  world.pass();
  expect(comments()).toEqual([
    {
      kind: 'put_comment',
      issue: ISSUE,
      key: 'A-1:plan',
      revision: '1',
      text: '**Plan**\n\nTwo steps.\n\nDecided:\n- JSON\n\n```json\n{\n  "steps": [\n    1,\n    2\n  ]\n}\n```',
    },
  ]);
});

test('a new round edits the same comment', () => {
  write('architect', { summary: 'First.' });
  world.pass();
  write('architect', { summary: 'Second.' });
  world.pass();
  expect(comments()).toMatchObject([
    { key: 'A-1:specification', text: '**Specification**\n\nFirst.' },
    { key: 'A-1:specification', text: '**Specification**\n\nSecond.' },
  ]);
});

test('the test report is posted on the pull request, with verdict and commit', () => {
  world.report(ISSUE);
  world.pass();
  world.open(ISSUE);
  world.report(ISSUE);
  world.pass();
  world.prove(ISSUE, 'test');
  write('test', { summary: 'All criteria hold.' });
  world.report(ISSUE, 'test-passed');
  world.pass();
  expect(comments()).toMatchObject([
    {
      key: 'A-1:test',
      pullRequest: 1,
      text: '**Test report**: passed at commit c1 (unit)\n\nAll criteria hold.',
    },
  ]);
});

test('an output that is turned off is not posted', () => {
  world.comments = { specification: true, plan: false, test: true };
  write('plan', { summary: 'Two steps.' });
  world.report(ISSUE);
  world.pass();
  expect(comments()).toEqual([]);
});

function write(phase: Phase, content: object): void {
  const revision = (world.state.issues.get(ISSUE)?.lastHandoff ?? 0) + 1;
  const json = JSON.parse(JSON.stringify(content));
  world.take({ type: 'handoff.written', issue: ISSUE, phase, revision, content: json });
}

function comments() {
  return world.performed.filter(({ kind }) => kind === 'put_comment');
}
