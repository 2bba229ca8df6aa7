/** `legion worker …`: what a worker tells its daemon, one command for each verb. */
import { VERB_NAMES, type VerbName } from '../../protocol/verb.ts';
import type { CommandEntry, CommandGroup, CommandTable } from '../command.ts';
import { verbCommand, verbSummary } from './agents/worker.ts';
import { LAYOUTS } from './worker/layout.ts';

export const worker: CommandGroup = {
  description:
    'Talk to the daemon from inside a worker. Works only in processes that Legion has started. Reports are kept while the daemon is away, so there is no need to try again.',
  members: tableOf(VERB_NAMES, 0),
};

/** The verbs by their word at `depth`; several verbs of one word, such as `pr`, are a group. */
function tableOf(verbs: readonly VerbName[], depth: number): CommandTable {
  const words = new Set(verbs.map((verb) => LAYOUTS[verb].words[depth] ?? ''));
  return Object.fromEntries(
    [...words].map((word) => {
      const same = verbs.filter((verb) => LAYOUTS[verb].words[depth] === word);
      return [word, entryOf(word, same, depth)];
    }),
  );
}

function entryOf(word: string, verbs: readonly VerbName[], depth: number): CommandEntry {
  const [verb, ...others] = verbs;
  if (verb !== undefined && others.length === 0 && LAYOUTS[verb].words.length === depth + 1)
    return { summary: verbSummary(verb), load: async () => verbCommand(verb) };
  const members = tableOf(verbs, depth + 1);
  const summary = `${Object.keys(members).join(', ')}: see \`legion worker ${word} --help\``;
  return { summary, load: async () => ({ description: GROUPS[word] ?? '', members }) };
}

const GROUPS: Readonly<Record<string, string>> = {
  handoff: 'Read and write what one phase leaves for the next.',
  pr: 'Work on the pull request of this issue.',
};
