/** Checks that writes obey Linear's rules: ids, states, labels, times. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { closeStages, type Stage, stage, standingClock } from './simulated-linear.ts';

afterEach(closeStages);

const UPDATE =
  'mutation Update($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success issue { id updatedAt } } }';

async function withIssue(options = {}) {
  const it = await stage(options);
  it.linear.people.issue('ENG', { creator: 'ada', title: 'First' });
  const update = (input: object) => it.ask(UPDATE, { id: 'ENG-1', input });
  const issue = () => it.linear.snapshot().issues[0];
  const refused = async (input: object) =>
    (await it.refusal(UPDATE, { id: 'ENG-1', input }))?.extensions.userPresentableMessage;
  return { ...it, update, issue, refused };
}

const comment = ({ ask }: Stage, input: object) =>
  ask('mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success comment { id } } }', {
    input,
  });

test('an id sent by a client must be an unused UUID v4, and is kept', async () => {
  const it = await withIssue();
  const id = randomUUID();
  const made = await comment(it, { id, issueId: 'ENG-1', body: 'hello' });
  expect(made.data.commentCreate.comment.id).toBe(id);
  for (const wrong of [id, 'mine', '6ba7b810-9dad-11d1-80b4-00c04fd430c8']) {
    const again = await comment(it, { id: wrong, issueId: 'ENG-1', body: 'again' });
    expect(again).toMatchObject({
      status: 200,
      data: null,
      errors: [{ extensions: { type: 'invalid input' } }],
    });
  }
  expect(it.issue()?.comments).toEqual([{ id, author: 'ada', body: 'hello' }]);
  const issue = randomUUID();
  const create = `mutation($input: IssueCreateInput!) { issueCreate(input: $input) { issue { id identifier } } }`;
  const input = { id: issue, teamId: it.team, title: 'Second' };
  expect((await it.ask(create, { input })).data.issueCreate.issue).toEqual({
    id: issue,
    identifier: 'ENG-2',
  });
  expect((await it.refusal(create, { input }))?.extensions.type).toBe('invalid input');
  expect(it.linear.snapshot().issues).toHaveLength(2);
});

test('issue numbers count up per team and are never reused', async () => {
  const { linear } = await stage();
  const { people } = linear;
  people.team({ key: 'OPS', name: 'Operations' });
  const made = ['ENG', 'OPS', 'ENG'].map((key) => people.issue(key, { creator: 'ada', title: 'One' }));
  expect(made).toEqual(['ENG-1', 'OPS-1', 'ENG-2']);
  people.delete('ENG-2');
  expect(people.issue('ENG', { creator: 'ada', title: 'Three' })).toBe('ENG-3');
});

test('an issue created without a state goes to the backlog, or to triage if the team has triage enabled', async () => {
  const { linear } = await stage();
  linear.people.team({ key: 'OPS', name: 'Operations', triage: true });
  linear.people.issue('ENG', { creator: 'ada', title: 'One' });
  linear.people.issue('OPS', { creator: 'ada', title: 'One' });
  expect(linear.snapshot().issues.map(({ state }) => state)).toEqual(['Backlog', 'Triage']);
});

test('state and labels change in one write, and a rejected write changes nothing', async () => {
  const { update, refused, issue, linear, state, label } = await withIssue();
  linear.people.team({ key: 'OPS', name: 'Operations' });
  linear.people.label({ name: 'mine', team: 'ENG' });
  linear.people.label({ name: 'everywhere' });
  linear.people.label({ name: 'theirs', team: 'OPS' });
  const [mine, everywhere, theirs] = await Promise.all(['mine', 'everywhere', 'theirs'].map(label));
  expect((await update({ stateId: await state('Todo'), addedLabelIds: [mine, everywhere] })).errors).toEqual(
    [],
  );
  expect(issue()).toMatchObject({ state: 'Todo', labels: ['mine', 'everywhere'] });
  const todo = await state('Todo');
  expect(await refused({ stateId: await state('Done', 'OPS'), addedLabelIds: [] })).toContain(
    'state and team',
  );
  expect(await refused({ title: 'Other', stateId: todo, addedLabelIds: [theirs] })).toContain('same team');
  expect(await refused({ stateId: randomUUID() })).toBe('Could not find referenced WorkflowState.');
  expect(await refused({ title: ' ' })).toBe('title must not be empty');
  expect(await refused({ priority: 5 })).toContain('priority');
  expect(issue()).toMatchObject({ title: 'First', state: 'Todo', labels: ['mine', 'everywhere'] });
  await update({ removedLabelIds: [mine, theirs] });
  expect(issue()?.labels).toEqual(['everywhere']);
  await update({ labelIds: [mine] });
  expect(issue()?.labels).toEqual(['mine']);
});

test('a label replaces another label of its group, and adding two labels of one group at once is rejected', async () => {
  const { ask, update, refused, issue, linear, label } = await withIssue();
  linear.people.label({ name: 'small', group: 'size' });
  linear.people.label({ name: 'large', group: 'size' });
  linear.people.label({ name: 'bug' });
  const [small, large, group, bug] = await Promise.all(['small', 'large', 'size', 'bug'].map(label));
  await update({ addedLabelIds: [small, bug] });
  await update({ addedLabelIds: [large] });
  expect(issue()?.labels).toEqual(['bug', 'large']);
  expect(await refused({ addedLabelIds: [small, large] })).toContain('Only one label');
  expect(await refused({ labelIds: [small, large] })).toContain('Only one label');
  expect(await refused({ addedLabelIds: [group] })).toContain('is a group');
  const one = `mutation($label: String!) { issueAddLabel(id: "ENG-1", labelId: $label) { success } }`;
  await ask(one, { label: small });
  expect(issue()?.labels).toEqual(['bug', 'small']);
  await ask(one.replace('issueAddLabel', 'issueRemoveLabel'), { label: bug });
  expect(issue()?.labels).toEqual(['small']);
});

test('names of labels and states are unique, regardless of case', async () => {
  const { ask, team, linear } = await stage();
  linear.people.team({ key: 'OPS', name: 'Operations' });
  linear.people.label({ name: 'theirs', team: 'OPS' });
  const create = (input: object) =>
    ask(
      'mutation($input: IssueLabelCreateInput!) { issueLabelCreate(input: $input) { issueLabel { name } } }',
      { input },
    );
  expect((await create({ name: 'Bug', teamId: team })).errors).toEqual([]);
  expect((await create({ name: 'theirs', teamId: team })).errors).toEqual([]);
  for (const input of [{ name: 'bug', teamId: team }, { name: 'BUG' }, { name: ' ' }]) {
    expect((await create(input)).errors, input.name).toMatchObject([
      { extensions: { type: 'invalid input' } },
    ]);
  }
  const make = (input: object) =>
    ask(
      'mutation($input: WorkflowStateCreateInput!) { workflowStateCreate(input: $input) { workflowState { name type position } } }',
      { input: { teamId: team, color: '#ffffff', ...input } },
    );
  expect(
    (await make({ name: 'Testing', type: 'started' })).data.workflowStateCreate.workflowState,
  ).toMatchObject({
    name: 'Testing',
    type: 'started',
  });
  for (const input of [
    { name: 'testing', type: 'started' },
    { name: 'Sorting', type: 'triage' },
    { name: 'Again', type: 'duplicate' },
    { name: 'Strange', type: 'strange' },
  ]) {
    expect((await make(input)).errors, input.name).toMatchObject([{ extensions: { type: 'invalid input' } }]);
  }
});

test('start, completion and cancellation times follow the type of the state', async () => {
  const clock = standingClock();
  const { ask, linear } = await withIssue({ clock });
  const times = async (state: string) => {
    clock.pass(1000);
    linear.people.move('ada', 'ENG-1', state);
    const { data } = await ask('{ issue(id: "ENG-1") { startedAt completedAt canceledAt } }');
    const seconds = (time: string | null) => (time === null ? null : new Date(time).getSeconds());
    return [data.issue.startedAt, data.issue.completedAt, data.issue.canceledAt].map(seconds);
  };
  expect(await times('Todo')).toEqual([null, null, null]);
  expect(await times('In Progress')).toEqual([2, null, null]);
  expect(await times('In Review')).toEqual([2, null, null]);
  expect(await times('Done')).toEqual([2, 4, null]);
  expect(await times('Canceled')).toEqual([2, null, 5]);
  expect(await times('Backlog')).toEqual([null, null, null]);
});

test('the state history lists every state with its times, starting with the current one', async () => {
  const clock = standingClock();
  const { ask, linear } = await withIssue({ clock });
  for (const state of ['Todo', 'In Progress']) {
    clock.pass(1000);
    linear.people.move('ada', 'ENG-1', state);
  }
  const spans = async (args: string) => {
    const query = `{ issue(id: "ENG-1") { stateHistory${args} { nodes { state { name } startedAt endedAt } } } }`;
    return (await ask(query)).data.issue.stateHistory.nodes;
  };
  const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
  const all = [
    { state: { name: 'In Progress' }, startedAt: at(2), endedAt: null },
    { state: { name: 'Todo' }, startedAt: at(1), endedAt: at(2) },
    { state: { name: 'Backlog' }, startedAt: at(0), endedAt: at(1) },
  ];
  expect(await spans('')).toEqual(all);
  expect(await spans('(first: 1)')).toEqual(all.slice(0, 1));
  expect(await spans('(last: 1)')).toEqual(all.slice(-1));
});

test('a batch updates up to fifty issues, and validates all of them first', async () => {
  const { ask, refusal, linear, state } = await withIssue();
  linear.people.issue('ENG', { creator: 'ada', title: 'Second' });
  const { data } = await ask('{ issues { nodes { id } } }');
  const ids: string[] = data.issues.nodes.map(({ id }: { id: string }) => id);
  const batch = `mutation($ids: [UUID!]!, $input: IssueUpdateInput!) { issueBatchUpdate(ids: $ids, input: $input) { issues { id } } }`;
  const input = { stateId: await state('Todo') };
  expect((await refusal(batch, { ids: [...ids, randomUUID()], input }))?.message).toBe(
    'Entity not found: Issue',
  );
  expect(linear.snapshot().issues.map((each) => each.state)).toEqual(['Backlog', 'Backlog']);
  expect((await ask(batch, { ids, input })).data.issueBatchUpdate.issues).toHaveLength(2);
  expect(linear.snapshot().issues.map((each) => each.state)).toEqual(['Todo', 'Todo']);
  expect(await refusal(batch, { ids: Array.from({ length: 51 }, () => ids[0]), input })).toBeDefined();
});

test('archiving, deleting and restoring are separate mutations, and only an admin can delete permanently', async () => {
  const { ask, refusal, linear, issue } = await withIssue();
  await ask('mutation { issueArchive(id: "ENG-1") { success entity { identifier } } }');
  expect(issue()).toMatchObject({ archived: true, trashed: false });
  await ask('mutation { issueUnarchive(id: "ENG-1") { success } }');
  expect(issue()).toMatchObject({ archived: false, trashed: false });
  await ask('mutation { issueDelete(id: "ENG-1") { success } }');
  expect(issue()).toMatchObject({ archived: true, trashed: true });
  const gone = 'mutation { issueDelete(id: "ENG-1", permanentlyDelete: true) { success entity { id } } }';
  expect((await refusal(gone))?.extensions.type).toBe('forbidden');
  await ask(gone, {}, linear.people.apiKey('ada', ['admin']));
  expect(linear.snapshot().issues).toEqual([]);
});

test('mutations of one request run in order, and a failing one does not undo the earlier ones', async () => {
  const { ask, linear } = await withIssue();
  const { data, errors } = await ask(`mutation Both {
    one: commentCreate(input: {issueId: "ENG-1", body: "first"}) { success }
    two: commentCreate(input: {issueId: "ENG-9", body: "second"}) { success }
    three: commentCreate(input: {issueId: "ENG-1", body: "third"}) { success }
  }`);
  expect(data).toBeNull();
  expect(errors).toMatchObject([{ message: 'Entity not found: Issue', path: ['two'] }]);
  expect(linear.snapshot().issues[0]?.comments.map(({ body }) => body)).toEqual(['first']);
});
