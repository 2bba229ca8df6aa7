/** Every change the tracker asks Linear for. */

/** What a request is called tells which of them it was. */
export function updateIssue(name: 'LegionWrites' | 'LegionMoves' | 'LegionCloses'): string {
  return `
mutation ${name}($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success }
}`;
}

/** The issue, and then what it waits for: of nobody else's requests does one come between. */
export function createIssue(blockers: number): string {
  const { declared, made } = numbered(blockers, 'issueRelationCreate', 'IssueRelationCreateInput');
  return `
mutation LegionCreates(${['$input: IssueCreateInput!', ...declared].join(', ')}) {
  issueCreate(input: $input) { success issue { identifier } }
  ${made.join('\n  ')}
}`;
}

/** Blockers that did not come with their issue. */
export function createRelations(count: number): string {
  const { declared, made } = numbered(count, 'issueRelationCreate', 'IssueRelationCreateInput');
  return `
mutation LegionRelates(${declared.join(', ')}) {
  ${made.join('\n  ')}
}`;
}

export function createLabels(count: number): string {
  const { declared, made } = numbered(count, 'issueLabelCreate', 'IssueLabelCreateInput');
  return `
mutation MakeLabels(${declared.join(', ')}) {
  ${made.join('\n  ')}
}`;
}

export const CREATE_COMMENT = `
mutation LegionComments($input: CommentCreateInput!) {
  commentCreate(input: $input) { success }
}`;

export const CREATE_ATTACHMENT = `
mutation LegionAttaches($input: AttachmentCreateInput!) {
  attachmentCreate(input: $input) { success }
}`;

/** The inputs of `count` mutations, as `$s0`, `$s1` and so on. */
export function inputsOf(inputs: readonly object[]): Readonly<Record<string, object>> {
  return Object.fromEntries(inputs.map((input, index) => [`s${index}`, input]));
}

function numbered(count: number, mutation: string, input: string) {
  const numbers = Array.from({ length: count }, (_, index) => index);
  return {
    declared: numbers.map((number) => `$s${number}: ${input}!`),
    made: numbers.map((number) => `s${number}: ${mutation}(input: $s${number}) { success }`),
  };
}
