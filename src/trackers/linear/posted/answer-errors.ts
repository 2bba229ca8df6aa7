/** Applies the `errors` of a GraphQL answer to the issues it contains: an error that names one issue rejects only that issue. */
import { fault } from '../../../domain/fault.ts';
import { failed, ok, type Result } from '../../../domain/result.ts';
import { shown } from '../../../domain/shown.ts';
import type { RejectedEntry } from '../../tracker.ts';
import type { FoundEntries } from './find-issues.ts';
import { identifierIn } from './identifier.ts';

/** Any other error means that issues may be missing, so that the whole answer is refused. */
export function rejectByErrors(
  found: Result<FoundEntries>,
  errors: readonly unknown[],
  path: string,
): Result<FoundEntries> {
  if (!found.ok) return refuseAnswer(errors, path);
  const entries = new Map(found.value.found.map((entry) => [entry.path, entry]));
  const rejected = new Map<string, RejectedEntry>();
  for (const error of errors) {
    const places = placesOf(error, path);
    const entry = places.map((place) => entries.get(place)).find((each) => each !== undefined);
    if (entry === undefined) return refuseAnswer(errors, path);
    const message = `${places.at(-1)}: ${messageOf(error)}`;
    rejected.set(entry.path, { path: entry.path, id: identifierIn(entry.value), message });
  }
  return ok({
    found: found.value.found.filter((entry) => !rejected.has(entry.path)),
    rejected: [...found.value.rejected, ...rejected.values()],
  });
}

/** A GraphQL path has a step for each level of the document; deeper ones are not Linear's. */
const MAX_STEPS = 20;

/** Each place on the way to the error, as in `data.issues`, `data.issues.nodes`, `data.issues.nodes[3]`. */
function placesOf(error: unknown, path: string): readonly string[] {
  const steps = typeof error === 'object' && error !== null && 'path' in error ? error.path : undefined;
  if (!Array.isArray(steps) || steps.length > MAX_STEPS) return [];
  let place = path === '' ? 'data' : `${path}.data`;
  return steps.map((step: unknown) => {
    place += typeof step === 'number' ? `[${step}]` : `.${String(step)}`;
    return place;
  });
}

function messageOf(error: unknown): string {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
  return typeof message === 'string' ? shown(message) : 'an error without a message';
}

function refuseAnswer(errors: readonly unknown[], path: string) {
  const place = path === '' ? 'errors' : `${path}.errors`;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors, the first`;
  return failed(fault('input.invalid', `${place}: this answer has ${count}: ${messageOf(errors[0])}`));
}
