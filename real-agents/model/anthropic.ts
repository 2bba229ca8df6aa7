/** The wire of Anthropic's messages, as Claude Code speaks it: server-sent events, one content block after the other. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { type Call, type Move, type Seen, USUAL_USAGE } from './mind.ts';
import type { Wire } from './server.ts';

const textBlocks = z.array(z.object({ text: z.string().default('') }));

const blockSchema = z.object({
  type: z.string(),
  text: z.string().default(''),
  id: z.string().default(''),
  name: z.string().default(''),
  input: z.unknown().optional(),
  tool_use_id: z.string().default(''),
  content: z.union([z.string(), textBlocks]).optional(),
});
type Block = z.output<typeof blockSchema>;

/** A string is a message of one text. */
const contentSchema = z
  .union([z.string().transform((text) => [{ type: 'text', text }]), z.array(z.unknown())])
  .pipe(z.array(blockSchema));

const bodySchema = z.object({
  model: z.string(),
  system: z.union([z.string(), textBlocks]).default(''),
  messages: z.array(z.object({ role: z.string(), content: contentSchema })),
  tools: z.array(z.object({ name: z.string() })).default([]),
});

/** What Claude Code says by itself in the user's name, and the block that the driver ends each prompt with. */
const ITS_OWN =
  /^(?:Begin\.$|\[Request interrupted|Continue from where you left off\.$|Base directory for this skill:)/;
const REMINDERS = /<system-reminder>.*?<\/system-reminder>/gs;

export const anthropic: Wire = {
  path: '/v1/messages',

  read(data): Seen {
    const { model, system, messages, tools } = bodySchema.parse(data);
    const said = messages.flatMap(({ role, content }) =>
      content.map((block) => ({ block, prompt: role === 'user' ? promptOf(block) : undefined })),
    );
    const last = said.findLastIndex(({ prompt }) => prompt !== undefined);
    return {
      ...{ wire: 'anthropic', model, system: textOf(system) },
      tools: tools.map(({ name }) => name),
      prompts: said.flatMap(({ prompt }) => prompt ?? []),
      calls: callsIn(said.slice(last + 1).map(({ block }) => block)),
    };
  },

  write(move, seen, _body, response): void {
    // A request without tools is for a title or a summary, and no turn of the worker.
    stream(response, seen.model, seen.tools.length === 0 ? { say: 'In short' } : move);
  },
};

/** What a hook has said is said to the model, as a prompt. */
function promptOf({ type, text }: Block): string | undefined {
  const words = text.replaceAll(REMINDERS, '').trim();
  return type !== 'text' || words === '' || ITS_OWN.test(words) ? undefined : words;
}

function textOf(content: Block['content']): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n');
}

function callsIn(blocks: readonly Block[]): Call[] {
  const results = new Map(
    blocks.flatMap((block) =>
      block.type === 'tool_result' ? [[block.tool_use_id, textOf(block.content)] as const] : [],
    ),
  );
  return blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({ tool: name, input, result: results.get(id) }));
}

function stream(response: ServerResponse, model: string, move: Parameters<Wire['write']>[0]): void {
  const usage = move.usage ?? USUAL_USAGE;
  const call = callOf(move);
  const message = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model, content: [] };
  const blocks = [
    ...('say' in move && move.say !== undefined ? [textEvents(move.say)] : []),
    ...(call === undefined ? [] : [callEvents(call)]),
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', { message: { ...message, usage: { input_tokens: usage.in, output_tokens: 1 } } });
  for (const [index, { start, delta }] of blocks.entries()) {
    send('content_block_start', { index, content_block: start });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  const reason = call === undefined ? 'end_turn' : 'tool_use';
  send('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: usage.out } });
  send('message_stop', {});
  response.end();
}

function textEvents(text: string) {
  return { start: { type: 'text', text: '' }, delta: { type: 'text_delta', text } };
}

function callEvents({ tool, input }: { readonly tool: string; readonly input: object }) {
  return {
    start: { type: 'tool_use', id: `toolu_${randomUUID()}`, name: tool, input: {} },
    delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  };
}

function callOf(move: Move): { readonly tool: string; readonly input: object } | undefined {
  if ('run' in move) return { tool: 'Bash', input: { command: move.run, description: 'Runs a command' } };
  if ('verb' in move) return { tool: `mcp__legion__${move.verb}`, input: move.input };
  return 'tool' in move ? move : undefined;
}
