/** Makes on GitHub what a board lacks, as far as somebody has agreed to it. */
import { LegionError } from '../../../core/model/fault.ts';
import type { Github } from '../../../github/open.ts';
import { type Columns, withMissing } from '../../columns.ts';
import type { CommandContext } from '../../command.ts';
import { type BoardSetup, readBoard } from '../../github/board.ts';
import { allValues } from '../../github/item-values.ts';
import { makeLabels, type RepositoryLabels } from '../../github/labels.ts';
import type { ProjectName } from '../../github/project-name.ts';
import { notePath } from '../../github/rewrite-note.ts';
import { finishRewriting, type Rewriting, rewriteOptions } from '../../github/rewrite-options.ts';
import { healthOf } from '../../health-of.ts';
import { withProgress } from '../../present/progress.ts';

export interface Site {
  readonly client: Github;
  readonly project: ProjectName;
  /** The legion's state folder. */
  readonly state: string;
  readonly context: CommandContext;
}

/** How many items stand in a column; nobody is asked where there can be none. */
export async function placedItems({ client, context }: Site, board: BoardSetup): Promise<number> {
  return board.items === 0 ? 0 : (await allValues(client, board, context.signal)).length;
}

export async function makeColumns(site: Site, board: BoardSetup, columns: Columns): Promise<number> {
  await refuseRunning(site, board);
  const wanted = withMissing(
    board.options.map(({ name }) => name),
    columns,
  );
  return shown(site, (rewriting) => rewriteOptions(rewriting, wanted));
}

/** Finishes what was interrupted; undefined where nothing was. */
export async function finishColumns(site: Site): Promise<number | undefined> {
  return shown(site, finishRewriting);
}

export async function makeAllLabels(
  { client, context }: Site,
  all: readonly RepositoryLabels[],
): Promise<void> {
  await withProgress(context, 'making labels', async () => {
    for (const labels of all) if (labels.missing.length > 0) await makeLabels(client, labels);
  });
}

async function shown<T>(
  { client, project, state, context }: Site,
  work: (rewriting: Rewriting) => Promise<T>,
): Promise<T> {
  const { signal } = context;
  let says = 'writing the columns';
  const rewriting: Rewriting = {
    ...{ client, state, signal },
    board: () => readBoard(client, project, signal),
    noted: (items, path) => {
      const says = `Which column each item is in (${items} of them) is noted in ${path}. If this is interrupted, run the same command again.`;
      if (items > 0) context.stderr.write(`${says}\n`);
    },
    progress: (done, all) => {
      says = `putting items back into their columns: ${done} of ${all}`;
    },
  };
  try {
    return await withProgress(
      context,
      () => says,
      () => work(rewriting),
    );
  } catch (error) {
    if (error instanceof LegionError)
      throw new LegionError(
        error.code,
        `${error.message}\nWhere each item was is in ${notePath(state)}, if that is there: run the same command again to go on.`,
        { cause: error },
      );
    throw error;
  }
}

/** For a minute no item would have a status: a daemon should not decide by that. */
async function refuseRunning({ state, context }: Site, { name }: BoardSetup): Promise<void> {
  const health = await healthOf(state, context.signal);
  if (health !== undefined)
    throw new LegionError(
      'daemon.running',
      `${name} is led by pid ${health.pid}; its columns are written only while no daemon looks at them`,
    );
}
