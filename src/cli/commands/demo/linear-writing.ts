/** What a person writes in Linear, under ids that Linear chooses: issues, moves, labels, comments. */

import { LegionError } from '../../../core/model/fault.ts';
import type { Story } from '../../../demo/story.ts';
import type { LinearClient, Variables } from '../../../linear/client.ts';
import type { DemoIssueMutation } from '../setup/demo/generated/linear-documents.generated.ts';
import type { DemoTeam } from './linear-team.ts';

export const CREATE_ISSUE =
  'mutation DemoIssue($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { id identifier } } }';

export async function makeIssue(
  client: LinearClient,
  team: DemoTeam,
  { title, body, labels }: Story,
): Promise<{ readonly id: string; readonly identifier: string }> {
  const labelIds = labels.map((label) => team.labelId(label));
  const { issueCreate } = await change<DemoIssueMutation>(client, CREATE_ISSUE, {
    input: { teamId: team.id, title, description: body, stateId: team.stateId('Icebox'), labelIds },
  });
  if (issueCreate.issue === null) throw refused();
  return issueCreate.issue;
}

export const UPDATE = `mutation DemoChange($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success }
}`;

export async function moveIssue(client: LinearClient, id: string, stateId: string): Promise<void> {
  await change(client, UPDATE, { id, input: { stateId } });
}

export async function putLabel(client: LinearClient, id: string, label: string): Promise<void> {
  await change(client, UPDATE, { id, input: { addedLabelIds: [label] } });
}

export const ADD_COMMENT =
  'mutation DemoComment($input: CommentCreateInput!) { commentCreate(input: $input) { success } }';

export async function addComment(client: LinearClient, issueId: string, body: string): Promise<void> {
  await change(client, ADD_COMMENT, { input: { issueId, body } });
}

async function change<T extends Readonly<Record<string, { readonly success: boolean }>>>(
  client: LinearClient,
  document: string,
  variables: Variables,
): Promise<T> {
  const answer = await client.mutate<T>(document, variables);
  if (Object.values(answer).every(({ success }) => success)) return answer;
  throw refused();
}

function refused(): LegionError {
  return new LegionError('linear.refused', 'Linear has not done what the demo asked, and does not say why');
}
