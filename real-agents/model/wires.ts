/** All APIs that the agents use. */
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { responses } from './responses.ts';
import type { ModelWire } from './server.ts';

export const WIRES: readonly ModelWire[] = [anthropic, chat, responses];
