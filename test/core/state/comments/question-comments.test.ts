/** Tests that a worker's questions and their answers appear on the issue, each written once. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { PersonComment } from '../../../../src/core/model/observed-issue.ts';
import { detectAnswers } from '../../../../src/core/state/comments/answers.ts';
import { SmallWorld } from '../small-world.ts';

const ISSUE = 'A-1';

let world: SmallWorld;
/** People's comments on the issue. */
let said: PersonComment[];

beforeEach(() => {
  world = new SmallWorld();
  said = [];
  world.add(ISSUE, {
    column: 'Todo',
    source: { kind: 'github', owner: 'acme', repo: 'app', number: 1 },
  });
  pass();
});

describe('a question', () => {
  test('is posted once, with its text and how to answer it', () => {
    ask(1, 'JSON or YAML?');
    pass();
    pass();
    expect(comments()).toEqual([
      {
        key: 'A-1:question:1',
        text: [
          '**Question 1** of the plan worker:',
          'JSON or YAML?',
          'To answer, comment on this issue, or run `legion answer A-1 "…"`. If several questions are open, begin the comment with `Question 1:`.',
        ].join('\n\n'),
      },
    ]);
  });

  test('on the local board states only the command that answers it', () => {
    world.add('A-2', { column: 'Todo' });
    pass();
    ask(1, 'JSON or YAML?', 'A-2');
    pass();
    expect(comments()[0]?.text).toMatch(/To answer, run `legion answer A-2 "…"`\.$/);
  });

  test('is edited to show its answer, and the person who commented is told what was recorded', () => {
    ask(1, 'JSON or YAML?');
    pass();
    comment('ada', 'JSON,\nplease.');
    pass();
    pass();
    const recorded = 'Recorded as the answer to question 1 (“JSON or YAML?”), by ada: “JSON, please.”';
    expect(comments().slice(1)).toEqual([
      { key: 'A-1:question:1', text: `**Question 1** of the plan worker:\n\nJSON or YAML?\n\n${recorded}` },
      { key: 'A-1:recorded:1', text: recorded },
    ]);
  });

  test('answered with a command is edited, without a second comment', () => {
    ask(1, 'JSON or YAML?');
    pass();
    world.take({ type: 'question.answered', issue: ISSUE, question: 1, by: 'bob', text: 'YAML' });
    pass();
    expect(comments().map(({ key }) => key)).toEqual(['A-1:question:1', 'A-1:question:1']);
    expect(comments()[1]?.text).toContain('by bob: “YAML”');
  });

  test('whose worker no longer waits is closed', () => {
    ask(1, 'JSON or YAML?');
    pass();
    relabel([], ['user-input-needed']);
    world.take({ type: 'attempt.stopped', issue: ISSUE, mode: 'plan', attempt: 1, why: 'moved' });
    pass();
    expect(comments().at(-1)?.text).toContain('Closed without an answer');
  });
});

describe('several open questions', () => {
  beforeEach(() => {
    ask(1, 'JSON or YAML?');
    ask(2, 'Tabs or spaces?');
    pass();
  });

  test('make Legion ask once which one a comment answers', () => {
    comment('ada', 'The first.');
    pass();
    pass();
    const replies = comments().filter(({ key }) => key.includes('reply'));
    expect(replies).toHaveLength(1);
    expect(replies[0]?.text).toMatch(
      /comment by ada was not recorded.*\n- `Question 1:` “JSON or YAML\?”\n- `Question 2:` “Tabs/,
    );
    expect(answers()).toEqual({});
  });

  test.each(['Question 2: spaces', '**Q2** spaces', 'question #2 - spaces', '> Question 2. spaces'])(
    'let a comment answer the one that it names: %s',
    (text) => {
      comment('ada', text);
      pass();
      expect(answers()).toMatchObject({ 2: { by: 'ada', text: 'spaces' } });
    },
  );

  test('let a comment answer the one that it names only after an edit', () => {
    comment('ada', 'spaces');
    pass();
    said = said.map((each) => ({ ...each, text: `Question 2: ${each.text}` }));
    pass();
    expect(answers()).toMatchObject({ 2: { by: 'ada', text: 'spaces' } });
  });
});

describe('a further comment', () => {
  beforeEach(() => {
    ask(1, 'JSON or YAML?');
    pass();
  });

  test('of another person who disagrees gets one reply, and the first answer stays', () => {
    comment('ada', 'JSON');
    comment('bob', 'YAML');
    pass();
    pass();
    expect(answers()).toMatchObject({ 1: { by: 'ada', text: 'JSON' } });
    const replies = comments().filter(({ key }) => key.includes('reply'));
    expect(replies).toEqual([
      {
        key: 'A-1:reply:c2',
        text: 'Question 1 already has an answer, by ada: “JSON” The comment by bob was not recorded as an answer.',
      },
    ]);
  });

  test('that names an answered question gets a reply, and any other comment gets none', () => {
    comment('ada', 'JSON');
    pass();
    world.now += 60_000;
    comment('bob', 'Thanks!');
    comment('bob', 'Question 1: YAML');
    pass();
    expect(comments().filter(({ key }) => key.includes('reply'))).toMatchObject([{ key: 'A-1:reply:c3' }]);
    expect(answers()).toMatchObject({ 1: { text: 'JSON' } });
  });

  test('is ignored if it was posted before the question or has been deleted', () => {
    said = [{ id: 'c0', author: 'ada', text: 'Question 1: JSON', at: 0 }];
    pass();
    said = [];
    pass();
    expect(answers()).toEqual({});
    expect(comments()).toHaveLength(1);
  });
});

test('an answer reaches the worker although a person moved the issue to an unmapped column', () => {
  ask(1, 'JSON or YAML?');
  pass();
  const issue = world.issues.get(ISSUE);
  if (issue !== undefined) world.issues.set(ISSUE, { ...issue, column: 'Somewhere else' });
  comment('ada', 'JSON');
  pass();
  expect(world.performed.findLast(({ kind }) => kind === 'spawn')).toMatchObject({
    mode: 'plan',
    attempt: 2,
    purpose: 'feedback',
  });
});

function ask(question: number, text: string, issue = ISSUE): void {
  world.take({ type: 'question.asked', issue, mode: 'plan', attempt: 1, question, text });
  world.take({ type: 'attempt.waiting', issue, mode: 'plan', attempt: 1, wait: question, for: 'user' });
  relabel(['user-input-needed'], [], issue);
}

function relabel(add: 'user-input-needed'[], remove: 'user-input-needed'[], issue = ISSUE): void {
  const revision = (world.state.issues.get(issue)?.lastOwed ?? 0) + 1;
  world.take({ type: 'labels.owed', issue, revision, add, remove });
}

function comment(author: string, text: string): void {
  said.push({ id: `c${said.length + 1}`, author, text, at: world.now });
}

/** Records answers and runs a pass, as the loop does. */
function pass(): void {
  const seen = () => world.seen().map((each) => (each.issue.id === ISSUE ? { ...each, said } : each));
  for (const event of detectAnswers(world.state, seen())) world.take(event);
  world.observe(seen());
}

function comments(): readonly { readonly key: string; readonly text: string }[] {
  return world.performed.flatMap((command) =>
    command.kind === 'put_comment' ? [{ key: command.key, text: command.text }] : [],
  );
}

function answers(): Readonly<Record<number, unknown>> {
  const { questions = {} } = world.state.issues.get(ISSUE) ?? {};
  return Object.fromEntries(
    Object.entries(questions).flatMap(([number, { answer }]) =>
      answer === undefined ? [] : [[number, answer]],
    ),
  );
}
