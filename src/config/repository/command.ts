/** A command of a repository: an argument array, never a text for a shell. */
import { z } from 'zod';
import { leaf } from '../schema/leaf.ts';

const MOST_ARGUMENTS = 100;
const LONGEST_ARGUMENT = 1_000;

/** What a shell would take for more than a letter; in a plain text it would do something else than its author means. */
const SHELL = /["'`$&|;<>(){}[\]*?~#!\\\n]/;

/** Invisible and right-to-left characters could show the operator another command than the one that runs. */
const VISIBLE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;

const argument = z.string().max(LONGEST_ARGUMENT).regex(VISIBLE);
const program = argument.min(1).refine((name) => !name.startsWith('-'));

const list = z.tuple([program], argument).refine((all) => all.length <= MOST_ARGUMENTS);
const words = argument
  .refine((text) => !SHELL.test(text))
  .transform((text) => text.split(' ').filter((word) => word !== ''))
  .pipe(list);

/** `npm test` is `[npm, test]`. */
export const command = () =>
  leaf(z.union([list, words]), {
    allowed: 'a list of arguments such as [npm, test], or plain words without shell characters',
    kind: 'list',
  });
