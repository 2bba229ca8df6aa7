/** What an answer of Linear complains about, read without trust in its form. */
import { z } from 'zod';
import type { LinearAnswer } from './answer.ts';

/** More complaints than this help nobody. */
const COMPLAINTS_READ = 5;

export interface Complaint {
  /** Linear's own word, such as `invalid input`. */
  readonly type: string | undefined;
  /** GraphQL's own word, such as `RATELIMITED`. */
  readonly code: string | undefined;
  readonly userError: boolean;
  /** Linear's sentence for people where it has one. */
  readonly message: string;
  /** Its sentence for programs. */
  readonly original: string;
  /** How many steps into the answer it lies; 0 where the whole document is meant. */
  readonly depth: number;
}

const word = z.string().optional().catch(undefined);

const raw = z.object({
  message: word,
  path: z.array(z.unknown()).optional().catch(undefined),
  extensions: z
    .object({
      type: word,
      code: word,
      userError: z.boolean().optional().catch(undefined),
      userPresentableMessage: word,
    })
    .optional()
    .catch(undefined),
});

/** Whatever stands among the errors counts as one: an answer must not pass for good because its error has an odd form. */
export function complaintsIn({ errors }: LinearAnswer): readonly Complaint[] {
  return (Array.isArray(errors) ? errors : []).slice(0, COMPLAINTS_READ).map((error: unknown) => {
    const { message, path = [], extensions = {} } = raw.safeParse(error).data ?? {};
    const { type, code, userError, userPresentableMessage } = extensions;
    return {
      type,
      code,
      userError: userError === true,
      message: userPresentableMessage ?? message ?? type ?? 'an error without a message',
      original: message ?? '',
      depth: path.length,
    };
  });
}

/**
 * Something of a mutation has happened, although it has errors: another one of the same document, or this one, of which only
 * what was asked back could not be read. Nothing may then claim that nothing was written.
 */
export function partlyDone({ data }: LinearAnswer, complaints: readonly Complaint[]): boolean {
  const done =
    typeof data === 'object' && data !== null && Object.values(data).some((value) => value !== null);
  return done || complaints.some(({ depth }) => depth > 1);
}
