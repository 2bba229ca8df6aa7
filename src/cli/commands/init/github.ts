/** `legion init` for a board on GitHub: looks at it, offers to make what it lacks, and writes `legion.yaml`. */
import { LEGION_DEFAULTS } from '../../../config/legion/schema.ts';
import type { Status } from '../../../core/model/status.ts';
import { openGithubOf } from '../../../daemon/compose-github.ts';
import type { Github } from '../../../github/open.ts';
import { systemClock } from '../../../lib/async/system-clock.ts';
import { isInteractive } from '../../ask-person.ts';
import { type Columns, compareColumns, refuseTakenColumns, refuseUnknownNames } from '../../columns.ts';
import type { CommandContext } from '../../command.ts';
import { readBoard } from '../../github/board.ts';
import { missingLabels } from '../../github/labels.ts';
import type { ProjectName } from '../../github/project-name.ts';
import { withProgress } from '../../present/progress.ts';
import { findBoardFitness, fitnessPage } from '../setup/init/fitness.ts';
import { type BoardPart, writeWhole } from '../setup/init/write.ts';
import { askColumns, askMakeLabels } from './board-ask.ts';
import { filesFor, stepsAfter } from './board-files.ts';
import type { InitBoardOptions } from './board-ground.ts';
import { comparison, ending, type Made } from './board-page.ts';
import { refuseWithoutAccess } from './github-access.ts';
import { askMakeColumns, askProject, refuseWithoutProject } from './github-ask.ts';
import { findGithubGround, type GithubGround } from './github-ground.ts';
import { finishColumns, makeAllLabels, makeColumns, placedItems, type Site } from './github-make.ts';
import { type GithubCompared, inWords } from './github-page.ts';
import { rememberLegion } from './known-legions.ts';

export async function initGithub(options: InitBoardOptions, context: CommandContext): Promise<undefined> {
  const ground = await findGithubGround(options, context);
  const client = await openGithubOf(ground.config, context.env, systemClock);
  try {
    await setUp(client, ground, options, context);
    return undefined;
  } finally {
    await client.close();
  }
}

async function setUp(
  client: Github,
  ground: GithubGround,
  options: InitBoardOptions,
  context: CommandContext,
): Promise<void> {
  const asks = !options.yes && !options.json && isInteractive(context);
  const project = await projectOf(client, ground, asks, context);
  await withProgress(context, 'looking at what the account may do', () =>
    refuseWithoutAccess(client, ground.repositories, project, context.signal),
  );
  const first = await readBoard(client, project, context.signal);
  const state = ground.state(ground.kept ? ground.config.legion : first.name);
  const site: Site = { client, project, state, context };
  const resumed = await finishColumns(site);
  const compared = await compare(site, ground, asks);
  // Before anything is made: an answer that the file cannot hold leaves nothing behind.
  const files = await filesFor(
    { options, ground, legion: compared.board.name, part: partOf(ground, compared), asks },
    context,
  );
  const words = inWords(compared);
  if (!options.json) context.stdout.write(comparison(words));
  const made = await make(site, compared, options, asks);
  for (const { path, text } of files) writeWhole(path, text);
  rememberLegion(context.env, ground.file);
  const written = files.map(({ path }) => path);
  const whole = { ...made, items: made.items + (resumed ?? 0) };
  const result = data(compared, whole, written, ground);
  const { repository } = ground;
  const fitness = await findBoardFitness(
    { repository, forge: 'github', missingColumns: result.missing.statuses },
    context,
  );
  context.stdout.write(
    options.json
      ? `${JSON.stringify({ ...result, preflight: fitness })}\n`
      : ending({
          ...{ compared: words, made: whole, written, kept: ground.kept },
          steps: stepsAfter(options, ground, context, ' && git push   # they count once on GitHub'),
        }) + fitnessPage(fitness),
  );
}

