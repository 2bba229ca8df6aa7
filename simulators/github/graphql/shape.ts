/** A value of the schema that is no node of its own: a connection, a payload, a page. */
export class Shape {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(type: string, fields: Readonly<Record<string, unknown>>) {
    this.type = type;
    this.fields = fields;
  }
}

/** GitHub's times have no milliseconds. */
export function time(seconds: number): string;
export function time(seconds: number | undefined): string | null;
export function time(seconds: number | undefined): string | null {
  return seconds === undefined ? null : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
