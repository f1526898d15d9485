/** An example on offer: the folder it lies in, and what its page says of itself. */
export interface Example {
  name: string;
  title: string;
  /** One sentence: what is to be seen. */
  text: string;
  /** Why it cannot be opened in StackBlitz, where it needs more than its code. */
  needs: string | undefined;
}

const PAGES = import.meta.glob<string>('./*/index.html', { query: '?raw', import: 'default', eager: true });

export const EXAMPLES: readonly Example[] = Object.entries(PAGES).map(([path, page]) => ({
  name: path.split('/')[1]!,
  title: /<title>(.*) – /.exec(page)![1]!,
  text: meta(page, 'description')!,
  needs: meta(page, 'needs'),
}));

function meta(page: string, name: string): string | undefined {
  return new RegExp(`<meta name="${name}" content="(.*)" />`).exec(page)?.[1];
}
