/** What a page is given: the named parts of its path. */
export interface PageProps {
  readonly parts: Readonly<Record<string, string>>;
}
