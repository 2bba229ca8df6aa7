/** Options of a demo that name a service: their forms, and which of those that belong together are missing. */

import { readReference } from '../../../config/reference.ts';
import { LegionError, shown } from '../../../core/model/fault.ts';
import { unwrap } from '../../../lib/result.ts';
import type { CommandContext } from '../../command.ts';
import { toFlag } from '../../program/options.ts';

type Options<Name extends string> = { readonly [Each in Name]?: string | undefined };

/** False where none of them is given; some of them without the others are refused. */
export function allOrNone<Name extends string>(
  options: Options<Name>,
  names: readonly Name[],
  what: string,
): boolean {
  const missing = names.filter((name) => options[name] === undefined);
  if (missing.length === names.length) return false;
  if (missing.length === 0) return true;
  const also = missing.map(toFlag).join(', ');
  throw new LegionError('usage.invalid', `${what} also needs ${also}`);
}

export function fitting<Name extends string>(
  options: Options<Name>,
  name: Name,
  form: RegExp,
  takes: string,
): string {
  const value = options[name] ?? '';
  if (form.test(value)) return value;
  throw new LegionError('usage.invalid', `${toFlag(name)} takes ${takes}, got ${shown(value)}`);
}

const URL_FORM = /^https?:\/\/[^\s/@?#]+$/;

export function addressGiven<Name extends string>(
  options: Options<Name>,
  name: Name,
  example: string,
): string {
  return fitting(options, name, URL_FORM, `an address such as ${example}`);
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The name of a variable that is set. */
export function variableGiven<Name extends string>(
  options: Options<Name>,
  name: Name,
  { env }: CommandContext,
): string {
  const variable = fitting(options, name, VARIABLE, 'the name of a variable');
  unwrap(readReference(`env:${variable}`, env));
  return variable;
}
