/** What a worker wrote, without its token: it may print its environment, and whoever had the token could speak for it. */

const WORKER_TOKEN = /\blw1\.[\w-]+\.[\w-]+/g;

export function withoutTokens(text: string): string {
  return text.replace(WORKER_TOKEN, '[redacted]');
}
