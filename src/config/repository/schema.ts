/** Defines `.legion/config.yml` of a repository: everything that the untrusted side may ask for. */
import { z } from 'zod';
import { PHASES } from '../../core/model/mode.ts';
import { defineBoolean, defineLeaf, defineList, defineText } from '../schema/leaf.ts';
import { defineNamedSection, defineSection, type WithDefaults } from '../schema/section.ts';

const MAX_ARGUMENTS = 100;
const MAX_ARGUMENT_CHARS = 1_000;

/**
 * Characters with a special meaning in a shell. Commands are split at spaces instead, so these
 * characters would not do what the author expects.
 */
const SHELL_CHARACTERS = /["'`$&|;<>(){}[\]*?~#!\\\n]/;

/**
 * Invisible and right-to-left characters could show the operator a different command from the one
 * that runs.
 */
const VISIBLE_TEXT = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;

const argument = z.string().max(MAX_ARGUMENT_CHARS).regex(VISIBLE_TEXT);
const program = argument.min(1).refine((name) => !name.startsWith('-'));

const parseCommandList = z.tuple([program], argument).refine((all) => all.length <= MAX_ARGUMENTS);
const words = argument
  .refine((text) => !SHELL_CHARACTERS.test(text))
  .transform((text) => text.split(' ').filter((word) => word !== ''))
  .pipe(parseCommandList);

/**
 * Defines a command as an argument array, never a shell string. Reads `npm test` as `[npm, test]`.
 */
const defineCommandLine = () =>
  defineLeaf(z.union([parseCommandList, words]), {
    allowed: 'a list of arguments such as [npm, test], or plain words without shell characters',
    kind: 'list',
  });

/**
 * Anyone who can open a pull request can write this file, so its size limit is half that of the
 * operator's file.
 */
export const MAX_REPOSITORY_FILE_BYTES = 64 * 1_024;

const MAX_INSTRUCTIONS_CHARS = 8_000;

/**
 * The text is quoted as data in a prompt. Line breaks and tabs are the only control characters it
 * needs.
 */
const defineInstructions = () =>
  defineLeaf(
    z
      .string()
      .max(MAX_INSTRUCTIONS_CHARS)
      .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\t])*$/u),
    {
      allowed: `text of at most ${MAX_INSTRUCTIONS_CHARS} characters`,
      kind: 'text',
    },
  );

const defineNames = (kind: string, maxCount: number) =>
  defineList(
    defineText(100, `a ${kind} name`, /^[A-Za-z0-9][\w ./:-]*$/),
    maxCount,
    `a list of ${kind} names`,
  );

export const repositorySchema = defineSection({
  merge: defineSection({ auto_merge_allowed: defineBoolean().optional() }).optional(),
  testing: defineSection({
    instructions: defineInstructions().optional(),
  }).optional(),
  skills: defineSection({ required: defineNames('skill', 50).optional() }).optional(),
  commands: defineSection({
    setup: defineCommandLine().optional(),
    quality_gate: defineCommandLine().optional(),
    test: defineCommandLine().optional(),
    ci: defineCommandLine().optional(),
  }).optional(),
  phases: defineNamedSection(
    'phase',
    PHASES,
    defineSection({
      instructions: defineInstructions().optional(),
      skills: defineNames('skill', 50).optional(),
    }),
  ).optional(),
});

export const REPOSITORY_DEFAULTS = {
  merge: { auto_merge_allowed: false },
  testing: {},
  skills: { required: [] },
  commands: {},
  phases: {},
} as const;

export type RepositoryConfig = WithDefaults<z.output<typeof repositorySchema>, typeof REPOSITORY_DEFAULTS>;
