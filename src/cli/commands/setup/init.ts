/** `legion init`: writes a first `legion.yaml` into a git repository, and what to do next. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import type { Environment } from '../../../domain/environment.ts';
import { isInteractive } from '../../ask-person.ts';
import type { CommandContext } from '../../command.ts';
import { findOptionalPlace, LEGION_FILE } from '../../legion-location.ts';
import { heading, paragraph } from '../../present/page.ts';
import { printJson, printPage } from '../../present/print.ts';
import { defineCommand } from '../../program/define-command.ts';
import { addJsonOption, examples } from '../../program/options.ts';
import { REPOSITORY_FILE } from '../../repository-at.ts';
import { type Answers, addInitOptions, answersFrom, type InitOptions, isGiven } from '../init/answers.ts';
import { askBackend, askEverything } from '../init/ask.ts';
import type { InitBoardOptions } from '../init/board-ground.ts';
import { chooseAgent, requireAnyAgent } from '../init/choose-agent.ts';
import { choosePort } from '../init/choose-port.ts';
import { readKnownLegions, rememberLegion } from '../init/known-legions.ts';
import { type FoundRepository, findRepository } from '../init/repository.ts';
import { planRepositoryFile } from '../init/repository-file.ts';
import { addBoardOptions, type Backend, backendOf } from './init/board-options.ts';
import { findFitness, fitnessPage } from './init/fitness.ts';
import { legionFileText, writeWhole } from './init/write.ts';

export const init = defineCommand(
  () =>
    addJsonOption(
      addBoardOptions(
        addInitOptions(
          new Command().description(
            'Write legion.yaml into this git repository. At a terminal and without options it asks; otherwise options and defaults answer. Existing files are kept unless you give --force.',
          ),
        ),
      )
        .option('--yes', 'Do not ask; use the defaults for what is not given')
        .option('--force', 'Overwrite existing files'),
    ).addHelpText(
      'after',
      examples(
        'legion init',
        'legion init -b github --project acme/3 --yes',
        'legion init -b linear --team SHOP',
      ),
    ),
  async ({ options }, context) => {
    const { force = false, json = false, yes = false, ...given } = options;
    const nothingGiven = !Object.values(given).some(isGiven);
    const asks = nothingGiven && !yes && !json && isInteractive(context);
    if (asks) await requireAnyAgent(context);
    const backend = asks ? await askBackend(context) : backendGiven(options, context);
    if (backend === 'github') return (await import('../init/github.ts')).initGithub(options, context);
    if (backend === 'linear') return (await import('../init/linear.ts')).initLinear(options, context);
    const found = await findRepository(context, given.base);
    const file = join(found.path, LEGION_FILE);
    const repository = { ...found, name: unusedName(found.name, file, context.env) };
    // Looked at before the questions: nobody answers six of them to be refused.
    if (!force && existsSync(file) && !onlyCommands(given)) {
      throw new LegionError('init.exists', `${file} is there already`);
    }
    const writesLegion = force || !existsSync(file);
    const usual = answersFrom(given, repository);
    const agent = writesLegion ? await chooseAgent(usual.agent, asks, context) : undefined;
    const answers = { ...(asks ? await askEverything(repository, context) : usual), agent: agent?.kind };
    const port = answers.port ?? (await choosePort(file, context.env));
    const plan = planRepositoryFile(writesLegion ? answers : onlyTheCommands(answers), repository, force);
    const files = [
      ...(writesLegion ? [{ path: file, text: legionFileText({ ...answers, port }, file) }] : []),
      ...(plan.file === undefined ? [] : [plan.file]),
    ];
    for (const { path, text } of files) writeWhole(path, text);
    const written = files.map(({ path }) => path);
    rememberLegion(context.env, file);
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
    else printPage(context, page({ written, answers, repository, notes }, context) + fitnessPage(fitness));
    return undefined;
  },
);

/** Two legions of one name would share their state: a second repository named `app` becomes `app-2`. */
function unusedName(name: string, file: string, env: Environment): string {
  const others = readKnownLegions(env).filter((known) => known.file !== file);
  const used = new Set(others.map(({ legion }) => legion));
  let unused = name;
  for (let count = 2; used.has(unused); count += 1) unused = `${name}-${count}`;
  return unused;
}

/** Options that would do for either are about the board that the file is about, or else about GitHub. */
function backendGiven(options: InitBoardOptions, context: CommandContext): Backend {
  const backend = backendOf(options);
  if (backend !== 'either') return backend ?? 'local';
  const isBegun = options.createMissing === true && options.force !== true;
  return isBegun && findOptionalPlace(context, {}).resolved.config.backend === 'linear' ? 'linear' : 'github';
}

/** What a legion that has begun may still want: the commands that were found. */
function onlyCommands({ commands, ...others }: InitOptions): boolean {
  return commands === true && !Object.values(others).some(isGiven);
}

/** A legion that has begun keeps what its own file says about merging. */
function onlyTheCommands(answers: Answers): Answers {
  return { ...answers, approvals: { ...answers.approvals, merge: 'required' } };
}

interface InitOutcome {
  readonly written: readonly string[];
  readonly answers: Answers;
  readonly repository: FoundRepository;
  readonly notes: readonly (string | undefined)[];
}

function page({ written, answers, repository, notes }: InitOutcome, { cwd }: CommandContext): string {
  const { legion, commands } = answers;
  const names = Object.keys(repository.commands);
  const proposal =
    names.length > 0 && !commands
      ? [`(found ${names.join(', ')} commands; \`legion init --commands\` writes them to ${REPOSITORY_FILE})`]
      : [];
  const there = repository.path === cwd ? [] : [`cd ${repository.path}`];
  const isToCommit = written.some((path) => path.endsWith(REPOSITORY_FILE));
  const steps = [
    ...there,
    ...(isToCommit
      ? [
          `git add ${REPOSITORY_FILE} && git commit -m "Commands for Legion"   # they count once on ${repository.base}`,
        ]
      : []),
    'legion up',
    ...(commands ? ['legion approve --commands'] : []),
    'legion issue add "What is to be done" --body "…"',
    'legion watch',
  ];
  return [
    heading(
      written.length > 1 || !commands
        ? `${legion} is ready to begin on ${repository.base}`
        : 'The commands of this repository',
    ),
    ...written.map((path) => paragraph(`wrote ${path}`)),
    paragraph(
      `Merges advance ${repository.base} in this checkout, never over uncommitted changes to the same files.`,
    ),
    ...[...notes.filter((note) => note !== undefined), ...proposal].map(paragraph),
    '\n',
    heading('Next'),
    ...steps.map((step) => paragraph(`  ${step}`)),
  ].join('');
}
