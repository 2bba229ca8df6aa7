/** Sets up a simulated Linear with one team, and clients for it. */
import type { LinearSimulator } from '../../../simulators/linear/simulator.ts';
import { type LinearOptions, startLinear } from '../../../simulators/linear/start.ts';

export interface Stage {
  readonly linear: LinearSimulator;
  /** The UUID of `ENG`. */
  readonly team: string;
  /** API key of ada, who has write access. */
  readonly key: string;
  ask(query: string, variables?: object, authorization?: string): Promise<Answer>;
  /** Returns the first error of a rejected request. */
  refusal(query: string, variables?: object, authorization?: string): Promise<WrittenError | undefined>;
  /** Returns a state's UUID by its name. */
  state(name: string, team?: string): Promise<string>;
  label(name: string): Promise<string>;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the query's
  readonly data: any;
  readonly errors: readonly WrittenError[];
}

interface WrittenError {
  readonly message: string;
  readonly path?: unknown;
  readonly extensions: {
    readonly type: string;
    readonly code: string;
    readonly userPresentableMessage?: string;
  };
}

const OPEN: LinearSimulator[] = [];

/** Closes everything a test opened. Call after each test, before the check for leftovers. */
export async function closeStages(): Promise<void> {
  await Promise.all(OPEN.splice(0).map((linear) => linear.close()));
}

/** Creates the team `ENG`, with the members ada and bob. */
export async function stage(options: LinearOptions = {}): Promise<Stage> {
  const linear = await startLinear(options);
  OPEN.push(linear);
  const { people } = linear;
  people.user('ada');
  people.user('bob');
  const team = people.team({ key: 'ENG', name: 'Engineering' });
  const key = people.apiKey('ada');

  const ask: Stage['ask'] = async (query, variables = {}, authorization = key) => {
    const response = await fetch(`${linear.url}/graphql`, {
      method: 'POST',
      headers: { authorization, connection: 'close', 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors = [] } = (await response.json()) as Answer;
    return { status: response.status, headers: response.headers, data, errors };
  };
  const idOf = async (kind: string, filter: object): Promise<string> => {
    const type = kind === 'issueLabels' ? 'IssueLabelFilter' : 'WorkflowStateFilter';
    const found = await ask(`query($f: ${type}) { ${kind}(filter: $f) { nodes { id } } }`, { f: filter });
    return found.data[kind].nodes[0].id;
  };
  return {
    linear,
    team,
    key,
    ask,
    refusal: async (...args) => (await ask(...args)).errors[0],
    state: (name, teamKey = 'ENG') =>
      idOf('workflowStates', { name: { eq: name }, team: { key: { eq: teamKey } } }),
    label: (name) => idOf('issueLabels', { name: { eq: name } }),
  };
}

/** A clock that stands still until it is advanced. */
export function standingClock() {
  let now = Date.parse('2026-01-01T00:00:00Z');
  return {
    now: () => now,
    pass(ms: number) {
      now += ms;
    },
  };
}
