/**
 * Asks about a GitHub board, checks the account's permissions, describes the board and creates what
 * it lacks.
 */

import { parseRepositoryName } from '../../../../config/legion/schema.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import type { Status } from '../../../../core/model/status.ts';
import { type AccessFinding, checkAccess } from '../../../../integrations/github/client/check-access.ts';
import type { GithubConnection } from '../../../../integrations/github/client/open.ts';
import { askChoice, askText, type PromptChoice } from '../../../ask-person.ts';
import { type ColumnMapping, withMissingColumns } from '../../../columns.ts';
import { findDaemonHealth } from '../../../explain-not-running.ts';
import {
  type BoardSetup,
  describeMissingColumns,
  listOpenProjects,
  makeLabels,
  type ProjectName,
  type RepositoryLabels,
  readBoard,
  readProjectName,
  requireProjectName,
  STATUS_FIELD,
} from '../../../github/board.ts';
import {
  getRewriteNotePath,
  type RewriteContext,
  readAllItemValues,
  recoverInterruptedRewrite,
  rewriteOptions,
} from '../../../github/rewrite-options.ts';
import { withProgress } from '../../../present/terminal.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { askYesNo, type BoardComparison } from './board-ask.ts';

const OTHER_PROJECT = 'another';

export async function askProject(
  client: GithubConnection,
  owner: string,
  context: CommandContext,
): Promise<ProjectName> {
  const open = await listOpenProjects(client, owner, context.signal);
  const choices: readonly PromptChoice<string>[] = [
    ...open.map(({ name, title }) => ({ value: name, label: name, hint: title })),
    { value: OTHER_PROJECT, label: 'Another project', hint: 'by owner and number, or by URL' },
  ];
  const answer =
    open.length === 0
      ? OTHER_PROJECT
      : await askChoice(context, 'Which project has the issues?', choices, open[0]?.name ?? OTHER_PROJECT);
  if (answer !== OTHER_PROJECT) return requireProjectName('the project', answer);
  const hint = 'Enter OWNER/NUMBER, such as acme/3, or the URL of the project.';
  const text = await askText(context, 'Project', `${owner}/1`, (value) =>
    readProjectName(value) === undefined ? hint : undefined,
  );
  return requireProjectName('the project', text);
}

/**
 * Rejects with an error that lists the projects to choose from. Used if there is no person to ask.
 */
export async function refuseWithoutProject(
  client: GithubConnection,
  owner: string,
  signal: AbortSignal,
): Promise<never> {
  const open = await listOpenProjects(client, owner, signal);
  const known =
    open.length === 0
      ? `${owner} has no open project that the account can read.`
      : `Open projects of ${owner}: ${open.map(({ name, title }) => `${name} (${title})`).join(', ')}.`;
  throw new LegionError('usage.invalid', `--project OWNER/NUMBER is required. ${known}`);
}

/**
 * Asks whether to create the missing columns. `placed` is the number of items that would have no
 * column until Legion moves them back.
 */
export async function askMakeColumns(
  missing: readonly Status[],
  placed: number,
  context: CommandContext,
): Promise<boolean> {
  const question = `Create the columns ${missing.join(', ')}`;
  if (placed === 0) return askYesNo(`${question}?`, context);
  const answer = await askChoice(
    context,
    question,
    [
      { value: 'hand', label: 'I will add them in the project’s settings', hint: 'changes nothing else' },
      {
        value: 'rewrite',
        label: `Legion rewrites all options and moves ${placed} items back to their columns`,
        hint: 'about a minute per thousand items; check the project’s workflows afterwards',
      },
    ],
    'hand',
  );
  return answer === 'rewrite';
}

/**
 * Refuses to set up a legion if the GitHub account lacks a permission that Legion needs. `project`
 * is set only if the board is on GitHub too.
 */
export async function refuseWithoutAccess(
  client: GithubConnection,
  repositories: readonly string[],
  project: ProjectName | undefined,
  signal: AbortSignal,
): Promise<void> {
  const wanted = repositories.map(parseRepositoryName).map(({ owner, name }) => ({ owner, repo: name }));
  const findings = await checkAccess(client, { project, repositories: wanted }, signal);
  const missingAccess = findings.filter((finding) => !finding.ok && finding.optional !== true);
  if (missingAccess.length === 0) return;
  // If the project does not exist, `readBoard` throws a more specific error.
  if (project !== undefined && missingAccess.every(({ what }) => what !== 'scopes'))
    await readBoard(client, project, signal);
  throw new LegionError('github.forbidden', missingAccess.map(describeMissingAccess).join('\n'));
}

