/** What Linear's notices are called. */
import { token, topicOf } from '../../core/model/topic.ts';

/** `ENG-21`: the team's key and the number. */
const IDENTIFIER = /^([A-Za-z][A-Za-z0-9_]*)-([1-9]\d*)$/;

/** The team's key in lower case, as the names of GitHub's repositories are. Undefined for what is no issue's identifier. */
export function linearTopic(identifier: string, ...names: readonly string[]): string | undefined {
  const [, key, number] = IDENTIFIER.exec(identifier) ?? [];
  if (key === undefined || number === undefined) return undefined;
  return topicOf('notifications', 'linear', token(key.toLowerCase()), number, ...names.map(token));
}
