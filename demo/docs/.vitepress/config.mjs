import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { repositoryLinks, slug } from '../site/links.mjs';
import { writeLlms } from '../site/llms.mjs';
import { insertions } from '../site/pageText.mjs';
import { SIDEBAR } from '../site/sidebar.mjs';

const { version, description } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
/** Where the site will lie on its host: `/` or `/docs/`. */
const base = process.env.DOCS_BASE ?? '/';
const apiSidebar = fileURLToPath(new URL('../api/sidebar.json', import.meta.url));

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="2" width="28" height="28" rx="5" fill="#0c0f12"/><path d="M16 5v22M5 16h22M21.500 16v11M16 21.500h11" stroke="#4fd1bd" stroke-width="2" fill="none"/></svg>`;

export default defineConfig({
  title: 'three-scene-index',
  description,
  base,
  lang: 'en-GB',
  cacheDir: '../../node_modules/.cache/vitepress',
  outDir: '../../dist-docs',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
  metaChunk: true,
  markdown: {
    // Colours of code that can be read, comments too.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    anchor: { slugify: slug },
    config(md) {
      insertions(md);
      repositoryLinks(md);
    },
  },
  vite: {
    // Snippets and pictures lie beside the docs.
    server: { fs: { allow: ['../..'] } },
    build: { chunkSizeWarningLimit: 2000 },
  },
  themeConfig: {
    siteTitle: 'three-scene-index',
    nav: [
      { text: 'Start', link: '/getting-started' },
      { text: 'Guides', link: '/guides/culling', activeMatch: '^/guides/' },
      { text: 'Recipes', link: '/recipes/', activeMatch: '^/recipes/' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      { text: 'Performance', link: '/performance/', activeMatch: '^/performance/' },
      { text: 'Demo', link: '/demo/', target: '_self' },
      { text: version, link: '/changelog' },
    ],
    sidebar: { '/api/': apiItems(), '/': SIDEBAR.map((group) => ({ ...group, collapsed: false })) },
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: 'Before', next: 'Next' },
  },
  // Agents find the Markdown of a page here.
  transformHead: ({ page }) =>
    page === '404.md' ? [] : [['link', { rel: 'alternate', type: 'text/markdown', href: `${base}${page}` }]],
  buildEnd: ({ outDir, site }) => writeLlms(outDir, site),
});

/** Made with the API: its exports by task. */
function apiItems() {
  return existsSync(apiSidebar) ? JSON.parse(readFileSync(apiSidebar, 'utf8')) : [];
}
