/** Conformance suite for agents: tests each line of the port's contract with real processes. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Agent, AgentEvent, LaunchOptions, LaunchSpec } from '../../../src/ports/agent.ts';
import { assertProperty } from '../../support/property.ts';

export interface AgentHarness {
  readonly agent: Agent;
  /** Options for a launch. Their prompt is a text that occurs nowhere else. */
  readonly start: LaunchOptions;
  /** Runs one turn as a host would. */
  run(launch: LaunchSpec): Promise<{ readonly code: number | null; readonly out: string }>;
  /** The same agent with a missing requirement. */
  readonly lacking: { readonly agent: Agent; readonly model: string | undefined };
  dispose(): Promise<void>;
}

const SESSION = '924320b3-c96b-510f-b8c4-43e1040229e8';
const OTHER = '00000000-0000-4000-8000-000000000000';

/** `make` creates a harness for each test, which is disposed of afterwards. */
export function agentConformance(name: string, make: () => Promise<AgentHarness>): void {
  describe(`${name} agent`, () => {
    let harness: AgentHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.dispose());

    const eventsOf = (out: string): AgentEvent[] =>
      out
        .split('\n')
        .filter((line) => line !== '')
        .flatMap((line) => harness.agent.read(line));

    test('returns a process description with the prompt on standard input and nowhere else', () => {
      const { agent, start } = harness;
      const fresh = agent.launch(SESSION, start);
      const again = agent.resume(SESSION, undefined, start);
      expect(fresh.argv).not.toEqual(again.argv);
      for (const { argv, env, stdin } of [fresh, again]) {
        expect(stdin).toContain(start.prompt);
        expect(JSON.stringify({ argv, env })).not.toContain(start.prompt);
        expect([...argv, ...Object.values(env)].filter((word) => word.includes('\0'))).toEqual([]);
      }
    });

    test('starts a session once, can resume and find it repeatedly, and cannot resume an unknown session', async () => {
      const { agent, start, run } = harness;
      const trace = () => agent.session(SESSION, undefined, start.workspace);
      expect(await trace()).toBe('missing');

      const first = await run(agent.launch(SESSION, start));
      expect(first.code).toBe(0);
      const events = eventsOf(first.out);
      expect(events[0]?.kind).toBe('started');
      expect(events.at(-1)?.kind).toBe('turn ended');
      // Reading a line again yields the same events, because a restarted daemon may continue in the
      // middle of the output.
      expect(eventsOf(first.out)).toEqual(events);
      const before = await trace();
      expect(before).toEqual({ at: expect.any(Number) });

      const native = events[0]?.kind === 'started' ? events[0].native : undefined;
      const [second, taken, unknown] = await Promise.all([
        run(agent.resume(SESSION, native, start)),
        run(agent.launch(SESSION, start)),
        run(agent.resume(OTHER, undefined, start)),
      ]);
      expect(second.code).toBe(0);
      expect(eventsOf(second.out).at(-1)?.kind).toBe('turn ended');
      const after = await trace();
      expect(typeof after === 'object' && typeof before === 'object' && after.at >= before.at).toBe(true);

      expect([taken.code, unknown.code].filter((code) => code === 0)).toEqual([]);
      expect(eventsOf(taken.out)).toMatchObject([{ kind: 'error', session: 'taken' }]);
      expect(eventsOf(unknown.out)).toMatchObject([{ kind: 'error', session: 'unknown' }]);
    });

    test('returns events for every line, whatever it contains, and never throws', () => {
      const { agent } = harness;
      const line = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.json(),
        fc.record({ type: fc.string(), text: fc.anything() }).map((record) => JSON.stringify(record) ?? ''),
      );
      assertProperty(
        fc.property(line, (text) => {
          for (const event of agent.read(text)) {
            expect(event.kind).toEqual(expect.any(String));
            if (event.kind === 'unreadable') expect(event.length).toBe(text.length);
          }
        }),
      );
      expect(agent.read('not of any agent {')).toEqual([{ kind: 'unreadable', length: 18 }]);
    });

    test('preflight reports that the agent is ready, or what is missing and what to do', async () => {
      const { agent, start, lacking } = harness;
      const { signal } = new AbortController();
      const ready = await agent.preflight(signal, { model: start.model, endpoint: start.endpoint });
      expect(ready).toMatchObject({ ready: true, version: expect.stringMatching(/./) });
      expect(await lacking.agent.preflight(signal, { model: lacking.model })).toEqual({
        ready: false,
        problem: expect.stringMatching(/./),
        next: expect.stringMatching(/./),
      });
    });
  });
}
