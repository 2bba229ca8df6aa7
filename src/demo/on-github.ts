/** The part of the demo's configuration that puts its board and its pull requests on a GitHub. */

export interface DemoGithub {
  /** Such as `http://127.0.0.1:8080`, without a slash at its end. */
  readonly url: string;
  /** `owner/number`. */
  readonly project: string;
  /** `owner/name`. */
  readonly repo: string;
  /** Its value is the token of the person and of Legion itself. */
  readonly tokenVariable: string;
  /** Those of the roles, as far as they are set: without them a reviewer cannot review natively. */
  readonly roleVariables: { readonly impl?: string; readonly review?: string };
  /** Everything the demo reads from its environment for this. */
  readonly variables: readonly string[];
}

/** A GitHub of one's own machine has no secondary limits; elsewhere writes keep the distance that GitHub asks for. */
const LOOPBACK = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

export function isOnLoopback({ url }: Pick<DemoGithub, 'url'>): boolean {
  return LOOPBACK.test(url);
}

export function onGithub({ url, project, repo, tokenVariable, roleVariables }: DemoGithub): string {
  const roles = Object.entries(roleVariables).map(([role, name]) => `\n    ${role}: { token: env:${name} }`);
  return `legion: ${project}
backend: github
forge: github
github: { url: ${JSON.stringify(url)}${isOnLoopback({ url }) ? ', write_spacing: 0s' : ''} }
repos: [{ repo: ${repo}, base: main }]
credentials:
  github:
    token: env:${tokenVariable}${roles.join('')}
polling: { interval: 2s, slow_after: 1000 } # an audience waits, and no webhook says that something happened`;
}
