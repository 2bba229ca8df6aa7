/** Where in a file something stands. */

/** Both count from 1, as editors do. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export function at(file: string, { line, column }: Place): string {
  return `${file}:${line}:${column}`;
}
