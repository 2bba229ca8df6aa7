/**
 * Derives the ids of objects that Legion creates in Linear. An id depends only on the object's key
 * and is recognizable as Legion's by its form.
 */
import { createHash } from 'node:crypto';

/** Kinds of objects that have such an id. */
export type OwnKind = 'issue' | 'comment' | 'relation' | 'attachment';

/** Number of hash bytes in an id. The other six of the id's sixteen bytes are a checksum. */
const PAYLOAD_BYTES = 10;
const ID_BYTES = 16;
const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Returns a UUID in the form of version 4, which Linear requires. 74 bits are a hash of the
 * arguments, enough to rule out collisions. 48 bits are a checksum, so that only one random id in
 * 10¹⁴ passes as Legion's.
 */
export function computeOwnId(legion: string, kind: OwnKind, issue: string, key: string): string {
  // Encoded as JSON, so that different argument lists never produce the same text.
  const payload = computeDigest(JSON.stringify([legion, kind, issue, key])).subarray(0, PAYLOAD_BYTES);
  payload.writeUInt8((payload.readUInt8(6) & 0x0f) | 0x40, 6);
  payload.writeUInt8((payload.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = Buffer.concat([payload, computeChecksum(payload)]).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Returns true if the id has the form of a Legion id. Anyone can compute such an id, so check the
 * author as well.
 */
export function isOwnId(id: string): boolean {
  if (!FORM.test(id)) return false;
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return computeChecksum(bytes.subarray(0, PAYLOAD_BYTES)).equals(bytes.subarray(PAYLOAD_BYTES));
}

function computeChecksum(payload: Buffer): Buffer {
  return computeDigest('legion', payload).subarray(0, ID_BYTES - PAYLOAD_BYTES);
}

function computeDigest(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
