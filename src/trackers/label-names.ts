/** The names of an issue's labels, as Legion reads them on a service where people make labels. */
import { LABELS } from '../domain/label.ts';
import { plainLine } from '../domain/plain-text.ts';

/** A label may be written with capitals there; to the service, and so to Legion, it is the same one. */
const OWN_LABELS: ReadonlyMap<string, string> = new Map(LABELS.map((label) => [label.toLowerCase(), label]));

export function labelNames(labels: readonly { readonly name: string }[]): readonly string[] {
  const names = labels.map(({ name }) => plainLine(name)).filter((name) => name !== '');
  return names.map((name) => OWN_LABELS.get(name.toLowerCase()) ?? name).toSorted();
}
