/** A number with what it counts. Pure. */

/** `1 crash`, `2 crashes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
