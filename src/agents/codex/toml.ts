/** Values as TOML writes them. */

export type TomlValue = string | number | boolean | readonly string[];

/** A JSON string is a TOML string, but for the one control character that JSON lets pass. */
export function tomlString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\x7f', '\\u007F');
}

/** `header` such as `[features]`, or undefined for what stands above all tables. */
export function tomlTable(header: string | undefined, entries: Readonly<Record<string, TomlValue>>): string {
  const lines = Object.entries(entries).map(([key, value]) => `${key} = ${written(value)}`);
  return [...(header === undefined ? [] : [header]), ...lines, ''].join('\n');
}

function written(value: TomlValue): string {
  if (typeof value === 'string') return tomlString(value);
  return typeof value === 'object' ? `[${value.map(tomlString).join(', ')}]` : String(value);
}
