/** The form of a command line, written once: what reads it and what its help says come from the same place. */

export interface Option {
  /** The placeholder of its value, such as `FILE`; an option without one is a switch. */
  readonly value?: string;
  /** One letter: `-b` for the same. */
  readonly short?: string;
  /** May be given more than once. */
  readonly many?: true;
  readonly says: string;
}

/** `one`: must be there. `optional`: the last ones only. `many`: everything from here on, at least one. */
type Place = 'one' | 'optional' | 'many';

export interface Form {
  /** As it is called: `issue add`. */
  readonly name: string;
  readonly says: string;
  /** In the order of the command line. */
  readonly takes?: Readonly<Record<string, Place>>;
  readonly options?: Readonly<Record<string, Option>>;
}

/** What was found on a command line of this form. */
export type Given<F extends Form> = Taken<NonNullable<F['takes']>> & {
  readonly options: Chosen<NonNullable<F['options']>>;
};

type Taken<T extends Readonly<Record<string, Place>>> = {
  readonly [K in keyof T]: T[K] extends 'one'
    ? string
    : T[K] extends 'optional'
      ? string | undefined
      : readonly string[];
};

type Chosen<O extends Readonly<Record<string, Option>>> = {
  readonly [K in keyof O]: O[K] extends { readonly value: string }
    ? O[K] extends { readonly many: true }
      ? readonly string[]
      : string | undefined
    : boolean;
};

export function usageOf({ name, takes = {}, options = {} }: Form): string {
  const places = Object.entries(takes).map(([place, kind]) => placeText(place, kind));
  const some = Object.keys(options).length > 0 ? ['[options]'] : [];
  return ['legion', name, ...places, ...some].join(' ');
}

export function helpOf(form: Form): string {
  const options = Object.entries(form.options ?? {}).map(([name, option]) => [
    optionText(name, option),
    option.says,
  ]);
  const width = Math.max(0, ...options.map(([text = '']) => text.length));
  const lines = options.map(([text = '', says]) => `  ${text.padEnd(width)}  ${says}`);
  return [`Usage: ${usageOf(form)}`, '', form.says, ...(lines.length > 0 ? ['', ...lines] : []), ''].join(
    '\n',
  );
}

export function placeText(place: string, kind: Place): string {
  const word = place.toUpperCase();
  if (kind === 'optional') return `[${word}]`;
  return kind === 'many' ? `${word}...` : word;
}

function optionText(name: string, { value, many, short }: Option): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}${many === true ? ' ...' : ''}`;
}