function describeMissingAccess({ what, why, next }: AccessFinding): string {
  return `${what}: ${why}. ${next ?? ''}`.trimEnd();
}

export interface GithubBoardComparison {
  readonly board: BoardSetup;
  readonly columns: ColumnMapping;
  readonly labels: readonly RepositoryLabels[];
}

/** Describes a GitHub board for `legion init`. */
export function describeGithubBoard({ board, columns, labels }: GithubBoardComparison): BoardComparison {
  return {
    board,
    columns,
    columnWord: 'columns',
    columnHead: `COLUMN (${STATUS_FIELD})`,
    labels: labels.map(({ repo, missing }) => ({ what: `labels of ${repo}`, missing })),
    describeMissing: (missing) => describeMissingColumns(board, missing),
  };
}

export interface GithubSetupContext {
  readonly client: GithubConnection;
  readonly project: ProjectName;
  /** The legion's state directory. */
  readonly state: string;
  readonly context: CommandContext;
}

/** Counts the items that have a column. Sends no request if the board is empty. */
export async function countPlacedItems(
  { client, context }: GithubSetupContext,
  board: BoardSetup,
): Promise<number> {
  return board.items === 0 ? 0 : (await readAllItemValues(client, board, context.signal)).length;
}

/** Adds the missing columns. Resolves to the number of items moved back to their columns. */
export async function createColumns(
  setupContext: GithubSetupContext,
  board: BoardSetup,
  columns: ColumnMapping,
): Promise<number> {
  await refuseRunningDaemon(setupContext, board);
  const wanted = withMissingColumns(
    board.options.map(({ name }) => name),
    columns,
  );
  return runRewrite(setupContext, (rewriting) => rewriteOptions(rewriting, wanted));
}

/**
 * Finishes an interrupted rewrite of the columns. Returns undefined if there is no such rewrite.
 */
export async function recoverColumns(setupContext: GithubSetupContext): Promise<number | undefined> {
  return runRewrite(setupContext, recoverInterruptedRewrite);
}

export async function createAllLabels(
  { client, context }: GithubSetupContext,
  all: readonly RepositoryLabels[],
): Promise<void> {
  await withProgress(context, 'creating labels', async () => {
    for (const labels of all) if (labels.missing.length > 0) await makeLabels(client, labels);
  });
}

async function runRewrite<T>(
  { client, project, state, context }: GithubSetupContext,
  work: (rewriting: RewriteContext) => Promise<T>,
): Promise<T> {
  const { signal } = context;
  let progress = 'writing the columns';
  const rewriting: RewriteContext = {
    client,
    state,
    signal,
    readBoard: () => readBoard(client, project, signal),
    onNoteWritten: (items, path) => {
      const message = `The columns of ${items} items are saved in ${path}. If this is interrupted, run the same command again.`;
      if (items > 0) context.stderr.write(`${message}\n`);
    },
    onProgress: (done, all) => {
      progress = `moving items back to their columns: ${done} of ${all}`;
    },
  };
  try {
    return await withProgress(
      context,
      () => progress,
      () => work(rewriting),
    );
  } catch (error) {
    if (error instanceof LegionError)
      throw new LegionError(
        error.code,
        `${error.message}\nRun the same command again to continue. If ${getRewriteNotePath(state)} exists, it holds the column of each item.`,
        { cause: error },
      );
    throw error;
  }
}

/**
 * Refuses to continue while a daemon is running: the rewrite leaves items without a status for up
 * to a minute, and a daemon must not act on that.
 */
async function refuseRunningDaemon(
  { state, context }: GithubSetupContext,
  { name }: BoardSetup,
): Promise<void> {
  const health = await findDaemonHealth(state, context.signal);
  if (health !== undefined)
    throw new LegionError(
      'daemon.running',
      `The columns of ${name} can be rewritten only while its daemon is stopped, but the daemon is running (pid ${health.pid}).`,
    );
}
