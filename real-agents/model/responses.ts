/** OpenAI Responses API as Codex uses it: server-sent events, one item after another. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { type ModelMove, type ModelRequest, type ToolCall, USUAL_USAGE } from './mind.ts';
import type { ModelWire } from './server.ts';

const textsSchema = z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]);

const itemSchema = z.object({
  type: z.string(),
  role: z.string().optional(),
  content: textsSchema.optional().catch(undefined),
  call_id: z.string().optional(),
  namespace: z.string().optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  output: textsSchema.optional().catch(undefined),
});
type ResponsesItem = z.output<typeof itemSchema>;

const bodySchema = z.object({
  model: z.string(),
  instructions: z.string().default(''),
  input: z.array(itemSchema),
  tools: z
    .array(
      z.object({ name: z.string().optional(), tools: z.array(z.object({ name: z.string() })).optional() }),
    )
    .default([]),
});

/** Prefix of the tools for worker verbs. */
const LEGION = 'mcp__legion';

/** Matches texts that Codex adds on the user's behalf. */
const ITS_OWN = /^(?:# AGENTS\.md instructions|<environment_context>|<turn_aborted>|<user_instructions>)/;
/** A hook's output reaches the model as a prompt. */
const HOOK = /^<hook_prompt[^>]*>([\s\S]*)<\/hook_prompt>$/;

/**
 * Time in ms after which the model is called again even if its command is still running. This is
 * the maximum that Codex allows.
 */
const COMMAND_MS = 30_000;

export const responses: ModelWire = {
  path: '/v1/responses',

  read(body): ModelRequest {
    const { model, instructions, input, tools } = bodySchema.parse(body);
    const said = input.map((item) => ({ item, prompts: item.role === 'user' ? extractPrompts(item) : [] }));
    const lastPrompt = said.findLastIndex(({ prompts }) => prompts.length > 0);
    return {
      wire: 'responses',
      model,
      system: [instructions, ...input.filter(({ role }) => role === 'developer').flatMap(extractTexts)].join(
        '\n',
      ),
      tools: tools.flatMap(
        ({ name = '', tools: inner }) => inner?.map((tool) => `${name}__${tool.name}`) ?? [name],
      ),
      prompts: said.flatMap(({ prompts }) => prompts),
      calls: extractCalls(input.slice(lastPrompt + 1)),
    };
  },

  write(move, _seen, _body, response): void {
    const id = `resp_${randomUUID()}`;
    const usage = move.usage ?? USUAL_USAGE;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    writeEvent(response, 'response.created', { response: { id } });
    for (const [index, item] of buildItems(move).entries()) {
      writeEvent(response, 'response.output_item.added', { output_index: index, item });
      writeEvent(response, 'response.output_item.done', { output_index: index, item });
    }
    const counted = {
      input_tokens: usage.in,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.out,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.in + usage.out,
    };
    writeEvent(response, 'response.completed', { response: { id, usage: counted } });
    response.end();
  },
};

function extractTexts({ content }: ResponsesItem): readonly string[] {
  return typeof content === 'string' ? [content] : (content ?? []).flatMap(({ text }) => text ?? []);
}

function extractPrompts(item: ResponsesItem): readonly string[] {
  return extractTexts(item)
    .filter((text) => !ITS_OWN.test(text))
    .map((text) => HOOK.exec(text)?.[1] ?? text);
}

function extractCalls(items: readonly ResponsesItem[]): readonly ToolCall[] {
  const results = new Map(
    items.flatMap((item) => (item.output === undefined ? [] : [[item.call_id, item.output]])),
  );
  return items
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id, namespace, name = '', arguments: input = '{}' }) => {
      const output = results.get(call_id);
      return {
        tool: namespace === undefined ? name : `${namespace}__${name}`,
        input: JSON.parse(input),
        result: output === undefined ? undefined : joinTexts(output),
      };
    });
}

function joinTexts(texts: z.output<typeof textsSchema>): string {
  return typeof texts === 'string' ? texts : texts.map(({ text = '' }) => text).join('\n');
}

type ResponsesMove = Extract<
  ModelMove,
  { say: string } | { run: string } | { verb: string } | { tool: string }
>;

function buildItems(move: ResponsesMove): readonly object[] {
  const words = 'say' in move && move.say !== undefined ? [buildMessageItem(move.say)] : [];
  if ('run' in move) return [...words, call('exec_command', { cmd: move.run, yield_time_ms: COMMAND_MS })];
  if ('verb' in move) return [{ ...call(move.verb, move.input), namespace: LEGION }];
  return 'tool' in move ? [call(move.tool, move.input)] : words;
}

function buildMessageItem(text: string): object {
  return {
    type: 'message',
    role: 'assistant',
    id: `msg_${randomUUID()}`,
    content: [{ type: 'output_text', text }],
  };
}

function call(name: string, input: object): object {
  const id = randomUUID();
  return {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name,
    arguments: JSON.stringify(input),
  };
}

function writeEvent(response: ServerResponse, type: string, event: object): void {
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`);
}
