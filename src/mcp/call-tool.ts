/** One call of a tool: the verb is said, and whatever comes of it is a result the agent can read. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { fault, LegionError } from '../domain/fault.ts';
import { shown } from '../domain/shown.ts';
import { VERB_NAMES } from '../protocol/verb.ts';
import type { Speaker } from '../speech/speaker.ts';

export async function callTool(speaker: Speaker, name: string, input: unknown): Promise<CallToolResult> {
  const verb = VERB_NAMES.find((each) => each === name);
  if (verb === undefined) {
    const says = `there is no tool ${shown(name)}; there are ${VERB_NAMES.join(', ')}`;
    return result({ error: fault('input.invalid', says) }, true);
  }
  try {
    const spoken = await speaker.say(verb, input);
    if (spoken.kept)
      return result({
        ...spoken,
        says: 'the daemon is away; this is kept and delivered, say it no second time',
      });
    const isRefused = 'accepted' in spoken.answer && spoken.answer.accepted === false;
    return result(spoken.answer, isRefused);
  } catch (error) {
    if (error instanceof LegionError) return result({ error: error.fault }, true);
    const says = error instanceof Error ? error.message : String(error);
    return result({ error: fault('daemon.defect', says) }, true);
  }
}

/** As text too: not every agent reads structured content. */
function result(content: object, isError = false): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(content) }],
    structuredContent: { ...content },
    ...(isError ? { isError } : {}),
  };
}
