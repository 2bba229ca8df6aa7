/**
 * Anthropic Messages API as Claude Code uses it: server-sent events, one content block after
 * another.
 */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { type ModelMove, type ModelRequest, type ToolCall, USUAL_USAGE } from './mind.ts';
import type { ModelWire } from './server.ts';

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
type ContentBlock = z.output<typeof blockSchema>;

/** Message content. A plain string is treated as one text block. */
const contentSchema = z
  .union([z.string().transform((text) => [{ type: 'text', text }]), z.array(z.unknown())])
  .pipe(z.array(blockSchema));

const bodySchema = z.object({
  model: z.string(),
  system: z.union([z.string(), textBlocks]).default(''),
  messages: z.array(z.object({ role: z.string(), content: contentSchema })),
  tools: z.array(z.object({ name: z.string() })).default([]),
});

/**
 * Matches texts that Claude Code adds on the user's behalf, and the block that the driver adds at
 * the end of each prompt.
 */
const ITS_OWN =
  /^(?:Begin\.$|\[Request interrupted|Continue from where you left off\.$|Base directory for this skill:)/;
const REMINDERS = /<system-reminder>.*?<\/system-reminder>/gs;

export const anthropic: ModelWire = {
  path: '/v1/messages',

  read(data): ModelRequest {
    const { model, system, messages, tools } = bodySchema.parse(data);
    const said = messages.flatMap(({ role, content }) =>
      content.map((block) => ({ block, prompt: role === 'user' ? extractPrompt(block) : undefined })),
    );
    const last = said.findLastIndex(({ prompt }) => prompt !== undefined);
    return {
      wire: 'anthropic',
      model,
      system: extractText(system),
      tools: tools.map(({ name }) => name),
      prompts: said.flatMap(({ prompt }) => prompt ?? []),
      calls: extractCalls(said.slice(last + 1).map(({ block }) => block)),
    };
  },

  write(move, seen, _body, response): void {
    // A request without tools asks for a title or a summary, so it is not a turn of the worker.
    writeMessageStream(response, seen.model, seen.tools.length === 0 ? { say: 'In short' } : move);
  },
};

/** A hook's output reaches the model as a prompt. */
function extractPrompt({ type, text }: ContentBlock): string | undefined {
  const words = text.replaceAll(REMINDERS, '').trim();
  return type !== 'text' || words === '' || ITS_OWN.test(words) ? undefined : words;
}

function extractText(content: ContentBlock['content']): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n');
}

function extractCalls(blocks: readonly ContentBlock[]): ToolCall[] {
  const results = new Map(
    blocks.flatMap((block) =>
      block.type === 'tool_result' ? [[block.tool_use_id, extractText(block.content)] as const] : [],
    ),
  );
  return blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({ tool: name, input, result: results.get(id) }));
}

function writeMessageStream(
  response: ServerResponse,
  model: string,
  move: Parameters<ModelWire['write']>[0],
): void {
  const usage = move.usage ?? USUAL_USAGE;
  const call = callOf(move);
  const message = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model, content: [] };
  const blocks = [
    ...('say' in move && move.say !== undefined ? [buildTextEvents(move.say)] : []),
    ...(call === undefined ? [] : [buildCallEvents(call)]),
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

function buildTextEvents(text: string) {
  return { start: { type: 'text', text: '' }, delta: { type: 'text_delta', text } };
}

function buildCallEvents({ tool, input }: { readonly tool: string; readonly input: object }) {
  return {
    start: { type: 'tool_use', id: `toolu_${randomUUID()}`, name: tool, input: {} },
    delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  };
}

function callOf(move: ModelMove): { readonly tool: string; readonly input: object } | undefined {
  if ('run' in move) return { tool: 'Bash', input: { command: move.run, description: 'Runs a command' } };
  if ('verb' in move) return { tool: `mcp__legion__${move.verb}`, input: move.input };
  return 'tool' in move ? move : undefined;
}
