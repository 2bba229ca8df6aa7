/** The known key somebody may have meant by an unknown one. */

/** Longer ones are not typing errors, and the comparison takes the product of both lengths. */
const LONGEST_COMPARED = 40;

/** `limts` is `limits`, `perMode` is `per_mode`, `xyz` is nothing. */
export function nearest(wrong: string, known: readonly string[]): string | undefined {
  if (wrong.length > LONGEST_COMPARED) return undefined;
  const ranked = known
    .map((key) => ({ key, distance: distance(plain(wrong), plain(key)) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  if (best === undefined) return undefined;
  // One letter in three may be wrong: beyond that a suggestion is a guess.
  return best.distance <= Math.max(1, Math.floor(best.key.length / 3)) ? best.key : undefined;
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, '');
}

/** Levenshtein's, with two swapped letters counted as one error. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (same ? 0 : 1),
        swapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, above] = [above, current];
  }
  return at(above, b.length);
}

function at(numbers: readonly number[], index: number): number {
  return numbers[index] ?? Number.POSITIVE_INFINITY;
}
