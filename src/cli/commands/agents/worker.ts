/** The command of a worker's verb: its arguments and options come from the verb's layout and its schema. */
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { VERBS, type VerbName } from '../../../protocol/verb.ts';
import { openSpeaker, type Spoken } from '../../../speech/speaker.ts';
import { type InputSchema, inputSchemaOf } from '../../../worker-client/input-schema.ts';
import type { CliCommand, CommandContext } from '../../command.ts';
import { collectValues, toFlag } from '../../program/options.ts';
import { ownEnvironment } from '../worker/environment.ts';
import { LAYOUTS } from '../worker/layout.ts';
import { type VerbField, verbFields } from '../worker/verb-fields.ts';
import { verbInput } from '../worker/verb-input.ts';
import { present } from './worker-answers.ts';

const EXIT_REFUSED = 1;

export function verbCommand(verb: VerbName): CliCommand {
  return {
    build: () => buildVerb(verb),
    run: async (parsed, context) => {
      const input = await verbInput(verb, parsed, context);
      const environment = ownEnvironment(context.env);
      const spoken = await openSpeaker(environment, { signal: context.signal }).say(verb, input);
      const { json } = parsed.options;
      return printAnswer(verb, spoken, json === true, context);
    },
  };
}

export function verbSummary(verb: VerbName): string {
  return capitalise(VERBS[verb].summary);
}

function buildVerb(verb: VerbName): CommandUnknownOpts {
  const { bare = [], file } = LAYOUTS[verb];
  const schema = inputSchemaOf(verb);
  const command: CommandUnknownOpts = new Command().description(`${verbSummary(verb)}.`);
  for (const [index, field] of bare.entries()) {
    const name = field.toUpperCase();
    const isOptional = index === bare.length - 1;
    command.argument(isOptional ? `[${name}]` : `<${name}>`, describeField(schema, field));
  }
  for (const field of verbFields(verb)) command.addOption(optionOf(field, schema));
  if (file !== undefined) {
    const what = file.field === undefined ? 'everything as one JSON object' : `the ${file.field}`;
    command.option(
      `${toFlag(file.option)} <FILE>`,
      `Read ${what} from a file, or from standard input with -`,
    );
  }
  return command.option('--json', 'Print the daemon’s answer as one JSON object');
}

function optionOf({ field, option, kind }: VerbField, schema: InputSchema): Option {
  const flag = toFlag(option);
  const description = describeField(schema, field);
  if (kind === 'switch') return new Option(flag, description);
  const placeholder = kind === 'json' ? 'JSON' : flag.slice(2).toUpperCase();
  const made = new Option(
    `${flag} <${placeholder}>`,
    kind === 'texts' ? `${description}; repeatable` : description,
  );
  if (kind === 'texts') made.argParser(collectValues).default([]);
  return made as Option;
}

function describeField(schema: InputSchema, field: string): string {
  return capitalise(schema.properties[field]?.description ?? '');
}

function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function printAnswer<V extends VerbName>(
  verb: V,
  spoken: Spoken<V>,
  json: boolean,
  { stdout, stderr }: CommandContext,
): number | undefined {
  if (spoken.kept) {
    const says = `The daemon is away. This is kept in ${spoken.file} and is delivered when it is back; do not send it again.`;
    stdout.write(`${json ? JSON.stringify(spoken) : says}\n`);
    return undefined;
  }
  const { answer } = spoken;
  const isRefused = 'accepted' in answer && answer.accepted === false;
  const text = json ? JSON.stringify(answer) : present(verb, answer);
  (isRefused && !json ? stderr : stdout).write(`${text}\n`);
  return isRefused ? EXIT_REFUSED : undefined;
}
