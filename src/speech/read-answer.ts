/** What the daemon's answer means: the verb's answer, or the fault it refused with. */

import type { z } from 'zod';
import { CATALOGUE, type FaultCode, LegionError, shown } from '../core/model/fault.ts';
import { decode } from '../domain/decode.ts';
import { parseJson } from '../lib/json.ts';
import { errorAnswer } from '../protocol/error-answer.ts';
import type { VerbName } from '../protocol/verb.ts';
import { VERB_ANSWERS, type VerbAnswer } from '../protocol/verb-answer.ts';
import type { Answer } from './post.ts';

export function readAnswer<V extends VerbName>(verb: V, answer: Answer): VerbAnswer<V> {
  const schema: z.ZodType = VERB_ANSWERS[verb];
  const read = decode(schema, parseJson(answer.text), `answer to ${verb}`);
  if (!read.ok) throw new LegionError('daemon.defect', read.fault.message);
  return read.value as VerbAnswer<V>;
}

export function isRefusal(answer: Answer): boolean {
  return answer.status < 200 || answer.status > 299;
}

export function readRefusal(answer: Answer): LegionError {
  const read = decode(errorAnswer, parseJson(answer.text), 'answer');
  if (!read.ok)
    return new LegionError('daemon.defect', `the answer has status ${answer.status} and no fault`);
  const { code, message } = read.value.error;
  return isKnown(code)
    ? new LegionError(code, message)
    : new LegionError('daemon.defect', `the daemon refused with ${shown(code)}: ${message}`);
}

function isKnown(code: string): code is FaultCode {
  return Object.hasOwn(CATALOGUE, code);
}
