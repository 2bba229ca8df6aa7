/** What several commands declare alike: options, descriptions of arguments, and examples. */
import { styleText } from 'node:util';
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { LegionError, shown } from '../../core/model/fault.ts';

const COMMON_HEADING = 'Common options:';
/** Beyond 15 digits a number is no longer exact. */
const WHOLE_NUMBER = /^\d{1,15}$/;

/** Type aliases, because commander's option types have an index signature. */
export type JsonOption = {
  readonly json?: true;
};

/** Which legion a command is about. */
export type PlaceOptions = {
  readonly legion?: string;
  readonly config?: string;
};

export function addJsonOption<Positionals extends unknown[], Options extends OptionValues>(
  command: Command<Positionals, Options>,
): Command<Positionals, Options & JsonOption> {
  const json = new Option('--json', 'Print JSON instead of text').helpGroup(COMMON_HEADING);
  return command.addOption(json) as unknown as Command<Positionals, Options & JsonOption>;
}

export function addPlaceOptions<Positionals extends unknown[], Options extends OptionValues>(
  command: Command<Positionals, Options>,
): Command<Positionals, Options & PlaceOptions> {
  const legion = new Option('--legion <NAME>', 'Use this legion instead of the one of this folder');
  const config = new Option('--config <FILE>', 'Use this legion.yaml (default: the nearest one upwards)');
  return command
    .addOption(legion.helpGroup(COMMON_HEADING))
    .addOption(config.helpGroup(COMMON_HEADING)) as unknown as Command<Positionals, Options & PlaceOptions>;
}

export function newHelpOption(): Option {
  return new Option('-h, --help', 'Show this help').helpGroup(COMMON_HEADING) as Option;
}

/** For an option that may be given several times. Commander's own variadic options would swallow arguments. */
export function collectValues(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}

export function parseWholeNumber(option: string, min = 0): (text: string) => number {
  return (text) => {
    const number = WHOLE_NUMBER.test(text) ? Number(text) : -1;
    if (number >= min) return number;
    throw new LegionError('usage.invalid', `${option} takes a whole number from ${min}, got ${shown(text)}`);
  };
}

/** The flag of an option, from the name that commander gives to its value: `--dry-run` from `dryRun`. */
export function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Text for `addHelpText('after', …)`; each line is something that a person could type. */
export function examples(...lines: readonly string[]): string {
  return ['', styleText('bold', 'Examples:'), ...lines.map((line) => `  ${line}`)].join('\n');
}

export const ISSUE_HELP = 'Id of the issue, such as SHOP-1';
export const MODE_HELP =
  'Mode of the worker, such as implement (default: the running worker, or the last one)';
