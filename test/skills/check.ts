/**
 * Finds names on a skill page that do not exist. A name is one of these:
 *
 * - a **command**: inline code, or a line of an `sh` block, that begins with `legion`. A line of a
 *   block must be a complete command: it is parsed by its command specification and, for `legion
 *   worker`, its here-document by the schema of the verb. Inline code may leave out required parts,
 *   and capitals or `…` are placeholders.
 * - a **flag** by itself: inline code that begins with `--`. Some command on the same page must
 *   have it.
 * - a **route**: a method and a path, such as `GET /workers/:id`.
 * - a **label** or another of Legion's names with a hyphen: all lower case.
 * - a **status**: capitalised words.
 * - a **verb** used as a tool, an **action** or a **condition**: lower case with an underscore.
 * - a **configuration key** or a **fault code**: lower case with a dot, unless it ends like a file
 *   name.
 * - a **variable**: capitals with an underscore.
 * - an **example**: a `json VERB` block must be valid input of that verb, and a `yaml
 *   .legion/config.yml` block must be a valid file. The only other blocks are `sh` and `md`.
 *
 * Everything else in backticks is not checked.
 */
import { basename, dirname } from 'node:path';
import { readRepositoryConfig } from '../../src/config/repository/load.ts';
import { getPhaseMode, PHASES } from '../../src/core/model/mode.ts';
import { getVerbModes, VERB_NAMES, type VerbName } from '../../src/protocol/verb.ts';
import { findInputFault, type JudgedCommand, judgeCommand } from './commands.ts';
import * as world from './known-names.ts';
import type { Block, Page, Piece } from './page.ts';
import { splitCommands } from './shell.ts';

/** Returns each mistake as `line: problem`. */
export async function findMistakes(path: string, page: Page): Promise<readonly string[]> {
  const named = await judgeCommands(page);
  const verbs = [...named.flatMap(({ line, verb }) => (verb ? [{ line, verb }] : [])), ...listTools(page)];
  const options = new Set(named.flatMap(({ options: names = [] }) => names));
  return [
    ...page.torn.map((line) => `${line}: unmatched backtick`),
    ...named.flatMap(({ line, wrong }) => (wrong === undefined ? [] : [`${line}: ${wrong}`])),
    ...page.codes.flatMap((code) => findWrongNames(code, options)),
    ...page.blocks.flatMap(findWrongBlock),
    ...verbs.flatMap(({ line, verb }) => findWrongMode(path, line, verb)),
  ];
}

async function judgeCommands({
  codes,
  blocks,
}: Page): Promise<readonly (JudgedCommand & { readonly line: number })[]> {
  const mentions = codes
    .filter(({ text }) => text.startsWith('legion '))
    .flatMap(({ line, text }) => splitCommands({ info: 'sh', line: line - 1, text }));
  const typed = blocks
    .filter(({ info }) => info === 'sh')
    .flatMap(splitCommands)
    .filter(({ words: [first] }) => first === 'legion');
  return [
    ...(await Promise.all(
      mentions.map(async (each) => ({ line: each.line, ...(await judgeCommand(each, false)) })),
    )),
    ...(await Promise.all(
      typed.map(async (each) => ({ line: each.line, ...(await judgeCommand(each, true)) })),
    )),
  ];
}

const FILE = /\.(?:md|ts|js|json|ya?ml|db|log)$/;

function findWrongNames({ line, text }: Piece, options: ReadonlySet<string>): string[] {
  const wrong = (what: string) => [`${line}: ${text} is not a known ${what}`];
  const known = (is: boolean, what: string) => (is ? [] : wrong(what));
  if (/^(?:GET|POST|PUT|PATCH|DELETE) \//.test(text)) return known(world.routes.has(text), 'route');
  const [, flag] = /^--([a-z-]+)/.exec(text) ?? [];
  if (flag !== undefined)
    return known(flag === 'help' || options.has(flag), 'option of a command named on this page');
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(text)) return known(world.isVariable(text), 'variable');
  if (/^[A-Z][a-z]+(?: [A-Z][a-z]+)*$/.test(text)) return known(world.statuses.has(text), 'status');
  if (/^[a-z]+(?:-[a-z]+)+$/.test(text)) return known(world.hyphenatedNames.has(text), 'label');
  if (/^[a-z]+(?:_[a-z]+)*_$/.test(text)) return known(world.isActionPrefix(text), 'prefix of an action');
  if (/^[a-z]+(?:_[a-z]+)+$/.test(text))
    return known(world.underscoredNames.has(text), 'verb, action or condition');
  if (/^[a-z_]+(?:\.[a-z_<>]+)+$/.test(text) && !FILE.test(text))
    return known(world.dottedNames.has(text), 'configuration key or fault code');
  return [];
}

function findWrongBlock({ info, line, text }: Block): string[] {
  const [language = '', what = ''] = info.split(' ');
  if (['sh', 'md'].includes(language) && what === '') return [];
  const fault =
    language === 'json'
      ? findJsonFault(what, text)
      : language === 'yaml'
        ? findYamlFault(what, text)
        : undefined;
  if (language !== 'json' && language !== 'yaml') return [`${line}: unknown block type "${info}"`];
  return fault === undefined ? [] : [`${line}: ${fault}`];
}

function findJsonFault(what: string, text: string): string | undefined {
  const verb = VERB_NAMES.find((each) => each === what);
  if (verb === undefined) return `"${what}" is not a verb with this input`;
  try {
    return findInputFault(verb, JSON.parse(text));
  } catch (error) {
    return (error as Error).message;
  }
}

function findYamlFault(what: string, text: string): string | undefined {
  if (what !== '.legion/config.yml') return `"${what}" is not a file with this content`;
  const read = readRepositoryConfig(text);
  return read.ok ? undefined : read.fault.message;
}

function listTools({ codes }: Page): { line: number; verb: VerbName }[] {
  return codes.flatMap(({ line, text }) => {
    const verb = VERB_NAMES.find((each) => each === text && each.includes('_'));
    return verb === undefined ? [] : [{ line, verb }];
  });
}

/** Reports a verb that a workflow mentions although its phase is not allowed to use it. */
function findWrongMode(path: string, line: number, verb: VerbName): string[] {
  const phase = PHASES.find((each) => `${each}.md` === basename(path));
  if (basename(dirname(path)) !== 'workflows' || phase === undefined) return [];
  return getVerbModes(verb).includes(getPhaseMode(phase))
    ? []
    : [`${line}: ${verb} is not available in the ${phase} phase`];
}
