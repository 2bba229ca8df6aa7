/** `.legion/config.yml` of a repository: what the untrusted side may ask for, and no more. */
import { z } from 'zod';
import { PHASES } from '../../domain/mode.ts';
import { leaf, list, text, yesNo } from '../schema/leaf.ts';
import { section, sectionOf } from '../schema/section.ts';
import type { Settled } from '../schema/settle.ts';
import { command } from './command.ts';

/** Anybody who can open a pull request writes this file: half of what the operator's own may have. */
export const REPOSITORY_FILE_MOST_BYTES = 64 * 1_024;

const INSTRUCTIONS_LENGTH = 8_000;

/** Goes into a prompt, fenced as data; lines and tabs are all the layout it needs. */
const instructions = () =>
  leaf(
    z
      .string()
      .max(INSTRUCTIONS_LENGTH)
      .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\t])*$/u),
    {
      allowed: `a text of at most ${INSTRUCTIONS_LENGTH} characters`,
      kind: 'text',
    },
  );

const names = (what: string, most: number) =>
  list(text(100, `the name of a ${what}`, /^[A-Za-z0-9][\w ./:-]*$/), most, `a list of names of ${what}s`);

export const repositorySchema = section({
  merge: section({ auto_merge_allowed: yesNo().optional() }).optional(),
  testing: section({
    instructions: instructions().optional(),
  }).optional(),
  skills: section({ required: names('skill', 50).optional() }).optional(),
  commands: section({
    setup: command().optional(),
    quality_gate: command().optional(),
    test: command().optional(),
    ci: command().optional(),
  }).optional(),
  phases: sectionOf(
    'phase',
    PHASES,
    section({ instructions: instructions().optional(), skills: names('skill', 50).optional() }),
  ).optional(),
});

export const REPOSITORY_DEFAULTS = {
  merge: { auto_merge_allowed: false },
  testing: {},
  skills: { required: [] },
  commands: {},
  phases: {},
} as const;

export type RepositoryConfig = Settled<z.output<typeof repositorySchema>, typeof REPOSITORY_DEFAULTS>;
