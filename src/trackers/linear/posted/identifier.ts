/** Reads the identifier of a posted issue, such as `ENG-21`. */

export const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_]{0,49}-[1-9]\d{0,9}$/;
const IN_ADDRESS = /\/issue\/([A-Za-z][A-Za-z0-9_]{0,49}-[1-9]\d{0,9})(?:[/?#]|$)/;

export interface NamedPlace {
  readonly id?: string | null | undefined;
  readonly identifier?: string | null | undefined;
  readonly url?: string | null | undefined;
}

/** The MCP server gives the identifier as `id`, where the API gives a UUID; the address always contains it. */
export function identifierOf({ id, identifier, url }: NamedPlace): string | undefined {
  const [asId] = IDENTIFIER.exec(id ?? '') ?? [];
  const [, inAddress] = IN_ADDRESS.exec(url ?? '') ?? [];
  return identifier ?? asId ?? inAddress;
}

/** Of an issue that is malformed elsewhere: undefined where it cannot be told. */
export function identifierIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, identifier, url } = value as Record<string, unknown>;
  const [idText, identifierText, urlText] = [id, identifier, url].map((each) =>
    typeof each === 'string' ? each : undefined,
  );
  const name = identifierOf({ id: idText, identifier: identifierText, url: urlText });
  return name !== undefined && IDENTIFIER.test(name) ? name : undefined;
}
