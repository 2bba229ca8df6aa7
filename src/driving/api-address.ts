/** A model's API is named once in `agents.<mode>.url`, with or without its `/v1`; each agent wants it in one of the two forms. */

const VERSION = '/v1';

export function withVersion(url: string): string {
  return `${withoutVersion(url)}${VERSION}`;
}

export function withoutVersion(url: string): string {
  const plain = url.replace(/\/+$/, '');
  return plain.endsWith(VERSION) ? plain.slice(0, -VERSION.length) : plain;
}
