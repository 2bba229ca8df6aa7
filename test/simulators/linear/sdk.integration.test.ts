/**
 * Checks that Linear's own SDK reads and writes through the simulator, and understands its errors.
 */
import {
  AuthenticationLinearError,
  ForbiddenLinearError,
  InvalidInputLinearError,
  LinearClient,
  RatelimitedLinearError,
} from '@linear/sdk';
import { afterEach, expect, test } from 'vitest';
import { closeStages, stage } from './simulated-linear.ts';

afterEach(closeStages);

async function withSdk() {
  const it = await stage();
  const client = (apiKey: string) => new LinearClient({ apiKey, apiUrl: `${it.linear.url}/graphql` });
  return { ...it, client, sdk: client(it.key) };
}

test('the SDK reads everything that is simulated', async () => {
  const { linear, sdk, team } = await withSdk();
  const { people } = linear;
  people.project('Alpha', ['ENG']);
  people.issue('ENG', { creator: 'ada', title: 'First', labels: ['bug'], project: 'Alpha' });
  people.issue('ENG', { external: 'Mallory', title: 'Second', parent: 'ENG-1' });
  people.block('ENG-1', 'ENG-2');
  people.comment('bob', 'ENG-1', 'I see');
  people.externalComment('Mallory', 'ENG-1', 'Me too');
  people.attach('ENG-1', { url: 'https://github.com/acme/app/pull/1', title: 'Pull request' });

  expect((await sdk.viewer).email).toBe('ada@example.com');
  expect((await sdk.organization).urlKey).toBe('acme');
  expect((await sdk.teams()).nodes.map(({ key }) => key)).toEqual(['ENG']);
  const issue = await sdk.issue('ENG-1');
  expect(issue.createdAt).toBeInstanceOf(Date);
  expect((await issue.team)?.id).toBe(team);
  expect((await issue.state)?.type).toBe('backlog');
  expect((await issue.project)?.name).toBe('Alpha');
  expect((await issue.labels()).nodes.map(({ name }) => name)).toEqual(['bug']);
  expect((await issue.children()).nodes.map(({ title }) => title)).toEqual(['Second']);
  const [external, own] = (await issue.comments()).nodes;
  expect([await external?.user, (await external?.externalUser)?.name]).toEqual([undefined, 'Mallory']);
  expect([own?.body, (await own?.user)?.name]).toEqual(['I see', 'bob']);
  const [relation] = (await issue.inverseRelations()).nodes;
  expect([relation?.type, (await relation?.issue)?.identifier]).toEqual(['blocks', 'ENG-2']);
  const second = await sdk.issue('ENG-2');
  expect([await second.creator, (await second.externalUserCreator)?.name]).toEqual([undefined, 'Mallory']);
  const attached = await sdk.attachmentsForURL('https://github.com/acme/app/pull/1');
  expect(await Promise.all(attached.nodes.map(async (each) => (await each.issue)?.identifier))).toEqual([
    'ENG-1',
  ]);
  expect((await sdk.issueRelations()).nodes).toHaveLength(1);
  expect((await sdk.projects()).nodes.map(({ name }) => name)).toEqual(['Alpha']);
  expect((await sdk.users()).nodes.map(({ name }) => name)).toEqual(['bob', 'ada']);
});

test('the SDK writes, and the changes can be read back', async () => {
  const { linear, sdk, team, state } = await withSdk();
  const made = await (await sdk.createIssue({ teamId: team, title: 'First', priority: 1 })).issue;
  expect(made?.identifier).toBe('ENG-1');
  const label = await (await sdk.createIssueLabel({ name: 'bug', teamId: team })).issueLabel;
  await sdk.updateIssue('ENG-1', { stateId: await state('Todo'), addedLabelIds: [label?.id ?? ''] });
  await sdk.createComment({ issueId: 'ENG-1', body: 'hello' });
  await sdk.createAttachment({ issueId: 'ENG-1', url: 'https://example.com/1', title: 'One' });
  await sdk.createWorkflowState({ teamId: team, name: 'Testing', type: 'started', color: '#ffffff' });
  await sdk.createIssue({ teamId: team, title: 'Second' });
  await sdk.archiveIssue('ENG-2');
  expect(linear.snapshot()).toMatchObject({
    issues: [
      {
        identifier: 'ENG-1',
        state: 'Todo',
        stateType: 'unstarted',
        labels: ['bug'],
        priority: 1,
        archived: false,
        attachments: ['https://example.com/1'],
        comments: [{ author: 'ada', body: 'hello' }],
      },
      { identifier: 'ENG-2', archived: true, trashed: false },
    ],
  });
  const { states } = linear.snapshot();
  expect(Object.values(states)[0]?.at(-1)).toEqual({ name: 'Testing', type: 'started' });
});

test('rejected requests become the SDK’s own errors', async () => {
  const { linear, sdk, client, team } = await withSdk();
  await expect(sdk.issue('ENG-9')).rejects.toThrow(InvalidInputLinearError);
  await expect(sdk.issue('ENG-9')).rejects.toThrow('Entity not found: Issue');
  await expect(client('lin_api_wrong').viewer).rejects.toThrow(AuthenticationLinearError);
  const reader = client(linear.people.apiKey('ada', ['read']));
  await expect(reader.createIssue({ teamId: team, title: 'First' })).rejects.toThrow(ForbiddenLinearError);
  linear.faults.limits({ requests: { limit: 10, remaining: 0 } });
  const limited = await sdk.viewer.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(limited).toBeInstanceOf(RatelimitedLinearError);
  expect(limited).toMatchObject({ requestsLimit: 10, requestsRemaining: 0 });
});
