/** The parts of the demo's configuration that put its code, and where it is said so its board, on a GitHub. */

export interface DemoGithub {
  /** Such as `http://127.0.0.1:8080`, without a slash at its end. */
  readonly url: string;
  /** `owner/number` of the board; undefined where the board is somewhere else. */
  readonly project: string | undefined;
  /** `owner/name`. */
  readonly repo: string;
  /** Its value is the token of the person and of Legion itself. */
  readonly tokenVariable: string;
  /** Those of the roles, as far as they are set: without them a reviewer cannot review natively. */
  readonly roleVariables: { readonly impl?: string; readonly review?: string };
}

/** A GitHub of one's own machine has no secondary limits; elsewhere writes keep the distance that GitHub asks for. */
const LOOPBACK = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

export function isOnLoopback({ url }: Pick<DemoGithub, 'url'>): boolean {
  return LOOPBACK.test(url);
}

/** Everything the demo reads from its environment for this. */
export function githubVariables({ tokenVariable, roleVariables }: DemoGithub): readonly string[] {
  return [tokenVariable, ...Object.values(roleVariables)];
}

export function boardOnGithub(project: string): string {
  return `legion: ${project}
backend: github`;
}

export function codeOnGithub({ url, repo }: DemoGithub): string {
  return `forge: github
github: { url: ${JSON.stringify(url)}${isOnLoopback({ url }) ? ', write_spacing: 0s' : ''} }
repos: [{ repo: ${repo}, base: main }]`;
}

/** Below `credentials`. */
export function githubCredentials({ tokenVariable, roleVariables }: DemoGithub): string {
  const roles = Object.entries(roleVariables).map(([role, name]) => `\n    ${role}: { token: env:${name} }`);
  return `  github:
    token: env:${tokenVariable}${roles.join('')}`;
}
