/** How anything that went wrong is told: one form, the catalogue's status, and nothing about our insides. */
import { CATALOGUE, LegionError } from '../domain/fault.ts';
import { type Answer, jsonAnswer } from './answer.ts';

/** `onError` hears of everything that has no code; whoever asked only learns that it happened. */
export function faultAnswer(error: unknown, onError: (error: unknown) => void): Answer {
  if (error instanceof LegionError) return codedAnswer(error);
  onError(error);
  return codedAnswer(
    new LegionError('daemon.defect', 'a defect kept the daemon from answering; its log has the details'),
  );
}

export function codedAnswer({ fault }: LegionError, headers: Readonly<Record<string, string>> = {}): Answer {
  const { code, message, next } = fault;
  const status = CATALOGUE[code].http;
  // HTTP wants to be told how one identifies oneself.
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return jsonAnswer(status, { error: { code, message, next } }, { ...challenge, ...headers });
}
