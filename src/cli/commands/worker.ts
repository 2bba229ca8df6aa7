/** `legion worker …`: what a worker says to its daemon, one command a verb. */
import { VERB_NAMES, type VerbName } from '../../protocol/verb.ts';
import { openSpeaker, type Spoken } from '../../speech/speaker.ts';
import type { Command, CommandContext } from '../command.ts';
import type { Form } from '../form.ts';
import { family, formed } from '../formed.ts';
import { ownEnvironment } from './worker/environment.ts';
import { LAYOUTS } from './worker/layout.ts';
import { present } from './worker/present.ts';
import { verbForm } from './worker/verb-form.ts';
import { verbInput } from './worker/verb-input.ts';

const SAYS = `What a worker says to its daemon. It works in processes Legion has started.
Reports are kept in the outbox while the daemon is away and need no second try.`;
const REFUSED = 1;

type VerbCommand = Command & { readonly form: Form };

export const worker: Command = workerCommand();

function workerCommand(): Command {
  const all = Object.fromEntries(
    VERB_NAMES.map((verb) => [LAYOUTS[verb].words.join(' '), verbCommand(verb)]),
  );
  const firstWords = new Set(VERB_NAMES.map((verb) => LAYOUTS[verb].words[0]));
  const subcommands = [...firstWords].map((word) => [word, all[word] ?? group(word, all)] as const);
  return { ...family('worker', SAYS, all), subcommands: Object.fromEntries(subcommands) };
}

/** `pr` and `handoff`: the second word names the verb. */
function group(word: string, all: Readonly<Record<string, VerbCommand>>): Command {
  const members = Object.entries(all)
    .filter(([words]) => words.startsWith(`${word} `))
    .map(([words, command]) => [words.slice(word.length + 1), command] as const);
  const subcommands = Object.fromEntries(members);
  const none = family(`worker ${word}`, '', subcommands);
  return {
    help: members.map(([, command]) => command.help).join('\n'),
    subcommands,
    perform: async (args, context) => {
      const [second = '', ...rest] = args;
      const member = Object.hasOwn(subcommands, second) ? subcommands[second] : undefined;
      return member === undefined ? none.perform(args, context) : member.perform(rest, context);
    },
  };
}

function verbCommand(verb: VerbName): VerbCommand {
  const made = verbForm(verb);
  return formed(made.form, async (given, context) => {
    const input = await verbInput(verb, made, given, context);
    const environment = ownEnvironment(context.env);
    const spoken = await openSpeaker(environment, { signal: context.signal }).say(verb, input);
    const { json } = given.options;
    return tell(verb, spoken, json === true, context);
  });
}

function tell<V extends VerbName>(
  verb: V,
  spoken: Spoken<V>,
  json: boolean,
  { stdout, stderr }: CommandContext,
): number | undefined {
  if (spoken.kept) {
    const says = `The daemon is away. This is kept in ${spoken.file} and is delivered when it is back; say it no second time.`;
    stdout.write(`${json ? JSON.stringify(spoken) : says}\n`);
    return undefined;
  }
  const { answer } = spoken;
  const isRefused = 'accepted' in answer && answer.accepted === false;
  const text = json ? JSON.stringify(answer) : present(verb, answer);
  (isRefused && !json ? stderr : stdout).write(`${text}\n`);
  return isRefused ? REFUSED : undefined;
}
