import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PASSES, RENDERERS } from '../../src/render/occlusion/occlusionSettings.js';
import { COVERED, COVERING, HIDDEN_RULES, HIDING, PEACEFUL } from '../../src/render/occlusion/rules.js';

const page = new URL('../../demo/docs/guides/occlusion.md', import.meta.url);
const UPDATE = 'UPDATE_BASELINES=1 npx vitest run --project unit test/docs/occlusionRules.test.ts';

type Rules = readonly (readonly [unknown, string])[];

/** What each table of the guide is made of: rules, by what they are about. */
const TABLES: Readonly<Record<string, readonly (readonly [about: string, rules: Rules])[]>> = {
  hiding: [
    ['the mesh', HIDING],
    ['its material', COVERING],
  ],
  hidden: [
    ['the mesh', HIDDEN_RULES],
    ['any of its materials', COVERED],
  ],
  passes: [
    ['the renderer', RENDERERS],
    ['the picture', PASSES],
    ['anything in view', [[null, 'has callbacks around its drawing'] as const, ...PEACEFUL]],
  ],
};

/** The sentences of rules as a table; those that two rules share once. */
function tableOf(name: string): string {
  const rows = TABLES[name].flatMap(([about, rules]) =>
    [...new Set(rules.map(([, why]) => why))].map((why) => `| ${about} | ${why} |`),
  );
  return ['', '| about | reason |', '| --- | --- |', ...rows, ''].join('\n');
}

it.each(Object.keys(TABLES))('the guide to occlusion has the rules of %s as the library has them', (name) => {
  const text = readFileSync(page, 'utf8');
  const region = new RegExp(`(<!-- ${name} -->\n)(.*?)(\n<!-- /${name} -->)`, 's');
  const [, , shown] = region.exec(text) ?? [];
  expect(shown, `a place for ${name}`).toBeDefined();
  const table = tableOf(name);
  if (process.env.UPDATE_BASELINES)
    writeFileSync(
      page,
      text.replace(region, (_, a, _old, b) => `${a}${table}${b}`),
    );
  else expect(shown, UPDATE).toBe(table);
});
