/** Types of answers of GraphQL services. */

/** The answer to a document with any number of aliases `a0`, `a1` …, from its type with one of them. */
export type Aliased<T, Alias extends string> = Omit<T, `${Alias}0`> & {
  readonly [Name in `${Alias}${number}`]?: T[`${Alias}0` & keyof T];
};
