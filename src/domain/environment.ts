/** The variables a program is started with, as a plain record: only the outermost door reads the process's own. */

export type Environment = Readonly<Record<string, string | undefined>>;
