/** Reads a command line by its form; whatever does not fit is `usage.invalid`, with a hint where one helps. */
import { parseArgs } from 'node:util';
import { nearest } from '../config/nearest.ts';
import { LegionError } from '../domain/fault.ts';
import { shown } from '../domain/shown.ts';
import { type Form, type Given, placeText, usageOf } from './form.ts';

export function readArguments<F extends Form>(form: F, args: readonly string[]): Given<F> {
  const { options = {}, takes = {} } = form;
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { value, many, short }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: many === true,
        ...(short !== undefined && { short }),
      },
    ]),
  );
  const { values, positionals } = parsed(form, args, config);
  const chosen = Object.entries(options).map(([name, { value, many }]) => {
    const absent = value === undefined ? false : many === true ? [] : undefined;
    return [name, values[name] ?? absent];
  });
  // The form's type and this object are made from the same entries; the compiler cannot see that.
  return { ...placed(form, takes, positionals), options: Object.fromEntries(chosen) } as Given<F>;
}

/** A whole number of an option, from `least` on. */
export function wholeNumber(option: string, text: string, least = 0): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (number >= least) return number;
  throw new LegionError('usage.invalid', `${option} takes a whole number from ${least}, got ${shown(text)}`);
}

type Config = Record<string, { type: 'boolean' | 'string'; multiple: boolean; short?: string }>;

function parsed(form: Form, args: readonly string[], options: Config) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new LegionError('usage.invalid', complaint(form, error));
  }
}

/** What `parseArgs` found, in words that name the command and what it takes. */
function complaint(form: Form, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // A short one is quoted with its long name behind it.
  const [, name = ''] = /'(?:-\w, )?(-[^'= ]*)/.exec(message) ?? [];
  const known = Object.keys(form.options ?? {});
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const meant = nearest(name, known);
    const hint = meant === undefined ? '' : ` (did you mean --${meant}?)`;
    const takesText = Object.values(form.takes ?? {}).includes('many');
    const advice = takesText && meant === undefined ? '; text that begins with "-" goes behind --' : '';
    return `${form.name} has no option ${shown(name)}${hint}${advice}`;
  }
  const option = form.options?.[name.replace(/^--/, '')];
  if (option === undefined) return message;
  return option.value === undefined
    ? `${name} takes no value`
    : `${name} needs a value, its ${option.value}; one that begins with "-" is given as ${name}=VALUE`;
}

function placed(
  form: Form,
  takes: NonNullable<Form['takes']>,
  positionals: readonly string[],
): Record<string, string | readonly string[] | undefined> {
  const left = [...positionals];
  const entries = Object.entries(takes).map(([place, kind]) => {
    if (kind !== 'optional' && left.length === 0) {
      throw new LegionError(
        'usage.invalid',
        `${form.name} needs ${placeText(place, 'one')}; it is called as ${usageOf(form)}`,
      );
    }
    return [place, kind === 'many' ? left.splice(0) : left.shift()];
  });
  if (left.length > 0) {
    const says = `${form.name} takes no further ${left.map(shown).join(' ')}; it is called as ${usageOf(form)}`;
    throw new LegionError('usage.invalid', says);
  }
  return Object.fromEntries(entries);
}
