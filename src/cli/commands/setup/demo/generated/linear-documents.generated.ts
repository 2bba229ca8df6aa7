/** Written by `npm run graphql:types` from the GraphQL documents and the schema of the service. */

export type DemoShownQuery = { readonly issues: { readonly nodes: ReadonlyArray<{ readonly identifier: string, readonly state: { readonly name: string, readonly type: string }, readonly comments: { readonly nodes: ReadonlyArray<{ readonly body: string }> }, readonly attachments: { readonly nodes: ReadonlyArray<{ readonly url: string }> } }> } };

export type DemoCommentMutation = { readonly commentCreate: { readonly success: boolean } };

export type DemoIssueMutation = { readonly issueCreate: { readonly success: boolean, readonly issue: { readonly id: string, readonly identifier: string } | null } };

export type DemoOpenIssuesQuery = { readonly issues: { readonly nodes: ReadonlyArray<{ readonly identifier: string }> } };

export type DemoChangeMutation = { readonly issueUpdate: { readonly success: boolean } };