async function projectOf(
  client: Github,
  { project, repositories, config }: GithubGround,
  asks: boolean,
  context: CommandContext,
): Promise<ProjectName> {
  // First, so that a missing or refused credential is what is said, and not what follows from it.
  await withProgress(context, `asking ${config.github.url}`, () => client.login());
  if (project !== undefined) return project;
  const owner = repositories[0]?.split('/').at(-2) ?? '';
  return asks ? askProject(client, owner, context) : refuseWithoutProject(client, owner, context.signal);
}

async function compare(site: Site, ground: GithubGround, asks: boolean): Promise<GithubCompared> {
  const { client, project, context } = site;
  const { signal } = context;
  const board = await readBoard(client, project, signal);
  const options = board.options.map(({ name }) => name);
  const columns = compareColumns(options, ground.statuses);
  const asked = asks && !ground.kept ? await askColumns(columns, context) : {};
  const labels = await Promise.all(ground.repositories.map((repo) => missingLabels(client, repo, signal)));
  const names = { ...ground.statuses, ...asked };
  const whole = compareColumns(options, names);
  refuseUnknownNames(options, names);
  refuseTakenColumns(options, whole);
  return { board, labels, columns: whole };
}

function partOf({ config }: GithubGround, { columns }: GithubCompared): BoardPart {
  const { url } = config.github;
  const { token } = config.credentials.github;
  return {
    board: {
      backend: 'github',
      ...(url !== LEGION_DEFAULTS.github.url && { github: { url } }),
    } as BoardPart['board'],
    ...{ repos: config.repos, statuses: columns.names, hint: HINT },
    credentials: token === undefined ? {} : { github: { token } },
  };
}

const HINT = `
# Who Legion is on GitHub. Without a token: GH_TOKEN, GITHUB_TOKEN or \`gh auth token\`. With an App for each role, whoever writes the
# code is not who reviews it (docs/github.md):
# credentials:
#   github:
#     token: env:GITHUB_TOKEN
#     impl: { app_id: 1, private_key: "file:~/.config/legion/impl.pem" }
#     review: { app_id: 2, private_key: "file:~/.config/legion/review.pem" }
#   webhooks: { github: "env:LEGION_GITHUB_WEBHOOK_SECRET" }   # docs/webhooks.md
`;

/** Without a person's word, by option or answer, nothing is made. */
async function make(
  site: Site,
  { board, columns, labels }: GithubCompared,
  options: InitBoardOptions,
  asks: boolean,
): Promise<Made> {
  const { context } = site;
  const { createMissing: create = false, rewriteOptions: rewrite = false } = options;
  const count = labels.reduce((sum, { missing }) => sum + missing.length, 0);
  const wantsLabels = count > 0 && (create || (asks && (await askMakeLabels(count, context))));
  const wantsColumns = await wants(site, board, columns, { create, rewrite, asks });
  if (wantsLabels) await makeAllLabels(site, labels);
  const items = wantsColumns ? await makeColumns(site, board, columns) : 0;
  return { labels: wantsLabels ? count : 0, statuses: wantsColumns ? columns.missing : [], items };
}

async function wants(
  site: Site,
  board: GithubCompared['board'],
  { missing }: Columns,
  { create, rewrite, asks }: { create: boolean; rewrite: boolean; asks: boolean },
): Promise<boolean> {
  if (missing.length === 0 || !(create || asks)) return false;
  const placed = await placedItems(site, board);
  if (create && (rewrite || placed === 0)) return true;
  return asks && askMakeColumns(missing, placed, site.context);
}

function data(
  { board, columns, labels }: GithubCompared,
  made: Made,
  written: readonly string[],
  ground: GithubGround,
) {
  const missing: readonly Status[] = made.statuses.length > 0 ? [] : columns.missing;
  return {
    ...{ legion: board.name, board: board.url, file: ground.file, written },
    ...{ repos: ground.repositories, statuses: columns.names, made },
    missing: {
      statuses: missing,
      labels: made.labels > 0 ? [] : labels.filter(({ missing: some }) => some.length > 0),
    },
  };
}
