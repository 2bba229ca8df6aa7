/** `legion config check`: validates the configuration and shows the source of each value. */

import { isDeepStrictEqual } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import { parse } from 'yaml';
import { formatSource } from '../../../config/legion/settings.ts';
import { writeConfig } from '../../../config/legion/write.ts';
import { toConfigFault } from '../../../config/problem.ts';
import { PROMPTS_FOLDER } from '../../../config/repository/prompt-files.ts';
import type { RepositoryConfig } from '../../../config/repository/schema.ts';
import { type Fault, LegionError, type Result } from '../../../core/model/fault.ts';
import { findLegionLocation, type LegionLocation } from '../../legion-location.ts';
import {
  printJson,
  printPage,
  renderFields,
  renderHeading,
  renderParagraph,
  renderSection,
} from '../../present/page.ts';
import { renderTable } from '../../present/table.ts';
import { getTerminalColumns } from '../../present/terminal.ts';
import {
  addJsonOption,
  addLocationOptions,
  type CommandGroup,
  defineCommand,
  renderExamples,
} from '../../program/define-command.ts';
import {
  formatCommand,
  REPOSITORY_FILE,
  type RepositoryState,
  readRepositoryState,
} from '../../repository-at.ts';

interface ConfigValue {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
}

const check = defineCommand(
  () =>
    addLocationOptions(
      addJsonOption(
        new Command()
          .description(
            'Check legion.yaml, .legion/config.yml and .legion/prompts, and show each value with its source. Exits with 1 if there is a problem.',
          )
          .option('--set', 'Show only values that are set explicitly')
          .addHelpText('after', renderExamples('legion config check --set')),
      ),
    ),
  async ({ options }, context) => {
    const location = findLegionLocation(context, options);
    const values = listConfigValues(location).filter(
      ({ source }) => options.set !== true || source !== 'default',
    );
    const repository = isCloned(location)
      ? undefined
      : await toResult(() => readRepositoryState(location, context.env));
    const problems = collectProblems(repository);
    if (options.json === true)
      printJson(context, {
        file: location.file.named ? location.file.path : null,
        values,
        repository: repository?.ok === true ? toRepositoryData(repository.value) : null,
        problems,
      });
    else
      printPage(
        context,
        renderConfigPage({ location, values, repository, problems }, getTerminalColumns(context.stdout)),
      );
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
  readonly location: LegionLocation;
  readonly values: readonly ConfigValue[];
  readonly repository: Result<RepositoryState> | undefined;
  readonly problems: readonly Fault[];
}

/** Returns each value as it is written in a file: durations and sizes have units. */
function listConfigValues({ resolved }: LegionLocation): readonly ConfigValue[] {
  const written: unknown = parse(writeConfig(resolved.config));
  return [...resolved.sources]
    .map(([key, source]) => ({
      key,
      value: readValueAt(written, key.split('.')),
      source: formatSource(source),
    }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

function readValueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    data,
  );
}

async function toResult<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof LegionError) return { ok: false, fault: error.fault };
    throw error;
  }
}

/**
 * Returns true if the daemon uses its own clone. The files in this directory then have no effect.
 */
function isCloned({ resolved }: LegionLocation): boolean {
  const { forge, repos } = resolved.config;
  return forge === 'github' && repos.length > 0 && repos[0]?.path === undefined;
}

function collectProblems(repository: Result<RepositoryState> | undefined): readonly Fault[] {
  if (repository === undefined) return [];
  if (!repository.ok) return [repository.fault];
  const { inForce, inFolder, approved, prompts } = repository.value;
  const ofPrompts = [prompts.inForce, prompts.inFolder].flatMap(({ problems }) =>
    problems.length === 0 ? [] : [toConfigFault(problems)],
  );
  const faults = [
    ...[inForce, inFolder, approved].flatMap((result) => (result.ok ? [] : [result.fault])),
    ...ofPrompts,
  ];
  return faults.filter(
    (fault, index) => faults.findIndex(({ message }) => message === fault.message) === index,
  );
}

function toRepositoryData(repository: RepositoryState) {
  const { path, name, base, inForce, inFolder, approved, prompts, promptsApproved } = repository;
  return {
    path,
    name,
    base,
    commands: inForce.ok ? inForce.value.commands : null,
    approved: approved.ok && approved.value,
    /** Whether the file in the directory has the same content as the file on the base branch. */
    committed: inForce.ok && inFolder.ok && isDeepStrictEqual(inForce.value, inFolder.value),
    prompts: {
      names: Object.keys(prompts.inForce.texts),
      approved: promptsApproved.ok && promptsApproved.value,
      committed: isDeepStrictEqual(prompts.inForce.texts, prompts.inFolder.texts),
    },
  };
}

function renderConfigPage(
  { location: { file }, values, repository, problems }: ConfigReport,
  columns: number,
): string {
  const rows = values.map(({ key, value, source }) => [
    key,
    value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value),
    source,
  ]);
  return [
    renderHeading(
      file.named ? file.path : 'No legion.yaml found. Values that are not set elsewhere have their defaults.',
    ),
    renderTable(['KEY', 'VALUE', 'SOURCE'], rows, columns),
    repository?.ok === true
      ? renderSection(`Repository ${repository.value.path}`, renderRepositoryFields(repository.value))
      : '',
    renderSection(
      'Problems',
      problems.map(({ code, message, next }) => renderParagraph(`${message} [${code}]\n${next}`)).join('\n'),
    ),
  ].join('');
}

function renderRepositoryFields(repository: RepositoryState): string {
  const { inForce } = repository;
  const { name, base, approved, committed, prompts } = toRepositoryData(repository);
  const commands = inForce.ok ? listCommandFields(inForce.value) : [];
  const describeApproval = (isApproved: boolean) =>
    isApproved ? 'approved' : 'not approved: run `legion approve --commands`';
  const describeUncommitted = (path: string) =>
    `${path} in this folder differs from the one on ${base}, which Legion uses. Commit your changes to ${base}.`;
  const notes = [
    ...(committed ? [] : [describeUncommitted(REPOSITORY_FILE)]),
    ...(prompts.committed ? [] : [describeUncommitted(PROMPTS_FOLDER)]),
  ];
  return renderFields([
    ['name', name],
    ['base', base],
    ['commands', commands.length === 0 ? 'none' : describeApproval(approved)],
    ...commands,
    ['prompts', prompts.names.length === 0 ? undefined : describeApproval(prompts.approved)],
    ...prompts.names.map((prompt) => [`  ${prompt}`, `${PROMPTS_FOLDER}/${prompt}.md`] as const),
    ['note', notes.join('\n')],
  ]);
}

function listCommandFields({ commands }: RepositoryConfig): readonly (readonly [string, string])[] {
  return Object.entries(commands).flatMap(([name, argv]) =>
    argv === undefined ? [] : [[`  ${name}`, formatCommand(argv)] as const],
  );
}
