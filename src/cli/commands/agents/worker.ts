/** `legion worker …`: sends a worker's reports and requests to its daemon, one command per verb. */

import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { VERB_NAMES, VERBS, type VerbName } from '../../../protocol/verb.ts';
import { buildInputSchema, type InputSchema } from '../../../worker-client/input-schema.ts';
import {
  openWorkerClient,
  requireWorkerEnvironment,
  type VerbResult,
} from '../../../worker-client/worker-client.ts';
import {
  type CliCommand,
  type CommandContext,
  type CommandEntry,
  type CommandGroup,
  type CommandTable,
  collectValues,
  toFlag,
} from '../../program/define-command.ts';
import { listVerbFields, readVerbInput, VERB_LAYOUTS, type VerbField } from './verb-input.ts';
import { presentAnswer } from './worker-answers.ts';

export const worker: CommandGroup = {
  description:
    'Talk to the daemon from inside a worker. Works only in processes started by Legion. Reports are saved while the daemon is unreachable, so there is no need to retry.',
  members: buildVerbTable(VERB_NAMES, 0),
};

/**
 * Groups the verbs by their word at position `depth`. Verbs that share a word, such as `pr`, form a
 * group.
 */
function buildVerbTable(verbs: readonly VerbName[], depth: number): CommandTable {
  const words = new Set(verbs.map((verb) => VERB_LAYOUTS[verb].words[depth] ?? ''));
  return Object.fromEntries(
    [...words].map((word) => {
      const matchingVerbs = verbs.filter((verb) => VERB_LAYOUTS[verb].words[depth] === word);
      return [word, buildVerbEntry(word, matchingVerbs, depth)];
    }),
  );
}

function buildVerbEntry(word: string, verbs: readonly VerbName[], depth: number): CommandEntry {
  const [verb, ...others] = verbs;
  if (verb !== undefined && others.length === 0 && VERB_LAYOUTS[verb].words.length === depth + 1)
    return { summary: describeVerb(verb), load: async () => createVerbCommand(verb) };
  const members = buildVerbTable(verbs, depth + 1);
  const summary = `${Object.keys(members).join(', ')}: see \`legion worker ${word} --help\``;
  return { summary, load: async () => ({ description: GROUP_DESCRIPTIONS[word] ?? '', members }) };
}

const GROUP_DESCRIPTIONS: Readonly<Record<string, string>> = {
  handoff: 'Read and write handoffs, the notes that one phase leaves for the next.',
  pr: 'Work on the pull request of this issue.',
};

const EXIT_REFUSED = 1;

/** Builds the command of a worker's verb from the verb's layout and schema. */
export function createVerbCommand(verb: VerbName): CliCommand {
  return {
    build: () => buildVerb(verb),
    run: async (parsed, context) => {
      const input = await readVerbInput(verb, parsed, context);
      const environment = requireWorkerEnvironment(context.env);
      const result = await openWorkerClient(environment, { signal: context.signal }).send(verb, input);
      const { json } = parsed.options;
      return printAnswer(verb, result, json === true, context);
    },
  };
}

export function describeVerb(verb: VerbName): string {
  return capitalise(VERBS[verb].summary);
}

function buildVerb(verb: VerbName): CommandUnknownOpts {
  const { bare = [], file } = VERB_LAYOUTS[verb];
  const schema = buildInputSchema(verb);
  const command: CommandUnknownOpts = new Command().description(`${describeVerb(verb)}.`);
  for (const [index, field] of bare.entries()) {
    const name = field.toUpperCase();
    const isOptional = index === bare.length - 1 || !schema.required.includes(field);
    command.argument(isOptional ? `[${name}]` : `<${name}>`, describeField(schema, field));
  }
  for (const field of listVerbFields(verb)) command.addOption(buildVerbOption(field, schema));
  if (file !== undefined) {
    const content = file.field === undefined ? 'everything as one JSON object' : `the ${file.field}`;
    command.option(
      `${toFlag(file.option)} <FILE>`,
      `Read ${content} from a file, or from standard input with -`,
    );
  }
  return command.option('--json', 'Print the daemon’s response as one JSON object');
}

function buildVerbOption({ field, option, kind }: VerbField, schema: InputSchema): Option {
  const flag = toFlag(option);
  const description = describeField(schema, field);
  if (kind === 'switch') return new Option(flag, description);
  const placeholder = kind === 'json' ? 'JSON' : flag.slice(2).toUpperCase();
  const verbOption = new Option(
    `${flag} <${placeholder}>`,
    kind === 'texts' ? `${description}; repeatable` : description,
  );
  if (kind === 'texts') verbOption.argParser(collectValues).default([]);
  return verbOption as Option;
}

function describeField(schema: InputSchema, field: string): string {
  return capitalise(schema.properties[field]?.description ?? '');
}

function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function printAnswer<V extends VerbName>(
  verb: V,
  result: VerbResult<V>,
  json: boolean,
  { stdout, stderr }: CommandContext,
): number | undefined {
  if (result.kept) {
    const message = `The daemon is unreachable. This report is saved in ${result.file} and will be delivered when the daemon is back. Do not send it again.`;
    stdout.write(`${json ? JSON.stringify(result) : message}\n`);
    return undefined;
  }
  const { answer } = result;
  const isRefused = 'accepted' in answer && answer.accepted === false;
  const text = json ? JSON.stringify(answer) : presentAnswer(verb, answer);
  (isRefused && !json ? stderr : stdout).write(`${text}\n`);
  return isRefused ? EXIT_REFUSED : undefined;
}
