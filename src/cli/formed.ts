/** Makes a command of a form and of what is done with a command line that fits it. */

import { nearest } from '../config/nearest.ts';
import { LegionError } from '../domain/fault.ts';
import { shown } from '../domain/shown.ts';
import { readArguments } from './arguments.ts';
import type { Command, CommandContext } from './command.ts';
import { type Form, type Given, helpOf, usageOf } from './form.ts';

export function formed<const F extends Form>(
  form: F,
  perform: (given: Given<F>, context: CommandContext) => Promise<number | undefined>,
): Command & { readonly form: F } {
  return {
    form,
    help: helpOf(form),
    perform: async (args, context) => perform(readArguments(form, args), context),
  };
}

type Formed = Command & { readonly form: Form };

/** A command that only holds others: `legion issue`. */
export function family(name: string, says: string, members: Readonly<Record<string, Formed>>): Command {
  const uses = Object.values(members).map(({ form }) => usageOf(form));
  const width = Math.max(...uses.map((use) => use.length));
  const lines = Object.values(members).map(
    ({ form }, index) => `  ${(uses[index] ?? '').padEnd(width)}  ${form.says.split('\n')[0]}`,
  );
  return {
    help: [says, '', ...lines, '', `\`legion ${name} COMMAND --help\` explains one of them.`, ''].join('\n'),
    subcommands: members,
    perform: async ([first]) => {
      const known = Object.keys(members);
      const meant = first === undefined ? undefined : nearest(first, known);
      const hint = meant === undefined ? '' : `; did you mean ${shown(meant)}?`;
      const found = first === undefined ? 'nothing' : shown(first);
      throw new LegionError('usage.invalid', `legion ${name} takes ${known.join(', ')}, got ${found}${hint}`);
    },
  };
}
