/** The form of what GitHub answers about one issue, item or comment, as its own schema has it. */
import { z } from 'zod';
import { isGithubNumber } from '../../github/number-range.ts';

const name = z.string().min(1);
const number = z.number().refine(isGithubNumber, 'is not the number of an issue');

/** GitHub's schema allows a list, and each of its entries, to be null. */
function nodesOf<T>(entry: z.ZodType<T>) {
  return z.array(entry.nullable()).nullable();
}

const actor = z.object({ __typename: z.string(), login: z.string() }).nullable();
const repository = z.object({ id: name, name, owner: z.object({ login: name }) });

export const labelsAnswer = z
  .object({
    nodes: nodesOf(z.object({ id: name, name: z.string() })),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  })
  .nullable();

/** Times are texts: one that is no time is put right and reported. Comments are read one by one. */
export const issueAnswer = z.looseObject({
  id: name,
  fullDatabaseId: z.coerce.string().nullable(),
  number,
  title: z.string(),
  body: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  closedAt: z.string().nullable(),
  authorAssociation: z.string(),
  author: actor,
  repository,
  labels: labelsAnswer,
  parent: z.object({ number, repository }).nullable(),
  reopened: z.object({ nodes: nodesOf(z.object({ createdAt: z.string() })) }),
  comments: z.object({ totalCount: z.number(), nodes: nodesOf(z.unknown()) }),
});

export const commentAnswer = z.looseObject({
  id: name,
  fullDatabaseId: z.coerce.string().nullable(),
  createdAt: z.string(),
  body: z.string(),
  authorAssociation: z.string(),
  author: actor,
});

/** An issue that Legion may have made. */
export const madeAnswer = z.object({
  id: name,
  number,
  body: z.string(),
  updatedAt: z.string(),
  author: actor,
  repository,
});

const value = z.object({ optionId: z.string().nullish(), updatedAt: z.string().optional() }).nullable();

/** Whatever else comes with it, such as its issue, is read apart. */
export const itemAnswer = z.looseObject({
  id: name,
  isArchived: z.boolean(),
  type: z.string(),
  createdAt: z.string(),
  status: value,
  priority: value,
});

/** How an issue was last closed. */
export const closedAnswer = z.object({
  nodes: nodesOf(z.object({ actor, closer: z.object({ __typename: z.string() }).nullable() })),
});

/** Absent where the node is no issue any more. Comments are read one by one. */
export const commentsPage = z.object({
  projectItems: z
    .object({ nodes: nodesOf(z.object({ isArchived: z.boolean(), project: z.object({ id: name }) })) })
    .optional(),
  comments: z
    .object({
      pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullable() }),
      nodes: nodesOf(z.unknown()),
    })
    .optional(),
});

/** A blocker, of which only is asked whether it has ended. */
export const blockerAnswer = z
  .object({
    id: name.optional(),
    closed: z.boolean().optional(),
    projectItems: z
      .object({
        nodes: nodesOf(
          z.object({
            isArchived: z.boolean(),
            project: z.object({ id: name }),
            status: z.object({ name: z.string().nullish() }).nullable(),
          }),
        ),
      })
      .optional(),
  })
  .nullish();
