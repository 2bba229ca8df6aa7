/** Where the board and the code of a demo are: in its folder, or in services that it was told of. */

import type { ColumnNames } from '../core/model/status.ts';
import {
  boardOnGithub,
  codeOnGithub,
  type DemoGithub,
  githubCredentials,
  githubVariables,
} from './on-github.ts';
import { PROJECT_NAME } from './project/project.ts';
import { LEGION } from './stories.ts';

export interface Surroundings {
  /** The code, and the board unless that is in Linear. */
  readonly github?: DemoGithub | undefined;
  readonly linear?: DemoLinear | undefined;
}

/** `repository` is the sample in the demo's folder. */
export function surroundingsYaml({ github, linear }: Surroundings, repository: string): string {
  const project = github?.project;
  const board =
    linear !== undefined
      ? boardOnLinear(linear)
      : project !== undefined
        ? boardOnGithub(project)
        : BOARD_HERE;
  const code = github === undefined ? codeHere(repository) : codeOnGithub(github);
  const credentials = [
    ...(github === undefined ? [] : [githubCredentials(github)]),
    ...(linear === undefined ? [] : [linearCredentials(linear)]),
  ];
  return [board, code, ...(credentials.length === 0 ? [] : ['credentials:', ...credentials, POLLING])].join(
    '\n',
  );
}

/** Everything the demo reads from its environment for them. */
export function surroundingVariables({ github, linear }: Surroundings): readonly string[] {
  return [
    ...(github === undefined ? [] : githubVariables(github)),
    ...(linear === undefined ? [] : [linear.keyVariable]),
  ];
}

const BOARD_HERE = `legion: ${LEGION}
backend: local`;

function codeHere(repository: string): string {
  return `forge: local
repos:
  - repo: demo/${PROJECT_NAME}
    path: ${JSON.stringify(repository)}
    base: main`;
}

const POLLING =
  'polling: { interval: 2s, slow_after: 1000 } # an audience waits, and no webhook says that something happened';

/** The parts of the demo's configuration that put its board into a Linear. */
interface DemoLinear {
  /** Such as `http://127.0.0.1:8080`, without a slash at its end. */
  readonly url: string;
  /** UUID of the team. */
  readonly team: string;
  /** Its value is the key of the person and of Legion itself. */
  readonly keyVariable: string;
  /** States of the team that are not called as the status is. */
  readonly statuses: ColumnNames;
}

function boardOnLinear({ url, team, statuses }: DemoLinear): string {
  // JSON is YAML, and quotes whatever needs it.
  const named = Object.keys(statuses).length === 0 ? '' : `\nstatuses: ${JSON.stringify(statuses)}`;
  return `legion: ${team}
backend: linear
linear: { url: ${JSON.stringify(url)} }${named}`;
}

/** Below `credentials`. */
function linearCredentials({ keyVariable }: DemoLinear): string {
  return `  linear: { api_key: env:${keyVariable} }`;
}
