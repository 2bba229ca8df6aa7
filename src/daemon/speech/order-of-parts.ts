/** The order in which sub-issues can be made: each after those it has to wait for. */
import { LegionError } from '../../core/model/fault.ts';

interface Part {
  readonly after: readonly number[];
}

/** Places in `parts`. Rejects a place that is not there and parts that wait for each other. */
export function inOrder(parts: readonly Part[]): readonly number[] {
  refuseUnknown(parts);
  const order = new Set<number>();
  while (order.size < parts.length) {
    const ready = parts.flatMap(({ after }, place) =>
      !order.has(place) && after.every((other) => order.has(other)) ? [place] : [],
    );
    if (ready.length === 0) throw circle(parts.flatMap((_, place) => (order.has(place) ? [] : [place])));
    for (const place of ready) order.add(place);
  }
  return [...order];
}

function refuseUnknown(parts: readonly Part[]): void {
  parts.forEach(({ after }, place) => {
    const unknown = after.find((other) => parts[other] === undefined);
    if (unknown === undefined) return;
    throw new LegionError(
      'input.invalid',
      `split.children[${place}].after: there is no sub-issue ${unknown}`,
    );
  });
}

function circle(places: readonly number[]): LegionError {
  return new LegionError('input.invalid', `split.children: ${places.join(', ')} wait for each other`);
}
