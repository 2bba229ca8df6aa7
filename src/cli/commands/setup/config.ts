/** `legion config check`: whether the configuration is right, and where each value comes from. */

import { isDeepStrictEqual } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import { parse } from 'yaml';
import { sourceText } from '../../../config/legion/source.ts';
import { writeConfig } from '../../../config/legion/write.ts';
import { faultOf } from '../../../config/problem.ts';
import { PROMPTS_FOLDER } from '../../../config/repository/prompt-files.ts';
import type { RepositoryConfig } from '../../../config/repository/schema.ts';
import { type Fault, LegionError, type Result } from '../../../core/model/fault.ts';
import type { CommandGroup } from '../../command.ts';
import { findPlace, type Place } from '../../legion-location.ts';
import { fields, heading, paragraph, section } from '../../present/page.ts';
import { printJson, printPage } from '../../present/print.ts';
import { table } from '../../present/table.ts';
import { terminalColumns } from '../../present/terminal-columns.ts';
import { defineCommand } from '../../program/define-command.ts';
import { addJsonOption, addPlaceOptions, examples } from '../../program/options.ts';
import { REPOSITORY_FILE, type RepositoryAt, repositoryAt } from '../../repository-at.ts';
import { commandText } from '../../repository-commands.ts';

interface Value {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
}

const check = defineCommand(
  () =>
    addPlaceOptions(
      addJsonOption(
        new Command()
          .description(
            'Check legion.yaml, .legion/config.yml and .legion/prompts, and show each value with its source. Exits with 1 if something is wrong.',
          )
          .option('--set', 'Show only values that somebody has set')
          .addHelpText('after', examples('legion config check --set')),
      ),
    ),
  async ({ options }, context) => {
    const place = findPlace(context, options);
    const values = valuesIn(place).filter(({ source }) => options.set !== true || source !== 'default');
    const repository = isCloned(place) ? undefined : await attempted(() => repositoryAt(place, context.env));
    const problems = problemsIn(repository);
    if (options.json === true)
      printJson(context, {
        file: place.file.named ? place.file.path : null,
        values,
        repository: repository?.ok === true ? repositoryData(repository.value) : null,
        problems,
      });
    else printPage(context, page({ place, values, repository, problems }, terminalColumns(context.stdout)));
    return problems.length > 0 ? 1 : undefined;
  },
);

export const config: CommandGroup = {
  description: 'Check the configuration.',
  members: {
    check: {
      summary: 'Check the configuration and show where each value comes from',
      load: async () => check,
    },
  },
};

interface ConfigReport {
  readonly place: Place;
  readonly values: readonly Value[];
  readonly repository: Result<RepositoryAt> | undefined;
  readonly problems: readonly Fault[];
}

/** As a file would have it: durations and sizes with their units. */
function valuesIn({ resolved }: Place): readonly Value[] {
  const written: unknown = parse(writeConfig(resolved.config));
  return [...resolved.sources]
    .map(([key, source]) => ({ key, value: valueAt(written, key.split('.')), source: sourceText(source) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    data,
  );
}

async function attempted<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof LegionError) return { ok: false, fault: error.fault };
    throw error;
  }
}

/** Then the daemon's own clone counts, and whatever lies in this folder does not. */
function isCloned({ resolved }: Place): boolean {
  const { forge, repos } = resolved.config;
  return forge === 'github' && repos.length > 0 && repos[0]?.path === undefined;
}

function problemsIn(repository: Result<RepositoryAt> | undefined): readonly Fault[] {
  if (repository === undefined) return [];
  if (!repository.ok) return [repository.fault];
  const { inForce, inFolder, approved, prompts } = repository.value;
  const ofPrompts = [prompts.inForce, prompts.inFolder].flatMap(({ problems }) =>
    problems.length === 0 ? [] : [faultOf(problems)],
  );
  const faults = [
    ...[inForce, inFolder, approved].flatMap((result) => (result.ok ? [] : [result.fault])),
    ...ofPrompts,
  ];
  return faults.filter(
    (fault, index) => faults.findIndex(({ message }) => message === fault.message) === index,
  );
}

function repositoryData(repository: RepositoryAt) {
  const { path, name, base, inForce, inFolder, approved, prompts, promptsApproved } = repository;
  return {
    ...{ path, name, base },
    commands: inForce.ok ? inForce.value.commands : null,
    approved: approved.ok && approved.value,
    /** The file that lies in the folder says the same as the base branch. */
    committed: inForce.ok && inFolder.ok && isDeepStrictEqual(inForce.value, inFolder.value),
    prompts: {
      names: Object.keys(prompts.inForce.texts),
      approved: promptsApproved.ok && promptsApproved.value,
      committed: isDeepStrictEqual(prompts.inForce.texts, prompts.inFolder.texts),
    },
  };
}

function page({ place: { file }, values, repository, problems }: ConfigReport, columns: number): string {
  const rows = values.map(({ key, value, source }) => [
    key,
    value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value),
    source,
  ]);
  return [
    heading(file.named ? file.path : 'No legion.yaml: everything else has its default.'),
    table(['KEY', 'VALUE', 'SOURCE'], rows, columns),
    repository?.ok === true
      ? section(`Repository ${repository.value.path}`, repositoryText(repository.value))
      : '',
    section(
      'Wrong',
      problems.map(({ code, message, next }) => paragraph(`${message} [${code}]\n${next}`)).join('\n'),
    ),
  ].join('');
}

function repositoryText(repository: RepositoryAt): string {
  const { inForce } = repository;
  const { name, base, approved, committed, prompts } = repositoryData(repository);
  const commands = inForce.ok ? commandsOf(inForce.value) : [];
  const state = (isApproved: boolean) =>
    isApproved ? 'approved' : 'not approved: legion approve --commands';
  const uncommitted = (what: string) =>
    `${what} in the folder is not the one of ${base}, which counts: commit it there`;
  const notes = [
    ...(committed ? [] : [uncommitted(REPOSITORY_FILE)]),
    ...(prompts.committed ? [] : [uncommitted(PROMPTS_FOLDER)]),
  ];
  return fields([
    ['name', name],
    ['base', base],
    ['commands', commands.length === 0 ? 'none' : state(approved)],
    ...commands,
    ['prompts', prompts.names.length === 0 ? undefined : state(prompts.approved)],
    ...prompts.names.map((prompt) => [`  ${prompt}`, `${PROMPTS_FOLDER}/${prompt}.md`] as const),
    ['note', notes.join('\n')],
  ]);
}

function commandsOf({ commands }: RepositoryConfig): readonly (readonly [string, string])[] {
  return Object.entries(commands).flatMap(([name, argv]) =>
    argv === undefined ? [] : [[`  ${name}`, commandText(argv)] as const],
  );
}
