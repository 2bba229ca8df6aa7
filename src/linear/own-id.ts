/** Ids that Legion gives to what it makes on Linear: the same for the same key, and known again by their form alone. */
import { createHash } from 'node:crypto';

/** What is made under such an id. */
export type OwnKind = 'issue' | 'comment' | 'relation' | 'attachment';

/** Bytes that say what it is; the other six of the sixteen check them. */
const SAYING = 10;
const BYTES = 16;
const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * A UUID in the form of version 4, which is what Linear takes. Of its bits 74 follow from what it is for, far too many for two of
 * them to meet, and 48 check those: an id that was drawn by chance passes for Legion's once in 10¹⁴ times.
 */
export function ownId(legion: string, kind: OwnKind, issue: string, key: string): string {
  // As JSON, so that no two lists of words run together into the same text.
  const saying = digest(JSON.stringify([legion, kind, issue, key])).subarray(0, SAYING);
  saying.writeUInt8((saying.readUInt8(6) & 0x0f) | 0x40, 6);
  saying.writeUInt8((saying.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = Buffer.concat([saying, checkOf(saying)]).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether Legion has made this id. Anybody could: whose hand it was, only the author of what it names tells. */
export function isOwnId(id: string): boolean {
  if (!FORM.test(id)) return false;
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return checkOf(bytes.subarray(0, SAYING)).equals(bytes.subarray(SAYING));
}

function checkOf(saying: Buffer): Buffer {
  return digest('legion', saying).subarray(0, BYTES - SAYING);
}

function digest(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
