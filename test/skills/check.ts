/**
 * Finds what a page of a skill names and does not exist. What counts as a name:
 *
 * - a **command**: inline code, or a line of an `sh` block, that begins with `legion`. A line of a block is read whole, by the
 *   form of its command and, for `legion worker`, by the schema of the verb with its here-document; inline code may leave out
 *   what a command needs, and capitals or `…` stand for something else.
 * - a **flag** by itself: inline code that begins with `--`; some command of the same page must have it.
 * - a **route**: a method and a path, such as `GET /workers/:id`.
 * - a **label** or another name of ours with a hyphen, all lower case; a **status**: capitalised words; a verb as a tool, an
 *   action, a condition: lower case with an underscore; a key of the configuration or a code of a fault: lower case with a
 *   dot, unless it ends like a file; a variable: capitals with an underscore.
 * - an **example**: `json VERB` must be an input of that verb, `yaml .legion/config.yml` such a file. There are no other blocks
 *   but `sh` and `md`.
 *
 * Everything else in backticks is free.
 */
import { basename, dirname } from 'node:path';
import { readRepositoryConfig } from '../../src/config/repository/load.ts';
import { modeOfPhase, PHASES } from '../../src/domain/mode.ts';
import { modesOf, VERB_NAMES, type VerbName } from '../../src/protocol/verb.ts';
import { faultInInput, type Judged, judge } from './commands.ts';
import * as world from './known-names.ts';
import type { Block, Page, Piece } from './page.ts';
import { commandLines } from './shell.ts';

/** Each as `line: what is wrong`. */
export async function mistakesIn(path: string, page: Page): Promise<readonly string[]> {
  const named = await commandsIn(page);
  const verbs = [...named.flatMap(({ line, verb }) => (verb ? [{ line, verb }] : [])), ...toolsIn(page)];
  const options = new Set(named.flatMap(({ options: names = [] }) => names));
  return [
    ...page.torn.map((line) => `${line}: a backtick has no partner`),
    ...named.flatMap(({ line, wrong }) => (wrong === undefined ? [] : [`${line}: ${wrong}`])),
    ...page.codes.flatMap((code) => wrongName(code, options)),
    ...page.blocks.flatMap(wrongBlock),
    ...verbs.flatMap(({ line, verb }) => wrongMode(path, line, verb)),
  ];
}

async function commandsIn({ codes, blocks }: Page): Promise<readonly (Judged & { readonly line: number })[]> {
  const mentions = codes
    .filter(({ text }) => text.startsWith('legion '))
    .flatMap(({ line, text }) => commandLines({ info: 'sh', line: line - 1, text }));
  const typed = blocks
    .filter(({ info }) => info === 'sh')
    .flatMap(commandLines)
    .filter(({ words: [first] }) => first === 'legion');
  return [
    ...(await Promise.all(
      mentions.map(async (each) => ({ line: each.line, ...(await judge(each, false)) })),
    )),
    ...(await Promise.all(typed.map(async (each) => ({ line: each.line, ...(await judge(each, true)) })))),
  ];
}

const FILE = /\.(?:md|ts|js|json|ya?ml|db|log)$/;

function wrongName({ line, text }: Piece, options: ReadonlySet<string>): string[] {
  const wrong = (what: string) => [`${line}: ${text} is no ${what}`];
  const known = (is: boolean, what: string) => (is ? [] : wrong(what));
  if (/^(?:GET|POST|PUT|PATCH|DELETE) \//.test(text)) return known(world.routes.has(text), 'route');
  const [, flag] = /^--([a-z-]+)/.exec(text) ?? [];
  if (flag !== undefined)
    return known(flag === 'help' || options.has(flag), 'option of a command named on this page');
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(text)) return known(world.isVariable(text), 'variable');
  if (/^[A-Z][a-z]+(?: [A-Z][a-z]+)*$/.test(text)) return known(world.statuses.has(text), 'status');
  if (/^[a-z]+(?:-[a-z]+)+$/.test(text)) return known(world.hyphened.has(text), 'label');
  if (/^[a-z]+(?:_[a-z]+)*_$/.test(text)) return known(world.isActionPrefix(text), 'prefix of an action');
  if (/^[a-z]+(?:_[a-z]+)+$/.test(text))
    return known(world.underscored.has(text), 'verb, action or condition');
  if (/^[a-z_]+(?:\.[a-z_<>]+)+$/.test(text) && !FILE.test(text))
    return known(world.dotted.has(text), 'key of the configuration or code of a fault');
  return [];
}

function wrongBlock({ info, line, text }: Block): string[] {
  const [language = '', what = ''] = info.split(' ');
  if (['sh', 'md'].includes(language) && what === '') return [];
  const fault =
    language === 'json' ? jsonFault(what, text) : language === 'yaml' ? yamlFault(what, text) : undefined;
  if (language !== 'json' && language !== 'yaml')
    return [`${line}: a block of "${info}" is not checked by anybody`];
  return fault === undefined ? [] : [`${line}: ${fault}`];
}

function jsonFault(what: string, text: string): string | undefined {
  const verb = VERB_NAMES.find((each) => each === what);
  if (verb === undefined) return `"${what}" is no verb whose input this could be`;
  try {
    return faultInInput(verb, JSON.parse(text));
  } catch (error) {
    return (error as Error).message;
  }
}

function yamlFault(what: string, text: string): string | undefined {
  if (what !== '.legion/config.yml') return `"${what}" is no file whose content this could be`;
  const read = readRepositoryConfig(text);
  return read.ok ? undefined : read.fault.message;
}

function toolsIn({ codes }: Page): { line: number; verb: VerbName }[] {
  return codes.flatMap(({ line, text }) => {
    const verb = VERB_NAMES.find((each) => each === text && each.includes('_'));
    return verb === undefined ? [] : [{ line, verb }];
  });
}

/** A workflow leads nobody to a verb that would be refused to them. */
function wrongMode(path: string, line: number, verb: VerbName): string[] {
  const phase = PHASES.find((each) => `${each}.md` === basename(path));
  if (basename(dirname(path)) !== 'workflows' || phase === undefined) return [];
  return modesOf(verb).includes(modeOfPhase(phase)) ? [] : [`${line}: ${verb} is not for the ${phase} phase`];
}
