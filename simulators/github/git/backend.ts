/**
 * Serves git over HTTP: runs `git http-backend` on the real repository, behind GitHub's permission
 * rules.
 */
import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { send, toMessageResponse } from '../http/answer.ts';
import { findToken, readSecret } from '../http/credentials.ts';
import type { GithubServerContext } from '../http/server.ts';
import { getTokenPermission, isInstallationLacking, isPermissionEnough } from '../model/access.ts';
import type { Repository } from '../model/nodes.ts';
import { updateRefs } from '../model/refs.ts';
import type { GithubToken } from '../model/world.ts';
import { GIT_ENVIRONMENT } from './run-git.ts';

export async function serveGit(
  desk: GithubServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const address = new URL(request.url ?? '/', desk.url);
  const [, owner = '', name = '', rest = ''] = /^\/([^/]+)\/([^/]+)\.git(\/.*)$/.exec(address.pathname) ?? [];
  const repository = desk.world.repositories.get(`${owner}/${name}`.toLowerCase());
  const secret = readSecret(request);
  const token = findToken(desk.world, secret);
  const push = rest === '/git-receive-pack' || address.searchParams.get('service') === 'git-receive-pack';
  const refusal = refuse(repository, token, secret, push);
  if (refusal !== undefined || repository === undefined) {
    request.resume();
    // Git sends credentials only after the server demands them.
    const headers: Record<string, string> =
      refusal?.status === 401 ? { 'www-authenticate': 'Basic realm="GitHub"' } : {};
    return send(response, {
      ...toMessageResponse(refusal?.status ?? 404, ''),
      headers,
      text: refusal?.text ?? 'Repository not found.',
    });
  }
  await runBackend(request, response, repository, address, rest, token);
  if (rest === '/git-receive-pack') updateRefs(desk.world, repository, token?.account);
}

function refuse(
  repository: Repository | undefined,
  token: GithubToken | undefined,
  secret: string | undefined,
  push: boolean,
): { readonly status: number; readonly text: string } | undefined {
  const missing = { status: 404, text: 'Repository not found.' };
  if (token === undefined) {
    if (secret !== undefined) return { status: 401, text: 'Bad credentials' };
    return push || repository === undefined || repository.private
      ? { status: 401, text: 'Authentication is required.' }
      : undefined;
  }
  if (repository === undefined) return missing;
  const permission = getTokenPermission(repository, token);
  if (!isPermissionEnough(permission, 'READ')) return missing;
  if (push && (!isPermissionEnough(permission, 'WRITE') || isInstallationLacking(token, 'contents'))) {
    const { login } = token.account;
    return {
      status: 403,
      text: `Permission to ${repository.owner.login}/${repository.name}.git denied to ${login}.`,
    };
  }
  return undefined;
}

async function runBackend(
  request: IncomingMessage,
  response: ServerResponse,
  repository: Repository,
  address: URL,
  rest: string,
  token: GithubToken | undefined,
): Promise<void> {
  const { headers, method } = request;
  const protectedRefs = [...repository.protections.keys()].map((branch) => `refs/heads/${branch}`);
  const child = spawn('git', ['http-backend'], {
    cwd: repository.folder,
    env: {
      ...GIT_ENVIRONMENT,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROJECT_ROOT: repository.folder,
      PATH_INFO: rest,
      REQUEST_METHOD: method,
      QUERY_STRING: address.search.slice(1),
      CONTENT_TYPE: headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: headers['git-protocol']?.toString() ?? '',
      REMOTE_USER: token?.account.login ?? '',
      SIMULATOR_PROTECTED: protectedRefs.join(' '),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const feeding = pipeline(request, child.stdin).catch(() => undefined); // git may stop reading before the end of the request
  const output = await buffer(child.stdout);
  await feeding;
  writeCgiResponse(output, response);
}

/** Relays a CGI response: headers, an empty line, the body. */
function writeCgiResponse(output: Buffer, response: ServerResponse): void {
  const end = output.indexOf('\r\n\r\n');
  const headers: Record<string, string> = {};
  let status = end < 0 ? 500 : 200;
  for (const line of output.subarray(0, Math.max(end, 0)).toString().split('\r\n')) {
    const [name = '', ...value] = line.split(':');
    if (name.toLowerCase() === 'status') status = Number(value.join(':').trim().split(' ')[0]);
    else if (name !== '') headers[name] = value.join(':').trim();
  }
  response.writeHead(status, headers);
  response.end(output.subarray(end + 4));
}
