/** Sends requests to a daemon under test as its operator. */
export type OperatorRequest = (method: string, path: string, body?: object) => Promise<Response>;

export function createOperatorRequest({
  url,
  token,
}: {
  readonly url: string;
  readonly token: string;
}): OperatorRequest {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response;
  };
}

export async function approveCommands(ask: OperatorRequest): Promise<void> {
  const found = await (await ask('GET', '/repositories/commands')).json();
  for (const { repo, fingerprint } of found as { repo: string; fingerprint: string }[]) {
    await ask('POST', '/repositories/commands/approve', { repo, fingerprint });
  }
}
