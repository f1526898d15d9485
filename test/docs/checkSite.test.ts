import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problemsOf } from '../../demo/docs/site/checkSite.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-'));
  put('index.html', '<h1 id="top">Start</h1>');
  put('guides/culling.html', '<h2 id="planes">Planes</h2>');
  put('api/index.html', '');
  put('style.css', 'a { background: url(dot.png) }');
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

describe('a built site', () => {
  it.each([
    ['/', '/'],
    ['/docs/', '/docs/'],
  ])('with the base %s is in order', (base, at) => {
    put(
      'guides/picking.html',
      `<a href="${at}">1</a><a href="${at}guides/culling#planes">2</a><a href="culling.html">3</a><a href="../api/">4</a>
      <a class="x" href="https://threejs.org/docs">5</a><a href="mailto:a@b.c">6</a><a href="#own" id="own">7</a>
      <iframe title="8" src="${at}guides/culling.html?embedded"></iframe><img src="data:,"><link rel="stylesheet" href="${at}style.css">`,
    );
    expect(problemsOf(folder, base)).toEqual([]);
  });

  it.each([
    ['<a href="/guides/shadows">', 'links to /guides/shadows, which is not there'],
    ['<a href="shadows.html">', 'links to shadows.html, which is not there'],
    ['<a href="/guides/culling#cones">', 'links to /guides/culling#cones, which has no such heading'],
    ['<a href="#cones">', 'links to #cones, which has no such heading'],
    ['<img src="/missing.png">', 'links to /missing.png, which is not there'],
    ['<iframe src="/demo/pick/">', 'links to /demo/pick/, which is not there'],
    ['<iframe src="https://host.example/pick/">', 'loads https://host.example/pick/'],
    ['<script src="https://cdn.example/x.js">', 'loads https://cdn.example/x.js'],
    ['<link rel="preload" href="//cdn.example/x.css">', 'loads //cdn.example/x.css'],
  ])('has a fault in %s', (html, problem) => {
    put('faulty.html', html);
    expect(problemsOf(folder)).toEqual([`faulty.html ${problem}`]);
  });

  it('has a fault where a style loads from elsewhere', () => {
    put('fonts.css', '@font-face { src: url("https://fonts.example/a.woff2") }');
    expect(problemsOf(folder)).toEqual(['fonts.css loads https://fonts.example/a.woff2']);
  });

  it.each(['/api/', '/index', '/guides/culling'])('has a fault where the link %s lacks its base', (link) => {
    put('faulty.html', `<a href="${link}">`);
    expect(problemsOf(folder, '/docs/')).toEqual([`faulty.html links to ${link}, which is not there`]);
  });
});
