/** Changes in a repository, and the commands and prompts that it configures. */
import { z } from 'zod';

/**
 * Kinds of file change. `conflicted`: the file has an unresolved conflict, because a merge is in
 * progress in the workspace.
 */
const FILE_CHANGES = ['added', 'changed', 'deleted', 'renamed', 'retyped', 'conflicted'] as const;

export const diffSchema = z.object({
  /**
   * The pull request if it exists and its commits are available locally, otherwise the workspace.
   */
  of: z.enum(['pull_request', 'workspace', 'nothing']),
  /** One sentence on what is shown, or on why there is nothing to show. */
  says: z.string(),
  /**
   * Commit ids. `head` is empty for a workspace, because a workspace may contain uncommitted
   * changes.
   */
  base: z.string(),
  head: z.string(),
  /** True if files or lines beyond the limit were left out. */
  truncated: z.boolean(),
  files: z.array(
    z.object({
      path: z.string(),
      /** The path before a rename. */
      from: z.string().optional(),
      change: z.enum(FILE_CHANGES),
      /** Null for a binary file. */
      additions: z.int().nullable(),
      deletions: z.int().nullable(),
      /** Unified diff without the file header. Empty for a binary file. */
      patch: z.string(),
      /** True if the patch is incomplete or was left out. */
      cut: z.boolean(),
    }),
  ),
});
export type IssueDiff = z.output<typeof diffSchema>;

/**
 * The commands and prompts of a repository. They take effect only after the operator has seen them.
 */
export const repositoryCommandsSchema = z.object({
  repo: z.string(),
  fingerprint: z.string(),
  approved: z.boolean(),
  commands: z.record(z.string(), z.array(z.string())),
  /** Each prompt is keyed by the name of the template that it replaces. */
  prompts: z.record(z.string(), z.string()),
});
export type RepositoryCommands = z.output<typeof repositoryCommandsSchema>;
