/** `legion init` for a board on GitHub: looks at it, offers to make what it lacks, and writes `legion.yaml`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openGithubOf } from '../../../daemon/compose-github.ts';
import { systemClock } from '../../../daemon/system-clock.ts';
import { LegionError } from '../../../domain/fault.ts';
import type { Status } from '../../../domain/status.ts';
import { checkAccess } from '../../../github/check-access.ts';
import type { Finding } from '../../../github/finding.ts';
import type { Github } from '../../../github/open.ts';
import { isInteractive } from '../../ask-person.ts';
import type { CommandContext } from '../../command.ts';
import { readBoard } from '../../github/board.ts';
import { type Columns, compareColumns, refuseMisnamed } from '../../github/columns.ts';
import { missingLabels } from '../../github/labels.ts';
import type { ProjectName } from '../../github/project-name.ts';
import { withProgress } from '../../present/progress.ts';
import { REPOSITORY_FILE } from '../../repository-at.ts';
import { answersFrom, isGiven } from './answers.ts';
import { askWork } from './ask.ts';
import { askColumns, askMakeColumns, askMakeLabels, askProject, refuseWithoutProject } from './github-ask.ts';
import { findGithubGround, type GithubGround, type InitGithubOptions } from './github-ground.ts';
import { finishColumns, makeAllLabels, makeColumns, placedItems, type Site } from './github-make.ts';
import { type Compared, comparison, ending, type Made } from './github-page.ts';
import { commandsFile, githubFileText, writeWhole } from './write.ts';

export async function initGithub(options: InitGithubOptions, context: CommandContext): Promise<undefined> {
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
  options: InitGithubOptions,
  context: CommandContext,
): Promise<void> {
  const asks = !options.yes && !options.json && isInteractive(context);
  const project = await projectOf(client, ground, asks, context);
  await withProgress(context, 'looking at what the account may do', () =>
    refuseWithoutAccess(client, project, ground.repositories, context.signal),
  );
  const first = await readBoard(client, project, context.signal);
  const state = ground.state(ground.kept ? ground.config.legion : first.name);
  const site: Site = { client, project, state, context };
  const resumed = await finishColumns(site);
  const compared = await compare(site, ground, asks);
  // Before anything is made: an answer that the file cannot hold leaves nothing behind.
  const files = await filesFor(options, ground, compared, asks, context);
  if (!options.json) context.stdout.write(comparison(compared));
  const made = await make(site, compared, options, asks);
  for (const { path, text } of files) writeWhole(path, text);
  const written = files.map(({ path }) => path);
  const whole = { ...made, items: made.items + (resumed ?? 0) };
  context.stdout.write(
    options.json
      ? `${JSON.stringify(data(compared, whole, written, ground))}\n`
      : ending({
          ...{ compared, made: whole, written, kept: ground.kept },
          steps: stepsAfter(options, ground, context),
        }),
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

async function refuseWithoutAccess(
  client: Github,
  project: ProjectName,
  repositories: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const wanted = repositories.map((name) => {
    const [repo = '', owner = ''] = name.split('/').toReversed();
    return { owner, repo };
  });
  const findings = await checkAccess(client, { project, repositories: wanted }, signal);
  const lacking = findings.filter((finding) => !finding.ok && finding.optional !== true);
  if (lacking.length === 0) return;
  // A project or repository that is not there has a fault of its own.
  if (lacking.every(({ what }) => what !== 'scopes')) await readBoard(client, project, signal);
  throw new LegionError('github.forbidden', lacking.map(inWords).join('\n'));
}

function inWords({ what, why, next }: Finding): string {
  return `${what}: ${why}. ${next ?? ''}`.trimEnd();
}

async function compare(site: Site, ground: GithubGround, asks: boolean): Promise<Compared> {
  const { client, project, context } = site;
  const { signal } = context;
  const board = await readBoard(client, project, signal);
  const options = board.options.map(({ name }) => name);
  const columns = compareColumns(options, ground.statuses);
  const asked = asks && !ground.kept ? await askColumns(columns, context) : {};
  const labels = await Promise.all(ground.repositories.map((repo) => missingLabels(client, repo, signal)));
  const names = { ...ground.statuses, ...asked };
  const whole = compareColumns(options, names);
  refuseMisnamed(options, names, whole);
  return { board, labels, columns: whole };
}

const WORK_OPTIONS = ['agent', 'workers', 'approvals-architect', 'approvals-merge'] as const;

async function filesFor(
  options: InitGithubOptions,
  ground: GithubGround,
  { board, columns }: Compared,
  asks: boolean,
  context: CommandContext,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const { repository, file, kept, config } = ground;
  const usual = answersFrom({ ...options, backend: 'github', legion: board.name }, repository);
  const asksWork = asks && !kept && !WORK_OPTIONS.some((option) => isGiven(options[option]));
  const answers = asksWork ? { ...usual, ...(await askWork(usual, context)) } : usual;
  const commands = join(repository.path, REPOSITORY_FILE);
  if (options.commands && existsSync(commands) && !options.force)
    throw new LegionError('init.exists', `${commands} is there already`);
  return [
    ...(kept
      ? []
      : [{ path: file, text: githubFileText(answers, { config, statuses: columns.names }, file) }]),
    ...(options.commands ? [{ path: commands, text: commandsFile(repository.commands, commands) }] : []),
  ];
}

/** Without a person's word, by option or answer, nothing is made. */
async function make(
  site: Site,
  { board, columns, labels }: Compared,
  options: InitGithubOptions,
  asks: boolean,
): Promise<Made> {
  const { context } = site;
  const { 'create-missing': create, 'rewrite-options': rewrite } = options;
  const count = labels.reduce((sum, { missing }) => sum + missing.length, 0);
  const wantsLabels = count > 0 && (create || (asks && (await askMakeLabels(count, context))));
  const wantsColumns = await wants(site, board, columns, { create, rewrite, asks });
  if (wantsLabels) await makeAllLabels(site, labels);
  const items = wantsColumns ? await makeColumns(site, board, columns) : 0;
  return { labels: wantsLabels ? count : 0, statuses: wantsColumns ? columns.missing : [], items };
}

async function wants(
  site: Site,
  board: Compared['board'],
  { missing }: Columns,
  { create, rewrite, asks }: { create: boolean; rewrite: boolean; asks: boolean },
): Promise<boolean> {
  if (missing.length === 0 || !(create || asks)) return false;
  const placed = await placedItems(site, board);
  if (create && (rewrite || placed === 0)) return true;
  return asks && askMakeColumns(missing, placed, site.context);
}

function data(
  { board, columns, labels }: Compared,
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

function stepsAfter(
  { commands }: InitGithubOptions,
  { repository }: GithubGround,
  { cwd }: CommandContext,
): readonly string[] {
  return [
    ...(repository.path === cwd ? [] : [`cd ${repository.path}`]),
    ...(commands
      ? [
          `git add ${REPOSITORY_FILE} && git commit -m "Commands for Legion" && git push   # they count once on GitHub`,
        ]
      : []),
    'legion doctor',
    'legion up',
    ...(commands ? ['legion approve --commands'] : []),
    'legion watch',
  ];
}
