/** What an answer of GitHub complains about, in whichever of its two APIs' forms. */
import { z } from 'zod';
import type { Answer } from './transport.ts';

/** More complaints than this help nobody. */
const COMPLAINTS_SHOWN = 3;

const complaint = z.object({
  message: z.string().optional().catch(undefined),
  /** GraphQL's kind, such as `NOT_FOUND`. */
  type: z.string().optional().catch(undefined),
  path: z
    .array(z.union([z.string(), z.number()]))
    .optional()
    .catch(undefined),
  locations: z.array(z.unknown()).optional().catch(undefined),
  extensions: z.record(z.string(), z.unknown()).optional().catch(undefined),
  /** REST's reasons, such as `already_exists` of `name`. */
  code: z.string().optional().catch(undefined),
  field: z.string().optional().catch(undefined),
});

const body = z.object({ message: z.string().optional().catch(undefined), errors: z.unknown().optional() });

export type Complaint = Partial<z.infer<typeof complaint>>;

/** Whatever stands among the errors counts as one: an answer must not pass for good because its error has an odd form. */
export function complaintsIn({ data }: Answer): readonly Complaint[] {
  const errors = body.safeParse(data).data?.errors ?? [];
  return (Array.isArray(errors) ? errors : [errors]).map((error: unknown) =>
    typeof error === 'string' ? { message: error } : (complaint.safeParse(error).data ?? {}),
  );
}

/** All of it as one text, GitHub's own sentence first; empty where it says nothing. */
export function saidIn(answer: Answer): string {
  const message = body.safeParse(answer.data).data?.message;
  return [...(message === undefined ? [] : [message]), ...complaintsIn(answer).map(inWords)]
    .slice(0, COMPLAINTS_SHOWN)
    .join('; ');
}

function inWords({ type, message, code, field }: Complaint): string {
  return [type, field, code, message].filter((part) => part !== undefined).join(' ');
}
