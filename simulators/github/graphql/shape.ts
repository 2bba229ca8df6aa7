/** A schema value that is not a node: a connection, a payload, a page. */
export class SchemaValue {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(type: string, fields: Readonly<Record<string, unknown>>) {
    this.type = type;
    this.fields = fields;
  }
}

/** GitHub's times have no milliseconds. */
export function formatGithubTime(seconds: number): string;
export function formatGithubTime(seconds: number | undefined): string | null;
export function formatGithubTime(seconds: number | undefined): string | null {
  return seconds === undefined ? null : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
