/** `legion init`: writes the first `legion.yaml` of a git repository and lists the next steps. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { EnvironmentVariables } from '../../../core/model/environment.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { isInteractive } from '../../ask-person.ts';
import { choosePort, readKnownLegions, recordLegion } from '../../known-legions.ts';
import { findOptionalLocation, LEGION_FILE } from '../../legion-location.ts';
import { printJson, printPage, renderHeading, renderParagraph } from '../../present/page.ts';
import {
  addJsonOption,
  type CommandContext,
  defineCommand,
  renderExamples,
} from '../../program/define-command.ts';
import { REPOSITORY_FILE } from '../../repository-at.ts';
import {
  addInitOptions,
  askBackend,
  askEverything,
  buildInitAnswers,
  type InitAnswers,
  type InitOptions,
} from './init/answers.ts';
import type { InitBoardOptions } from './init/board-files.ts';
import { addBoardOptions, type BoardBackend, isGiven, parseBackend } from './init/board-options.ts';
import { chooseAgent, requireAnyAgent } from './init/choose-agent.ts';
import { findFitness, renderFitness } from './init/fitness.ts';
import { type FoundRepository, findRepository } from './init/repository.ts';
import { planRepositoryFile, renderLegionFile, writeConfigFile } from './init/write.ts';

export const init = defineCommand(
  () =>
    addJsonOption(
      addBoardOptions(
        addInitOptions(
          new Command().description(
            'Set up a legion in this git repository by writing legion.yaml. At a terminal and without options, you are asked for the settings; otherwise options and defaults apply. Existing files are kept unless you use --force.',
          ),
        ),
      )
        .option('--yes', 'Do not ask; use defaults for all other settings')
        .option('--force', 'Overwrite existing files'),
    ).addHelpText(
      'after',
      renderExamples(
        'legion init',
        'legion init -b github --project acme/3 --yes',
        'legion init -b linear --team SHOP',
      ),
    ),
  async ({ options }, context) => {
    const { force = false, json = false, yes = false, ...settings } = options;
    const hasNoSettings = !Object.values(settings).some(isGiven);
    const asks = hasNoSettings && !yes && !json && isInteractive(context);
    if (asks) await requireAnyAgent(context);
    const backend = asks ? await askBackend(context) : chooseBackend(options, context);
    if (backend === 'github') return (await import('./init/github.ts')).initGithub(options, context);
    if (backend === 'linear') return (await import('./init/linear.ts')).initLinear(options, context);
    const detected = await findRepository(context, settings.base);
    const file = join(detected.path, LEGION_FILE);
    const repository = { ...detected, name: chooseLegionName(detected.name, file, context.env) };
    // Checked before the first question, so that a person does not answer six questions only to get
    // an error.
    if (!force && existsSync(file) && !isCommandsOnly(settings)) {
      throw new LegionError('init.exists', `${file} already exists.`);
    }
    const writesLegion = force || !existsSync(file);
    const defaults = buildInitAnswers(settings, repository);
    const agent = writesLegion ? await chooseAgent(defaults.agent, asks, context) : undefined;
    const answers = { ...(asks ? await askEverything(repository, context) : defaults), agent: agent?.kind };
    const port = answers.port ?? (await choosePort(file, context.env));
    const plan = planRepositoryFile(writesLegion ? answers : omitMergeSetting(answers), repository, force);
    const files = [
      ...(writesLegion ? [{ path: file, text: renderLegionFile({ ...answers, port }, file) }] : []),
      ...(plan.file === undefined ? [] : [plan.file]),
    ];
    for (const { path, text } of files) writeConfigFile(path, text);
    const written = files.map(({ path }) => path);
    recordLegion(context.env, file);
    const fitness = await findFitness(repository, context);
    const data = {
      legion: answers.legion,
      agent: answers.agent,
      file,
      base: repository.base,
      written,
      commands: repository.commands,
      ...fitness,
    };
    const notes = [agent?.note, plan.advice];
    if (json) printJson(context, data);
    else
      printPage(
        context,
        renderInitPage({ written, answers, repository, notes }, context) + renderFitness(fitness),
      );
    return undefined;
  },
);

/**
 * Returns a name that no other legion has, because legions of the same name would share one state
 * directory. A second repository named `app` becomes `app-2`.
 */
function chooseLegionName(name: string, file: string, env: EnvironmentVariables): string {
  const others = readKnownLegions(env).filter((known) => known.file !== file);
  const used = new Set(others.map(({ legion }) => legion));
  let unused = name;
  for (let count = 2; used.has(unused); count += 1) unused = `${name}-${count}`;
  return unused;
}

/**
 * Chooses the board's service. Options that fit both services apply to the service of an existing
 * file if there is one, otherwise to GitHub.
 */
function chooseBackend(options: InitBoardOptions, context: CommandContext): BoardBackend {
  const backend = parseBackend(options);
  if (backend !== 'either') return backend ?? 'local';
  const isBegun = options.createMissing === true && options.force !== true;
  return isBegun && findOptionalLocation(context, {}).resolved.config.backend === 'linear'
    ? 'linear'
    : 'github';
}

/** Returns true if `--commands` is the only option. It is allowed for an existing legion. */
function isCommandsOnly({ commands, ...others }: InitOptions): boolean {
  return commands === true && !Object.values(others).some(isGiven);
}

/** Leaves out auto-merge, because an existing legion keeps its own merge setting. */
function omitMergeSetting(answers: InitAnswers): InitAnswers {
  return { ...answers, approvals: { ...answers.approvals, merge: 'required' } };
}

interface InitOutcome {
  readonly written: readonly string[];
  readonly answers: InitAnswers;
  readonly repository: FoundRepository;
  readonly notes: readonly (string | undefined)[];
}

function renderInitPage(
  { written, answers, repository, notes }: InitOutcome,
  { cwd }: CommandContext,
): string {
  const { legion, commands } = answers;
  const names = Object.keys(repository.commands);
  const proposal =
    names.length > 0 && !commands
      ? [
          `Found commands: ${names.join(', ')}. Run \`legion init --commands\` to write them to ${REPOSITORY_FILE}.`,
        ]
      : [];
  const changeFolder = repository.path === cwd ? [] : [`cd ${repository.path}`];
  const isToCommit = written.some((path) => path.endsWith(REPOSITORY_FILE));
  const steps = [
    ...changeFolder,
    ...(isToCommit
      ? [
          `git add ${REPOSITORY_FILE} && git commit -m "Commands for Legion"   # takes effect once it is on ${repository.base}`,
        ]
      : []),
    'legion up',
    ...(commands ? ['legion approve --commands'] : []),
    'legion issue add "What to do" --body "…"',
    'legion watch',
  ];
  return [
    renderHeading(
      written.length > 1 || !commands
        ? `${legion} is ready to work on ${repository.base}`
        : 'Commands of this repository',
    ),
    ...written.map((path) => renderParagraph(`wrote ${path}`)),
    renderParagraph(
      `Merges update ${repository.base} in this checkout, but never overwrite uncommitted changes.`,
    ),
    ...[...notes.filter((note) => note !== undefined), ...proposal].map(renderParagraph),
    '\n',
    renderHeading('Next'),
    ...steps.map((step) => renderParagraph(`  ${step}`)),
  ].join('');
}
